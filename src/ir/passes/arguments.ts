import { freeNames, referenceNodes } from "../../expr/free-names.ts";
import type { FunctionTable } from "../../expr/functions/function.ts";
import { isObject } from "../../base/json.ts";
import { editFix } from "../../source/findings.ts";
import { nearest } from "../../source/nearest.ts";
import { below, keysOf, type Place, pointerOf, valueAt } from "../../source/place.ts";
import type { Block, Step } from "../program.ts";
import type { Signature } from "../signature.ts";
import { placeOf, type Template } from "../template.ts";
import type { Transform } from "../transform.ts";
import { LIST, describeType, type Type } from "../type.ts";
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
  if (step.fanOut !== undefined) fit.template(step.fanOut.over, LIST, `"iterate_over"`);
  const signature = step.call.signature;
  const given = givenEntries(step.arguments);
  if (signature?.input?.fields === undefined || given === undefined) return;
  const made = new Set([...outputNames(step.transformArguments), ...outputNames(signature.transformArguments)]);
  const input = signature.input;
  for (const [name, template] of given) {
    if (made.has(name)) continue;
    const field = input.fields?.get(name);
    const what = `The argument "${name}" of ${signature.title}`;
    if (field === undefined) reportUnexpected(name, step, given, signature, context);
    else if (template.kind !== "constant" || template.value !== null || field.required) fit.template(template, field.type, what);
  }
  const present = new Set([...given.keys(), ...made, ...(step.fanOut ? [step.fanOut.argument] : [])]);
  reportMissing(step, input, present, signature, context);
  checkFanOutItem(step, input, fit, context, block);
}

/** The arguments that are written down, by name; undefined where the whole object is a reference. */
function givenEntries(template: Template): Map<string, Template> | undefined {
  if (template.kind === "object") {
    return new Map(template.keys.map((key, i) => [key, template.values[i] as Template]));
  }
  if (template.kind !== "constant" || !isObject(template.value)) return undefined;
  const { place } = template;
  return new Map(
    Object.entries(template.value).map(([key, value]) => [key, { kind: "constant", value, place: below(place, key) }]),
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
    const of = signature.title.charAt(0).toUpperCase() + signature.title.slice(1);
    findings.report("missing-argument", at, { argument: name, type: describeType(field.type), of });
  }
}

function reportUnexpected(
  name: string,
  step: Step,
  given: ReadonlyMap<string, Template>,
  signature: Signature,
  { findings, functions }: PassContext,
): void {
  const transforms = [step.transformArguments, signature.transformArguments];
  if (transforms.some((transform) => transform !== undefined && reads(transform, name, functions))) return;
  const known = [...(signature.input?.fields?.keys() ?? [])];
  const near = nearest(name, known.filter((candidate) => !given.has(candidate)));
  const place = below(placeOf(step.arguments), name);
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined ? undefined : editFix(`rename "${name}" to "${near}"`, { op: "rename", pointer, key: near });
  const of = signature.title.charAt(0).toUpperCase() + signature.title.slice(1);
  const code = signature.input?.strict === true ? "forbidden-argument" : "unexpected-argument";
  findings.report(code, { place, on: "key" }, { name, near, known, of }, fix);
}

function reads(transform: Transform, name: string, functions: FunctionTable): boolean {
  return [...transform.variables, ...transform.outputs].some(({ value }) => {
    if (value.kind === "template") {
      const { template } = value;
      return template.kind === "reference" && template.reference.root.kind === "arguments" && template.reference.path[0] === name;
    }
    if (freeNames(value.expression, functions).some((free) => free.name === name)) return true;
    return referenceNodes(value.expression).some(({ reference }) => {
      return reference.root.kind === "arguments" && reference.path[0] === name;
    });
  });
}

/** What each child of a fan-out gets, and what the step's transforms make of its arguments. */
function checkFanOutItem(step: Step, input: Type, fit: FitCheck, { types }: PassContext, block: Block): void {
  const scope = types.scopeOf(block);
  if (step.fanOut !== undefined) {
    const expected = input.fields?.get(step.fanOut.argument);
    const { over } = step.fanOut;
    if (expected !== undefined) {
      const item = types.template(over, scope).of;
      const spot = over.kind === "reference" ? over.spot : { place: over.place };
      if (item !== undefined) fit.type(item, expected.type, spot, `Each item for the argument "${step.fanOut.argument}"`);
    }
  }
  const transform = step.transformArguments;
  if (transform === undefined) return;
  const inner = types.transformScope(transform, scope, { kind: "any", nullable: false });
  for (const output of transform.outputs) {
    const expected = input.fields?.get(output.name);
    if (expected === undefined) continue;
    const type = types.value(output.value, inner);
    fit.type(type, expected.type, { place: output.place }, `The argument "${output.name}"`);
  }
}
