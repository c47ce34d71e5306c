import type { Call } from "../ir/program.ts";
import { editFix } from "../source/findings.ts";
import { keysOf, type Place, pointerOf } from "../source/place.ts";
import type { Environment } from "./environment.ts";

/** A call of a tool by its name; reports a tool that isn't there. */
export function lowerToolCall(tool: string | undefined, place: Place, environment: Environment): Call {
  const name = tool ?? "";
  const signature = environment.tools.find(name);
  if (environment.tools.complete && signature === undefined && tool !== undefined) {
    const said = environment.findings.suggest(tool, environment.tools.names());
    const { near } = said;
    const pointer = pointerOf(keysOf(place));
    const fix =
      near === undefined ? undefined : editFix(`call "${near}"`, { op: "replace", pointer, value: near });
    environment.findings.report("unknown-tool", place, said, fix);
  }
  return { kind: "tool", tool: name, agent: name, signature };
}
