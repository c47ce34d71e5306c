import type { GraphLevel } from "./graph-model.ts";
import { layoutOf } from "./layout.ts";

self.onmessage = ({ data }: MessageEvent<{ readonly id: number; readonly level: GraphLevel }>) => {
  self.postMessage({ id: data.id, layout: layoutOf(data.level) });
};
