import { useSyncExternalStore } from "react";
import { Button } from "./button.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly status: "completed" | "failed" | "neutral";
}

const GONE_MS = 6_000;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function put(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says something in the corner. What went wrong stays until somebody has read it. */
export function toast(text: string, status: Toast["status"] = "neutral"): void {
  const id = nextId++;
  put([...toasts.slice(-3), { id, text, status }]);
  if (status !== "failed") setTimeout(() => dismiss(id), GONE_MS);
}

function dismiss(id: number): void {
  put(toasts.filter((shown) => shown.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, status }) => (
        <div key={id} className="toast" data-status={status}>
          <p>{text}</p>
          <Button kind="quiet" onClick={() => dismiss(id)}>
            Close
          </Button>
        </div>
      ))}
    </div>
  );
}
