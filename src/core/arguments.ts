import { cloneJson, getOwn, isObject, type Json, type JsonObject, setOwn } from "../base/json.ts";
import type { Reference } from "../expr/reference.ts";
import type { Step } from "../ir/program.ts";
import type { Field, Signature } from "../ir/signature.ts";
import { entryOf } from "../ir/template.ts";
import { holds } from "./condition.ts";
import { ITEM_PENDING, ITEMS_RECORDED_MAX } from "./fan-out-state.ts";
import { evaluationError, type FileAccess } from "./file-access.ts";
import { stepId } from "./ids.ts";
import { frameScope, resolveOwn, resolveTemplate, type Scope, scopeOf } from "./resolve.ts";
import type { Call, Frame, IsRequired, RunState, StepState } from "./state.ts";
import { schemaFailure } from "./step-error.ts";
import { applyTransform } from "./transform.ts";

/** The step is not to be called after all: a required argument would be a null that stands for a step that did not run. */
export class NotCalled extends Error {
  readonly status: "skipped" | "blocked";
  constructor(status: "skipped" | "blocked", reason: string) {
    super(reason);
    this.status = status;
  }
}

/** References → the instruction's transforms → defaults → the definition's transforms → validation. */
export function prepareArguments(state: RunState, call: Call, files: FileAccess | undefined): JsonObject {
  const { frame, step } = call;
  const isUsual = files === undefined && call.previous === undefined;
  const scope = isUsual ? frameScope(state, frame) : scopeOf(state, frame, files, call.previous);
  const { signature } = step.call;
  let args = writtenArguments(frame, step, call.item, scope, false);
  if (step.transformArguments !== undefined)
    args = applyTransform(step.transformArguments, args, scope) as JsonObject;
  if (signature === undefined || takesAnything(signature)) return args;
  if (frame.block.rules.nullSkips) refuseAbsent(frame, step, signature, args);
  return finishArguments(state, frame, signature, args, files);
}

/**
 * Nothing but references stands between the plan and the tool, and they do not change: what such a step is called with need
 * not be kept, since it can be worked out again.
 */
export function isPlain(state: RunState, { call, transformArguments, repeat }: Step): boolean {
  const { signature, kind } = call;
  return (
    state.isSteady &&
    kind === "tool" &&
    transformArguments === undefined &&
    repeat === undefined &&
    (signature === undefined || takesAnything(signature))
  );
}

/** What a plain step's tool is called with, as its own. */
export function plainArguments(state: RunState, frame: Frame, step: Step, item: number): JsonObject {
  return writtenArguments(frame, step, item, frameScope(state, frame), true);
}

/** What the tool of a call is given, as its own. */
export function ownArguments(state: RunState, { frame, step, item, arguments: kept }: Call): JsonObject {
  if (kept === undefined) return plainArguments(state, frame, step, item);
  // Whoever puts secrets in makes a copy, and knows their places by what stands there.
  return state.program.namesSecrets ? kept : (cloneJson(kept) as JsonObject);
}

/** What a step, or an item of a fan-out, was called with, for records; undefined where it was not called. */
export function argumentsOf(state: RunState, frame: Frame, index: number, item = -1): JsonObject | undefined {
  const step = frame.block.steps[index] as Step;
  const { arguments: kept, fanOut, attempts, startTick } = frame.steps[index] as StepState;
  const found = item < 0 ? kept : fanOut?.arguments.get(item);
  if (found !== undefined || attempts === 0 || startTick === 0 || !isPlain(state, step)) return found;
  const isCalled = item < 0 ? fanOut === undefined : fanOut?.states[item] !== ITEM_PENDING;
  if (!isCalled || item >= ITEMS_RECORDED_MAX) return undefined;
  try {
    return plainArguments(state, frame, step, item);
  } catch (error) {
    // It was not called, because of just this; anything else is a mistake of ours, and thrown.
    evaluationError(error);
    return undefined;
  }
}

/** Nothing is to be filled in, transformed or checked. */
function takesAnything({ arguments: fields, inputSchema, transformArguments }: Signature): boolean {
  return fields === undefined && inputSchema === undefined && transformArguments === undefined;
}

function givesAnything({ responses, outputSchema, transformResults }: Signature): boolean {
  return responses === undefined && outputSchema === undefined && transformResults === undefined;
}

/** What the tool, or the composite, answers is the result. */
export function answersAsItIs({ transformResults, call: { signature } }: Step): boolean {
  return transformResults === undefined && (signature === undefined || givesAnything(signature));
}

