import type { JsonObject } from "../../src/base/json.ts";

/** A step of an action plan that gives what it got. */
export function echo(id: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return { id, tool: "echo", arguments: args, ...more };
}
