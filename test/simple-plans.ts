/* Plans of one tool that takes a number `n` and gives the next: for tests and benchmarks of what a step costs. */
import type { JsonObject } from "../src/base/json.ts";
import { agent, call, field } from "./scene.ts";

/** Each step needs the one before. */
export function chainOf(length: number, tool: string): JsonObject[] {
  return Array.from({ length }, (_, i) => ({
    id: `s${i}`,
    tool,
    arguments: { n: i === 0 ? 0 : `{{s${i - 1}.result.n}}` },
  }));
}

/** One step, for each of the argument `items`. */
export function fanOutOf(tool: string): JsonObject {
  const each = { iterate_over: "REF:arguments.items", child_argument_name: "n" };
  return agent([call("x", tool, {}, { parallel_execution: each })], {
    arguments: [field("items", "list")],
    response_reference_map: { all: "REF:x.response" },
  });
}
