/* Do the live streams live? Each one that has lost the server says so; the header shows it. */
import { useSyncExternalStore } from "react";

const lost = new Set<object>();
const listeners = new Set<() => void>();

/** `stream` is any object that stands for the stream. */
export function noteConnection(stream: object, isLost: boolean): void {
  if (lost.has(stream) === isLost) return;
  if (isLost) lost.add(stream);
  else lost.delete(stream);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnection(): "connected" | "reconnecting" {
  return useSyncExternalStore(subscribe, () => (lost.size > 0 ? "reconnecting" : "connected"));
}
