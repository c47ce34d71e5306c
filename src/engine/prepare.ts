/* From what a caller hands to `start` to a run that can begin: everything that can be refused is refused here, at once. */
import { SequiturError } from "../base/error.ts";
import { cloneJson, isObject, type Json, type JsonObject, setOwn } from "../base/json.ts";
import { finishArguments } from "../core/arguments.ts";
import { FileAccess } from "../core/file-access.ts";
import { Frame, type RunState } from "../core/state.ts";
import { StepFailure } from "../core/step-error.ts";
import type { RunFiles } from "../files/granted-files.ts";
import type { Program } from "../ir/program.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { nearest } from "../source/nearest.ts";
import { checkParsed } from "../source/parsed-value.ts";
import { normaliseResult } from "../tools/normalise.ts";
import { readFiles } from "./file-reader.ts";
import { PlanError } from "./plan-error.ts";
import { isBlank } from "./run.ts";
import type { SchemaValidator } from "./validator.ts";

export interface Given {
  readonly arguments: JsonObject;
  readonly inputs: JsonObject;
}

export const NOTHING_GIVEN: Given = { arguments: {}, inputs: {} };

/** Nothing is given, and nothing is declared that could be missing. */
export function isGivenNothing(
  { blocks }: Program,
  { arguments: args, inputs }: { readonly arguments?: Json; readonly inputs?: JsonObject },
): boolean {
  return args === undefined && inputs === undefined && blocks[0].signature === undefined;
}

/** Everything that is wrong with either, in one PlanError. `files` are for transforms of the plan that read them. */
export async function prepareGiven(
  state: RunState,
  given: { readonly arguments?: Json; readonly inputs?: JsonObject },
  now: number,
  validator: SchemaValidator,
  files: RunFiles,
): Promise<Given> {
  const problems: Diagnostic[] = [];
  const args = await prepareArguments(state, given.arguments, now, problems, files);
  const inputs = await prepareInputs(state.program, given.inputs, validator, problems);
  if (problems.length > 0) throw new PlanError(problems);
  return { arguments: args, inputs };
}

/** The arguments of the plan itself: defaults, its own transforms, validation. */
async function prepareArguments(
  state: RunState,
  given: Json | undefined,
  now: number,
  problems: Diagnostic[],
  files: RunFiles,
): Promise<JsonObject> {
  const value = ownObject(given, "arguments", problems);
  const [block] = state.program.blocks;
  if (value === undefined || block.signature === undefined) return value ?? {};
  state.now = now;
  const frame = new Frame({ ...block, steps: [] }, value, undefined, "", 0);
  const { signature } = block;
  const finished = await withContents(files, (access) =>
    finishArguments(state, frame, signature, value, access),
  );
  if (!(finished instanceof StepFailure)) return finished;
  const known = (signature.arguments ?? []).map((field) => `"${field.name}"`);
  const hints = known.length > 0 ? [`Declared: ${known.join(", ")}.`] : [];
  for (const message of finished.problems) problems.push(problem(`Arguments of the plan: ${message}`, hints));
  return {};
}

/** Works something out, with the contents of the files that it turns out to need. */
async function withContents<T>(
  files: RunFiles,
  evaluate: (access: FileAccess) => T,
): Promise<T | StepFailure> {
  const access = new FileAccess();
  for (;;) {
    const value = attempt(() => evaluate(access));
    if (access.wanted.size === 0) return value;
    const paths = [...access.wanted];
    access.wanted.clear();
    for (const [i, read] of (await readFiles(files, paths)).entries()) {
      if ("error" in read) return new StepFailure(read.error);
      access.contents.set(paths[i] as string, read.text);
    }
  }
}

function attempt<T>(evaluate: () => T): T | StepFailure {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof StepFailure) return error;
    throw error;
  }
}

/** The plan, as it was when the run was started. What is no JSON is left for the compiler to say so. */
export function ownPlan(source: string | Json): string | Json {
  return typeof source === "string" || checkParsed(source).length > 0 ? source : cloneJson(source);
}

/** A copy: what the caller does with its object afterwards is not seen by the run. */
function ownObject(given: unknown, what: string, problems: Diagnostic[]): JsonObject | undefined {
  try {
    const value = normaliseResult(given ?? {});
    if (isObject(value)) return value;
    problems.push(problem(`The ${what} must be an object`, []));
  } catch {
    problems.push(problem(`The ${what} hold something that has no JSON form`, []));
  }
  return undefined;
}

/** Answers that come with the start. What is blank stays open; an unknown name is an error. */
async function prepareInputs(
  program: Program,
  given: JsonObject | undefined,
  validator: SchemaValidator,
  problems: Diagnostic[],
): Promise<JsonObject> {
  const inputs: Record<string, Json> = {};
  for (const [name, value] of Object.entries(ownObject(given, "inputs", problems) ?? {})) {
    const question = program.questions.find((candidate) => candidate.name === name);
    if (question === undefined) problems.push(unknownInput(program, name));
    else if (!isBlank(value)) {
      const wrong = isObject(question.schema) ? await validator.value(question.schema, value) : undefined;
      if (wrong !== undefined) problems.push(problem(`The input "${name}": ${wrong}`, []));
      setOwn(inputs, name, value);
    }
  }
  return inputs;
}

function unknownInput(program: Program, name: string): Diagnostic {
  const names = program.questions.map((question) => question.name);
  const near = nearest(name, names);
  const asked = `The plan asks for ${names.join(", ") || "nothing"}.`;
  return problem(`The plan does not ask for an input "${name}"`, [
    near === undefined ? asked : `Did you mean "${near}"?`,
  ]);
}

function problem(message: string, hints: readonly string[]): Diagnostic {
  const text = message.endsWith(".") ? message : `${message}.`;
  return {
    code: "given-argument",
    name: "SchemaValidationError",
    severity: "error",
    message: text,
    pointer: "",
    hints,
  };
}

export function refuseMode(mode: string): asserts mode is "stop" | "continue" {
  if (mode === "stop" || mode === "continue") return;
  throw new SequiturError("INVALID_MODE", `The mode is "stop" or "continue", not "${mode}".`);
}
