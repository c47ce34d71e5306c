import { hasOwn, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { type Path, printPath } from "../../expr/path.ts";
import type { Edit, Fix } from "../../source/diagnostic.ts";
import { editFix } from "../../source/findings.ts";
import { keysOf, pointerOf, valueAt } from "../../source/place.ts";
import type { Block, DialectName, Step } from "../program.ts";
import { placeOf, type Template } from "../template.ts";
import { canFit, type Type, typeOfValue } from "../type.ts";
import type { TypeFlow } from "../type-flow.ts";
import { usedSteps } from "../used-steps.ts";

/** An argument that is missing, or has a value which its type rules out. */
export interface WrongArgument {
  readonly name: string;
  readonly type: Type;
  readonly step: Step;
  readonly block: Block;
  readonly dialect: DialectName;
  /** What is given, where something is. */
  readonly template?: Template;
}

/** What could have been meant: a value that stands under another name, the same value otherwise written, or another step's. */
export function* argumentChoices(wrong: WrongArgument, types: TypeFlow): Generator<Fix> {
  const { name, step } = wrong;
  const place = placeOf(step.arguments);
  const given = valueAt(place);
  if (!isObject(given)) return;
  const pointer = pointerOf(keysOf(place));
  if (hasOwn(given, name)) yield* otherwiseWritten(wrong, given, pointer);
  else yield* otherwiseNamed(wrong, given, pointer);
  for (const reference of [...fittingParts(wrong, types), ...fittingReferences(wrong, types)]) {
    const edit: Edit = hasOwn(given, name)
      ? { op: "replace", pointer: below(pointer, name), value: reference }
      : { op: "add", pointer, key: name, value: reference };
    yield editFix(`make "${name}" ${reference}`, edit);
  }
}

function below(pointer: string, name: string): string {
  return pointer + pointerOf([name]);
}

/** Arguments that nobody asked for. */
function* otherwiseNamed({ name, step }: WrongArgument, given: JsonObject, pointer: string): Generator<Fix> {
  const fields = step.call.signature?.input?.fields;
  for (const other of Object.keys(given)) {
    if (fields?.has(other) === true) continue;
    yield editFix(`rename "${other}" to "${name}"`, {
      op: "rename",
      pointer: below(pointer, other),
      key: name,
    });
  }
}

function* otherwiseWritten(
  { name, type }: WrongArgument,
  given: JsonObject,
  pointer: string,
): Generator<Fix> {
  const value = given[name] as Json;
  const at = below(pointer, name);
  for (const other of Object.keys(given)) {
    if (other === name) continue;
    // Both orders have the same title, so that two arguments that are wrong together are one mistake.
    const [first, second] = [name, other].sort();
    yield editFix(
      `swap "${first}" and "${second}"`,
      { op: "replace", pointer: at, value: given[other] as Json },
      { op: "replace", pointer: below(pointer, other), value },
    );
  }
  for (const form of formsOf(value)) {
    if (canFit(typeOfValue(form), type))
      yield editFix(`write ${JSON.stringify(form)}`, { op: "replace", pointer: at, value: form });
  }
}

/** The same value, as another type has it: 7 and "7", x and [x]. */
function formsOf(value: Json): Json[] {
  if (typeof value === "number" || typeof value === "boolean") return [String(value), [value]];
  if (typeof value !== "string") return isObject(value) ? [[value]] : [];
  try {
    return [JSON.parse(value) as Json, [value]];
  } catch {
    return [[value]];
  }
}

/** What lies in the object that is referred to as a whole. */
function* fittingParts(
  { type, block, dialect, template }: WrongArgument,
  types: TypeFlow,
): Generator<string> {
  if (template?.kind !== "reference" || template.root.kind !== "result") return;
  const { root, path } = template;
  const step = block.steps[root.step];
  const { fields } = types.reference(template, types.scopeOf(block));
  for (const [key, field] of step === undefined ? [] : (fields ?? [])) {
    if (step !== undefined && canFit(field.type, type)) yield referenceText(dialect, step, [...path, key]);
  }
}

/** Only of earlier steps that nobody uses: with any other one there would be no reason to think that it was meant. */
function* fittingReferences(
  { type, step, block, dialect }: WrongArgument,
  types: TypeFlow,
): Generator<string> {
  const used = usedSteps(block);
  for (const other of block.steps) {
    if (other.index >= step.index || used.has(other.index)) continue;
    const result = types.result(block, other);
    if (result.kind !== "object" || result.fields === undefined) {
      if (dialect !== "agent" && result.kind !== "any" && canFit(result, type))
        yield referenceText(dialect, other, []);
      continue;
    }
    for (const [key, field] of result.fields) {
      if (canFit(field.type, type)) yield referenceText(dialect, other, [key]);
    }
  }
}

/** How each language writes a reference to a step's result. */
function referenceText(dialect: DialectName, step: Step, path: Path): string {
  switch (dialect) {
    case "actions":
      return `{{${step.id}.result${printPath(path)}}}`;
    case "steps":
      return `\${step[${step.index}].data${printPath(path)}}`;
    case "agent":
      return `REF:${step.id}${printPath(path)}`;
  }
}
