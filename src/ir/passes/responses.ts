import { isObject } from "../../base/json.ts";
import { editFix } from "../../source/findings.ts";
import { keysOf, pointerOf } from "../../source/place.ts";
import type { Block } from "../program.ts";
import { placeOf, type Template } from "../template.ts";
import { describeType } from "../type.ts";
import { FitCheck } from "./fit.ts";
import type { Pass, PassContext } from "./pass.ts";

/** Response maps that miss what the agent declares, or can never be of its type. */
export const checkResponses: Pass = (program, context) => {
  for (const block of program.blocks) {
    if (block.signature?.output?.fields !== undefined) checkBlock(block, context);
  }
};

function checkBlock(block: Block, { findings, types }: PassContext): void {
  const fields = block.signature?.output?.fields ?? new Map();
  const made = new Set(block.signature?.transformResults?.outputs.map((output) => output.name));
  const entries = entriesOf(block.response);
  if (entries === undefined) return;
  const fit = new FitCheck(types, types.scopeOf(block), findings);
  for (const [name, template] of entries) {
    const field = fields.get(name);
    const what = `The response "${name}"`;
    if (field === undefined) reportUndeclared(name, template, [...fields.keys()], entries, made, findings);
    else if (!made.has(name) && (template.kind !== "constant" || template.value !== null || field.required)) {
      fit.template(template, field.type, what);
    }
  }
  const at = block.response === undefined ? block.place : placeOf(block.response);
  for (const [name, field] of fields) {
    if (!field.required || entries.has(name) || made.has(name)) continue;
    findings.report("missing-response", at, { response: name, type: describeType(field.type) });
  }
}

function reportUndeclared(
  name: string,
  template: Template,
  known: readonly string[],
  entries: ReadonlyMap<string, Template>,
  made: ReadonlySet<string>,
  findings: PassContext["findings"],
): void {
  const free = known.filter((candidate) => !entries.has(candidate) && !made.has(candidate));
  const said = findings.suggest(name, free);
  const { near } = said;
  const place = placeOf(template);
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined
      ? undefined
      : editFix(`rename "${name}" to "${near}"`, { op: "rename", pointer, key: near });
  findings.report("undeclared-response", { place, on: "key" }, { ...said, known }, fix);
}

/** Undefined where the map is no object of entries, as in the plan that a primitive agent becomes. */
function entriesOf(map: Template | undefined): Map<string, Template> | undefined {
  if (map === undefined) return new Map();
  if (map.kind === "object") return new Map(map.keys.map((key, i) => [key, map.values[i] as Template]));
  if (map.kind !== "constant" || !isObject(map.value)) return undefined;
  const up = placeOf(map);
  return new Map(
    Object.entries(map.value).map(([key, value]) => [key, { kind: "constant", value, up, key }]),
  );
}
