/* From what a caller hands to `start` to a run that can begin: everything that can be refused is refused here, at once. */
import { SequiturError } from "../base/error.ts";
import { isObject, type Json, type JsonObject } from "../base/json.ts";
import { finishArguments } from "../core/arguments.ts";
import { FileAccess } from "../core/file-access.ts";
import { Frame, newRun, type RunSetup } from "../core/state.ts";
import { StepFailure } from "../core/step-error.ts";
import type { Program } from "../ir/program.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { nearest } from "../source/nearest.ts";
import { PlanError } from "./plan-error.ts";
import { isBlank } from "./run.ts";
import type { SchemaValidator } from "./validator.ts";

/** The arguments of the plan itself: defaults, its own transforms, validation. */
export function prepareArguments(setup: RunSetup, given: Json | undefined, now: number): JsonObject {
  const value = given ?? {};
  if (!isObject(value)) throw new PlanError([problem("The arguments must be an object", [])]);
  const { signature } = setup.program.blocks[0];
  if (signature === undefined) return value;
  const state = newRun(setup);
  state.now = now;
  const frame = new Frame({ ...setup.program.blocks[0], steps: [] }, value, undefined, "", 0);
  try {
    return finishArguments(state, frame, { ...signature, title: "the plan" }, value, new FileAccess());
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    const known = (signature.arguments ?? []).map((field) => `"${field.name}"`);
    throw new PlanError([problem(error.message, known.length > 0 ? [`Declared: ${known.join(", ")}.`] : [])]);
  }
}

/** Answers that come with the start. What is blank stays open; an unknown name is an error. */
export async function prepareInputs(
  program: Program,
  given: JsonObject,
  validator: SchemaValidator,
): Promise<JsonObject> {
  const inputs: Record<string, Json> = {};
  const problems: Diagnostic[] = [];
  const names = program.questions.map((question) => question.name);
  for (const [name, value] of Object.entries(given)) {
    const question = program.questions.find((candidate) => candidate.name === name);
    if (question === undefined) {
      const near = nearest(name, names);
      const hint =
        near === undefined
          ? `The plan asks for ${names.join(", ") || "nothing"}.`
          : `Did you mean "${near}"?`;
      problems.push(problem(`The plan does not ask for an input "${name}"`, [hint]));
    } else if (!isBlank(value)) {
      const wrong = isObject(question.schema) ? await validator.value(question.schema, value) : undefined;
      if (wrong !== undefined) problems.push(problem(`The input "${name}": ${wrong}`, []));
      inputs[name] = value;
    }
  }
  if (problems.length > 0) throw new PlanError(problems);
  return inputs;
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
