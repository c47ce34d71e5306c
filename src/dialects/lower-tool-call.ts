import type { Call } from "../ir/program.ts";
import { editFix } from "../source/findings.ts";
import { nearest } from "../source/nearest.ts";
import { keysOf, type Place, pointerOf } from "../source/place.ts";
import type { Environment } from "./environment.ts";

/** A call of a tool by its name; reports a tool that isn't there. */
export function lowerToolCall(tool: string | undefined, place: Place, environment: Environment): Call {
  const name = tool ?? "";
  const signature = environment.tools?.find(name);
  if (environment.tools !== undefined && signature === undefined && tool !== undefined) {
    const known = environment.tools.names();
    const near = nearest(tool, known);
    const fix = near === undefined ? undefined : editFix(`call "${near}"`, { op: "replace", pointer: pointerOf(keysOf(place)), value: near });
    environment.findings.report("unknown-tool", place, { name: tool, near, known }, fix);
  }
  return { kind: "tool", tool: name, agent: name, signature };
}