/** What the plan says, with the item of a fan-out. What is not to be the tool's own shares what it refers to. */
function writtenArguments(frame: Frame, step: Step, item: number, scope: Scope, isOwn: boolean): JsonObject {
  const written = isOwn ? resolveOwn(step.arguments, scope) : resolveTemplate(step.arguments, scope);
  const args: JsonObject = isObject(written) ? written : {};
  if (step.fanOut === undefined) return args;
  const { argument } = step.fanOut;
  const given = (frame.steps[step.index] as StepState).fanOut?.items[item] ?? null;
  const withItem: Record<string, Json> = isOwn ? (args as Record<string, Json>) : { ...args };
  const value = isOwn ? cloneJson(given) : given;
  // Assigned here rather than by `setOwn`, which sees the keys of all objects there are, and so is slow.
  if (argument === "__proto__") setOwn(withItem, argument, value);
  else withItem[argument] = value;
  return withItem;
}

/** What an agent does with its arguments, whoever calls it. */
export function finishArguments(
  state: RunState,
  frame: Frame,
  signature: Signature,
  given: JsonObject,
  files: FileAccess | undefined,
): JsonObject {
  let args = withDefaults(signature.arguments, given);
  if (signature.transformArguments !== undefined) {
    const scope = { ...scopeOf(state, frame, files), arguments: args };
    args = applyTransform(signature.transformArguments, args, scope) as JsonObject;
  }
  const problems = state.setup.validator.arguments(signature, args, requiredNow(state, frame));
  if (problems.length > 0) throw schemaFailure(`Arguments of ${signature.title}`, problems);
  return args;
}

/** A response with what is declared for what it lacks, validated. */
export function checkedResponse(
  state: RunState,
  frame: Frame,
  signature: Signature,
  given: Json,
  what: string,
): Json {
  const value = isObject(given) ? withDefaults(signature.responses, given) : given;
  const problems = state.setup.validator.response(signature, value, requiredNow(state, frame));
  if (problems.length > 0) throw schemaFailure(what, problems);
  return value;
}

function withDefaults(fields: readonly Field[] | undefined, given: JsonObject): JsonObject {
  let args: Record<string, Json> | undefined;
  for (const field of fields ?? []) {
    if (field.defaultValue === undefined || getOwn(given, field.name) !== undefined) continue;
    args ??= { ...given };
    setOwn(args, field.name, field.defaultValue);
  }
  return args ?? given;
}

/** Evaluates the `required_conditions` of a field against the values that are being validated. */
function requiredNow(state: RunState, frame: Frame): IsRequired {
  return (fields, index, value) => {
    const condition = fields[index]?.requiredConditions;
    if (condition === undefined) return true;
    return holds(condition, { ...scopeOf(state, frame, undefined), arguments: value });
  };
}

/** A null that comes from a step which did not run, as the whole of a required argument, means: do not call. */
function refuseAbsent(frame: Frame, step: Step, signature: Signature, args: JsonObject): void {
  for (const field of signature.arguments ?? []) {
    if (
      !field.required ||
      field.requiredConditions !== undefined ||
      (getOwn(args, field.name) ?? null) !== null
    )
      continue;
    const reference = sourceOf(step, field.name);
    if (reference !== undefined) refuseReference(frame, reference, `the required argument "${field.name}"`);
  }
}

/** The reference that an argument is, as a whole. */
function sourceOf(step: Step, name: string): Reference | undefined {
  const output = step.transformArguments?.outputs.find((candidate) => candidate.name === name)?.value;
  if (output === undefined) {
    const entry = entryOf(step.arguments, name);
    return entry?.kind === "reference" ? entry : undefined;
  }
  if (output.kind === "template") return output.template.kind === "reference" ? output.template : undefined;
  const { expression } = output;
  if (expression.kind === "reference") return expression.reference;
  if (expression.kind !== "name" || expression.path.length > 0) return undefined;
  const variable = step.transformArguments?.variables.find(
    (candidate) => candidate.name === expression.name,
  )?.value;
  if (variable?.kind === "template" && variable.template.kind === "reference") return variable.template;
  return undefined;
}

/** Refuses to go on where the reference is to a step that did not run. */
export function refuseReference(frame: Frame, reference: Reference, what: string): void {
  const { root } = reference;
  if (root.kind !== "result") return;
  const source = frame.steps[root.step] as StepState;
  if (source.status === "completed") return;
  const id = stepId(frame, root.step);
  const why =
    source.status === "skipped"
      ? "was skipped"
      : source.status === "failed"
        ? "failed"
        : `is ${source.status}`;
  const optional = frame.block.steps[root.step]?.policy.optional === true;
  const skips = source.status === "skipped" || (source.status === "failed" && optional);
  throw new NotCalled(skips ? "skipped" : "blocked", `${what} comes from "${id}", which ${why}`);
}
