/* Steps of step plans, which call the tools that every scene has. */
import type { Json, JsonObject } from "../../src/base/json.ts";

export function give(value: Json, more: JsonObject = {}): JsonObject {
  return { tool: "give", params: { value }, ...more };
}

export function wait(ms: number, more: JsonObject = {}): JsonObject {
  return { tool: "wait", params: { ms, value: ms }, ...more };
}
