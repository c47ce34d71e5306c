import { isObject } from "../../base/json.ts";
import { freeNames, referenceNodes } from "../../expr/free-names.ts";
import type { FunctionTable } from "../../expr/functions/function.ts";
import type { Reference } from "../../expr/reference.ts";
import { editFix } from "../../source/findings.ts";
import { below, keysOf, type Place, pointerOf, valueAt } from "../../source/place.ts";
import type { Block, FanOut, Step } from "../program.ts";
import type { Signature } from "../signature.ts";
import { forEachReference, placeOf, type Template } from "../template.ts";
import type { Transform } from "../transform.ts";
import { describeType, LIST, listOf, type Type } from "../type.ts";
import { FitCheck } from "./fit.ts";
import type { Pass, PassContext } from "./pass.ts";

/** Arguments that are missing, that nobody asked for, or that can never be of the declared type. */
export const checkArguments: Pass = (program, context) => {
  for (const block of program.blocks) {
    for (const step of block.steps) checkStep(block, step, context);
  }
};

function checkStep(block: Block, step: Step, context: PassContext): void {
  const { findings, types } = context;
  const scope = types.scopeOf(block);
  const fit = new FitCheck(types, scope, findings);
  const signature = step.call.signature;
  if (step.fanOut !== undefined) checkFanOut(step, step.fanOut, fit, context);
  const given = givenEntries(step.arguments);
  if (signature?.input?.fields === undefined || given === undefined) return;
  const made = new Set([
    ...outputNames(step.transformArguments),
    ...outputNames(signature.transformArguments),
  ]);
  const input = signature.input;
  for (const [name, template] of given) {
    if (made.has(name)) continue;
    const field = input.fields?.get(name);
    const what = `The argument "${name}" of ${signature.title}`;
    if (field === undefined) reportUnexpected(name, step, given, signature, input, context);
    else if (template.kind !== "constant" || template.value !== null || field.required)
      fit.template(template, field.type, what);
  }
  const present = new Set([...given.keys(), ...made, ...(step.fanOut ? [step.fanOut.argument] : [])]);
  reportMissing(step, input, present, signature, context);
}

/** The arguments that are written down, by name; undefined where the whole object is a reference. */
function givenEntries(template: Template): Map<string, Template> | undefined {
  if (template.kind === "object") {
    return new Map(template.keys.map((key, i) => [key, template.values[i] as Template]));
  }
  if (template.kind !== "constant" || !isObject(template.value)) return undefined;
  const { place } = template;
  return new Map(
    Object.entries(template.value).map(([key, value]) => [
      key,
      { kind: "constant", value, place: below(place, key) },
    ]),
  );
}

function outputNames(transform: Transform | undefined): string[] {
  return transform === undefined ? [] : transform.outputs.map((output) => output.name);
}

function reportMissing(
  step: Step,
  input: Type,
  present: ReadonlySet<string>,
  signature: Signature,
  { findings }: PassContext,
): void {
  const declared = new Map(signature.arguments?.map((field) => [field.name, field]));
  const place = placeOf(step.arguments);
  const at: Place = valueAt(place) === undefined ? step.place : place;
  for (const [name, field] of input.fields ?? []) {
    const hasDefault = declared.get(name)?.defaultValue !== undefined;
    if (!field.required || hasDefault || present.has(name)) continue;
    const data = { argument: name, type: describeType(field.type), of: titleOf(signature) };
    findings.report("missing-argument", at, data);
  }
}

function reportUnexpected(
  name: string,
  step: Step,
  given: ReadonlyMap<string, Template>,
  signature: Signature,
  input: Type,
  context: PassContext,
): void {
  if (isRead(name, step, signature, context)) return;
  const free = [...(input.fields?.keys() ?? [])].filter((candidate) => !given.has(candidate));
  const said = context.findings.suggest(name, free);
  const { near } = said;
  const place = below(placeOf(step.arguments), name);
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined
      ? undefined
      : editFix(`rename "${name}" to "${near}"`, { op: "rename", pointer, key: near });
  const code = input.strict === true ? "forbidden-argument" : "unexpected-argument";
  context.findings.report(code, { place, on: "key" }, { ...said, of: titleOf(signature) }, fix);
}

function titleOf(signature: Signature): string {
  return signature.title.charAt(0).toUpperCase() + signature.title.slice(1);
}

function isRead(name: string, step: Step, signature: Signature, { functions }: PassContext): boolean {
  const transforms = [step.transformArguments, signature.transformArguments];
  return transforms.some((transform) => transform !== undefined && reads(transform, name, functions));
}

function reads(transform: Transform, name: string, functions: FunctionTable): boolean {
  return [...transform.variables, ...transform.outputs].some(({ value }) => {
    let found = false;
    const visit = (reference: Reference): void => {
      if (reference.root.kind === "arguments" && reference.path[0] === name) found = true;
    };
    if (value.kind === "template") {
      forEachReference(value.template, visit);
      return found;
    }
    for (const node of referenceNodes(value.expression)) visit(node.reference);
    return found || freeNames(value.expression, functions).some((free) => free.name === name);
  });
}

/** The collection of a fan-out is a list, and its items are what each child gets. */
function checkFanOut(step: Step, { over, argument }: FanOut, fit: FitCheck, context: PassContext): void {
  const { signature } = step.call;
  const fields = signature?.input?.fields;
  const isMade = [step, signature].some((owner) => outputNames(owner?.transformArguments).includes(argument));
  const item = isMade ? undefined : fields?.get(argument)?.type;
  if (over.kind === "reference" && item === undefined) fit.template(over, LIST, `"iterate_over"`);
  else if (item !== undefined) fit.template(over, listOf(item), `The argument "${argument}"`);
  if (signature === undefined || fields === undefined || fields.has(argument) || argument === "") return;
  if (isRead(argument, step, signature, context)) return;
  const place = below(below(step.place, "parallel_execution"), "child_argument_name");
  const said = context.findings.suggest(argument, fields.keys());
  const { near } = said;
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined ? undefined : editFix(`use "${near}"`, { op: "replace", pointer, value: near });
  const code = signature.input?.strict === true ? "forbidden-argument" : "unexpected-argument";
  context.findings.report(code, place, { ...said, of: titleOf(signature) }, fix);
}
