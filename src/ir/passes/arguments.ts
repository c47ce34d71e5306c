import { hasOwn, isObject, type Json } from "../../base/json.ts";
import { freeNames, referenceNodes } from "../../expr/free-names.ts";
import type { FunctionTable } from "../../expr/functions/function.ts";
import type { Reference } from "../../expr/reference.ts";
import { editFix } from "../../source/findings.ts";
import { below, keysOf, pointerOf, valueAt } from "../../source/place.ts";
import type { Block, FanOut, Step } from "../program.ts";
import type { Signature } from "../signature.ts";
import { forEachReference, placeOf, type Template } from "../template.ts";
import type { Transform } from "../transform.ts";
import { canFit, describeType, LIST, listOf, STRING, type Type } from "../type.ts";
import type { TypeFlow, TypeScope } from "../type-flow.ts";
import { argumentChoices } from "./argument-choices.ts";
import { FitCheck } from "./fit.ts";
import type { Pass, PassContext } from "./pass.ts";

/** Arguments that are missing, that nobody asked for, or that can never be of the declared type. */
export const checkArguments: Pass = (program, context) => {
  if (!context.survey.types && !context.survey.fanOuts) return;
  for (const block of program.blocks) {
    for (const step of block.steps) checkStep(block, step, context);
  }
};

function checkStep(block: Block, step: Step, context: PassContext): void {
  const { signature } = step.call;
  const scope = context.types.scopeOf(block);
  if (step.fanOut !== undefined) checkFanOut(step, step.fanOut, scope, context);
  if (signature?.input?.fields === undefined) return;
  const { arguments: given } = step;
  if (given.kind === "object") {
    for (let i = 0; i < given.keys.length; i++) {
      checkArgument(given.keys[i] as string, given.values[i] as Template, step, signature, scope, context);
    }
  } else if (given.kind === "constant" && isObject(given.value)) {
    const place = placeOf(given);
    for (const name of Object.keys(given.value)) {
      const argument: Template = {
        kind: "constant",
        value: given.value[name] as Json,
        up: place,
        key: name,
      };
      checkArgument(name, argument, step, signature, scope, context);
    }
  } else return;
  reportMissing(block, step, signature, context);
}

function checkArgument(
  name: string,
  argument: Template,
  step: Step,
  signature: Signature,
  scope: TypeScope,
  context: PassContext,
): void {
  if (isMade(name, step.transformArguments) || isMade(name, signature.transformArguments)) return;
  const field = signature.input?.fields?.get(name);
  if (field === undefined) {
    reportUnexpected(name, step, signature, context);
    return;
  }
  if (fitsPlainly(argument, field.type, context.types, scope)) return;
  if (argument.kind === "constant" && argument.value === null && !field.required) return;
  const what = `The argument "${name}" of ${signature.title}`;
  const wrong = {
    name,
    type: field.type,
    step,
    block: scope.block,
    dialect: context.dialect,
    template: argument,
  };
  const choices = () => argumentChoices(wrong, context.types);
  new FitCheck(context.types, scope, context.findings, choices).template(argument, field.type, what);
}

/** The cases that make up nearly all arguments, without a word made up for what is not reported. */
function fitsPlainly(argument: Template, type: Type, types: TypeFlow, scope: TypeScope): boolean {
  switch (argument.kind) {
    case "reference":
      return canFit(types.reference(argument, scope), type);
    case "text":
      return canFit(STRING, type);
    case "constant":
      return typeof argument.value === type.kind && type.kind !== "object" && type.allowed === undefined;
    default:
      return false;
  }
}

function isMade(name: string, transform: Transform | undefined): boolean {
  return transform?.outputs.some((output) => output.name === name) === true;
}

function isGiven(name: string, { arguments: given, fanOut }: Step): boolean {
  if (fanOut?.argument === name) return true;
  if (given.kind === "object") return given.keys.includes(name);
  return given.kind === "constant" && isObject(given.value) && hasOwn(given.value, name);
}

function reportMissing(block: Block, step: Step, signature: Signature, context: PassContext): void {
  const { findings, types, dialect } = context;
  for (const [name, field] of signature.input?.fields ?? []) {
    if (!field.required || isGiven(name, step)) continue;
    if (isMade(name, step.transformArguments) || isMade(name, signature.transformArguments)) continue;
    const declared = signature.arguments?.find((argument) => argument.name === name);
    if (declared?.defaultValue !== undefined) continue;
    const place = placeOf(step.arguments);
    const at = valueAt(place) === undefined ? step.place : place;
    const data = { argument: name, type: describeType(field.type), of: titleOf(signature) };
    const wrong = { name, type: field.type, step, block, dialect };
    findings.report("missing-argument", at, data, undefined, () => argumentChoices(wrong, types));
  }
}

function reportUnexpected(name: string, step: Step, signature: Signature, context: PassContext): void {
  if (isRead(name, step, signature, context)) return;
  const said = context.findings.suggest(name, freeNamesOf(step, signature));
  const { near } = said;
  // What is free is what may have been meant; what there is at all is what the author wants to see.
  const known = [...(signature.input?.fields?.keys() ?? [])].slice(0, 20);
  const place = below(placeOf(step.arguments), name);
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined
      ? undefined
      : editFix(`rename "${name}" to "${near}"`, { op: "rename", pointer, key: near });
  const code = signature.input?.strict === true ? "forbidden-argument" : "unexpected-argument";
  context.findings.report(code, { place, on: "key" }, { ...said, known, of: titleOf(signature) }, fix);
}

/** Declared arguments that are not given. */
function* freeNamesOf(step: Step, signature: Signature): Generator<string> {
  for (const name of signature.input?.fields?.keys() ?? []) if (!isGiven(name, step)) yield name;
}

function titleOf(signature: Signature): string {
  return signature.title.charAt(0).toUpperCase() + signature.title.slice(1);
}

function isRead(name: string, step: Step, signature: Signature, { functions }: PassContext): boolean {
  const transforms = [step.transformArguments, signature.transformArguments];
  return transforms.some((transform) => transform !== undefined && namesRead(transform, functions).has(name));
}

const readBy = new WeakMap<Transform, ReadonlySet<string>>();

/** The names of arguments that a transform looks at. */
function namesRead(transform: Transform, functions: FunctionTable): ReadonlySet<string> {
  const known = readBy.get(transform);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const visit = ({ root, path }: Reference): void => {
    if (root.kind === "arguments" && path.length > 0) names.add(String(path[0]));
  };
  for (const { value } of [...transform.variables, ...transform.outputs]) {
    if (value.kind === "template") {
      forEachReference(value.template, visit);
      continue;
    }
    for (const node of referenceNodes(value.expression)) visit(node.reference);
    for (const free of freeNames(value.expression, functions)) names.add(free.name);
  }
  readBy.set(transform, names);
  return names;
}

/** The collection of a fan-out is a list, and its items are what each child gets. */
function checkFanOut(step: Step, { over, argument }: FanOut, scope: TypeScope, context: PassContext): void {
  const { signature } = step.call;
  const fields = signature?.input?.fields;
  const fit = new FitCheck(context.types, scope, context.findings);
  const made = isMade(argument, step.transformArguments) || isMade(argument, signature?.transformArguments);
  const item = made ? undefined : fields?.get(argument)?.type;
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
