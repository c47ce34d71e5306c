import type { Json } from "../../src/base/json.ts";
import { type Scene, scene } from "../scene.ts";

export type Params = Record<string, Json>;

/** A scene with one agent for each tool, `/agents/<tool>.agent`. */
export function library(tools: Record<string, (params: never) => unknown>): Promise<Scene> {
  const agents = Object.fromEntries(
    Object.keys(tools).map((name) => [`/agents/${name}.agent`, { system_event_endpoint: name }]),
  );
  return scene(tools, { agents });
}

export const echo = (params: Params): Params => params;
