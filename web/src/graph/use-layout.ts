import { useEffect, useState } from "react";
import type { GraphLevel } from "./graph-model.ts";
import type { Layout } from "./layout.ts";

let worker: Worker | undefined;
let nextId = 1;
const waiting = new Map<number, (layout: Layout) => void>();

/** Off the page's own thread, however large the plan is. */
function layOut(level: GraphLevel): Promise<Layout> {
  if (worker === undefined) {
    worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<{ readonly id: number; readonly layout: Layout }>) => {
      waiting.get(data.id)?.(data.layout);
      waiting.delete(data.id);
    };
  }
  const id = nextId++;
  worker.postMessage({ id, level });
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** The graph with its layout; the last one stays until the next is there, so that nothing jumps. */
export function useLayout(
  level: GraphLevel,
): { readonly level: GraphLevel; readonly layout: Layout } | undefined {
  const [laidOut, setLaidOut] = useState<{ readonly level: GraphLevel; readonly layout: Layout }>();
  useEffect(() => {
    let isCurrent = true;
    void layOut(level).then((layout) => isCurrent && setLaidOut({ level, layout }));
    return () => {
      isCurrent = false;
    };
  }, [level]);
  return laidOut;
}
