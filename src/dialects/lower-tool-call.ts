import type { Call } from "../ir/program.ts";
import { editFix } from "../source/findings.ts";
import { keysOf, pointerOf } from "../source/place.ts";
import type { Environment } from "./environment.ts";
import type { Shape } from "./shape.ts";

/** A call of the tool that a field of `owner` names; reports a tool that isn't there. */
export function lowerToolCall(
  tool: string | undefined,
  owner: Shape,
  environment: Environment,
  field = "tool",
): Call & { readonly kind: "tool" } {
  const { tools } = environment;
  const call = tools.call(tool ?? "");
  if (tools.complete && call.signature === undefined && tool !== undefined) {
    reportUnknown(tool, owner, field, environment);
  }
  return call;
}

function reportUnknown(tool: string, owner: Shape, field: string, { tools, findings }: Environment): void {
  const place = owner.at(field);
  const said = findings.suggest(tool, tools.names());
  const { near } = said;
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined ? undefined : editFix(`call "${near}"`, { op: "replace", pointer, value: near });
  findings.report("unknown-tool", place, said, fix);
}
