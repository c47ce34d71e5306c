/*
 * References at run time: a lookup of a slot and a walk along a path. Nothing that is found is ever looked at for references.
 */
import { cloneJson, type Json } from "../base/json.ts";
import { explainMissing, walk } from "../expr/path.ts";
import type { Reference } from "../expr/reference.ts";
import { fillTemplate } from "../ir/fill-template.ts";
import type { Block } from "../ir/program.ts";
import type { Template } from "../ir/template.ts";
import { type FileAccess, fileAttribute, readContents } from "./file-access.ts";
import type { Frame, RunState, StepState } from "./state.ts";
import { failure, StepFailure } from "./step-error.ts";

/** Where references are looked up. */
export interface Scope {
  readonly state: RunState;
  readonly frame: Frame;
  /** What `REF:arguments` means: the frame's own, or, in a definition's transforms, those of the call. */
  readonly arguments: Json;
  readonly response: Json | undefined;
  readonly previous: Json | undefined;
  /** The step whose own turn `until` looks at. */
  readonly self: { readonly step: number; readonly value: Json } | undefined;
  /** Contents of files; undefined where the program has no reference that means them. */
  readonly files: FileAccess | undefined;
}

export function scopeOf(
  state: RunState,
  frame: Frame,
  files: FileAccess | undefined,
  previous?: Json,
): Scope {
  return { state, frame, arguments: frame.arguments, response: undefined, previous, self: undefined, files };
}

/** What references of a frame's steps mean, where no files and no turns before are about: made once for each frame. */
export function frameScope(state: RunState, frame: Frame): Scope {
  frame.scope ??= scopeOf(state, frame, undefined);
  return frame.scope;
}

/** The value; fails where there is none. */
export function resolve(reference: Reference, scope: Scope): Json {
  const value = lookUp(reference, scope);
  if (value !== undefined) return value;
  throw new StepFailure(missing(reference, scope));
}

/** In conditions, a path that isn't there is null. */
export function resolveOrNull(reference: Reference, scope: Scope): Json {
  return lookUp(reference, scope) ?? null;
}

function lookUp(reference: Reference, scope: Scope): Json | undefined {
  const { files } = scope.state.program;
  if (files.size === 0) return lookUpValue(reference, scope);
  const meaning = files.get(reference);
  if (meaning === undefined) return lookUpValue(reference, scope);
  if (meaning === "contents") return readContents(lookUpValue(reference, scope), scope.files);
  const file = lookUpValue({ ...reference, path: reference.path.slice(0, -1) }, scope);
  return file === undefined ? undefined : fileAttribute(file, meaning);
}

function lookUpValue(reference: Reference, scope: Scope): Json | undefined {
  const { root } = reference;
  return root.kind === "result" ? lookUpResult(root.step, reference, scope) : lookUpOther(reference, scope);
}

function lookUpResult(step: number, reference: Reference, scope: Scope): Json | undefined {
  const { path } = reference;
  if (scope.self !== undefined && scope.self.step === step) return walk(scope.self.value, path);
  const target = scope.frame.steps[step] as StepState;
  if (target.status !== "completed") return null;
  const value = target.value as Json;
  const found = walk(value, path);
  if (found !== undefined || !isOptionalResponse(scope.frame.block, step, path[0])) return found;
  return belowOptional(value, path);
}

function lookUpOther(reference: Reference, scope: Scope): Json | undefined {
  const { root, path } = reference;
  switch (root.kind) {
    case "arguments":
      return lookUpArgument(reference, scope);
    case "outcome":
      return outcome(reference, scope.frame.steps[root.step] as StepState);
    case "response":
      return walk(scope.response ?? null, path);
    case "context":
      return lookUpContext(reference, scope);
    case "previous":
      return scope.previous === undefined || scope.previous === null ? null : walk(scope.previous, path);
    case "input":
      return scope.state.inputs.get(root.name) ?? null;
    default:
      return undefined;
  }
}

/** A declared optional argument that was not given is null, and so is everything below it. */
function lookUpArgument({ path }: Reference, scope: Scope): Json | undefined {
  const found = walk(scope.arguments, path);
  if (found !== undefined || path.length === 0) return found;
  return belowOptional(scope.arguments, path);
}

function belowOptional(value: Json, path: Reference["path"]): Json | undefined {
  const head = walk(value, path.slice(0, 1));
  return head === undefined || head === null ? null : undefined;
}

function lookUpContext({ path }: Reference, scope: Scope): Json | undefined {
  const value = scope.state.setup.context.get(String(path[0]));
  return value === undefined ? undefined : walk(value, path, 1);
}

/** Does the step's agent declare this response, and as one that may be missing? */
function isOptionalResponse(block: Block, step: number, key: string | number | undefined): boolean {
  const fields = block.steps[step]?.call.signature?.responses;
  const field = fields?.find((candidate) => candidate.name === key);
  return field !== undefined && (!field.required || field.requiredConditions !== undefined);
}

function outcome({ root, path }: Reference, target: StepState): Json | undefined {
  if (root.kind !== "outcome") return undefined;
  if (root.declared && target.status === "completed") {
    const whole = [root.field, ...path];
    const found = walk(target.value as Json, whole);
    // The response was checked: what is declared and not there is optional.
    return found === undefined ? belowOptional(target.value as Json, whole) : found;
  }
  const { error } = target;
  if (root.field === "status") return path.length === 0 ? target.status : undefined;
  const message = error?.message ?? target.reason;
  if (error === undefined && (target.status !== "blocked" || message === undefined)) return null;
  if (root.field === "error_message") return path.length === 0 ? (message ?? null) : undefined;
  const shown = {
    code: error?.code ?? "BLOCKED",
    name: error?.name ?? "BlockedError",
    message: message ?? "",
  };
  return walk(shown, path);
}

function missing(reference: Reference, scope: Scope): ReturnType<typeof failure> {
  const { root, path, text } = reference;
  let base: Json = null;
  if (root.kind === "result") {
    base =
      scope.self?.step === root.step
        ? scope.self.value
        : ((scope.frame.steps[root.step] as StepState).value ?? null);
  } else if (root.kind === "arguments") base = scope.arguments;
  else if (root.kind === "response") base = scope.response ?? null;
  else if (root.kind === "previous") base = scope.previous ?? null;
  else if (root.kind === "context") base = scope.state.setup.context.values();
  const why = explainMissing(base, path);
  if (scope.frame.block.rules.missing === "data") {
    return failure("RuntimeResolutionError", `Missing data: ${text}: ${why}`);
  }
  // The first key is what the reference names; what lies below it is data, which only the run can know.
  const isName = walk(base, path.slice(0, 1)) === undefined || why.includes("which has no");
  return failure(isName ? "InvalidReferenceError" : "RuntimeResolutionError", `${text}: ${why}`);
}

/** The value of a template; fails where a reference has none. */
export function resolveTemplate(template: Template, scope: Scope): Json {
  return fillTemplate(template, scope, resolve);
}

/** The same, sharing nothing with the results that it comes from. */
export function resolveOwn(template: Template, scope: Scope): Json {
  return fillTemplate(template, scope, resolveCopy);
}

function resolveCopy(reference: Reference, scope: Scope): Json {
  return cloneJson(resolve(reference, scope));
}

/** For conditions: nothing in it fails. */
export function resolveTemplateOrNull(template: Template, scope: Scope): Json {
  return fillTemplate(template, scope, resolveOrNull);
}
