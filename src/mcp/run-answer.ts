/* What a model is told of a run: what it asked for, what is missing, and where the rest is. */
import { dependencies, type Engine, type Json, type JsonObject, type RunResult } from "../index.ts";
import { cutValue } from "./cut-value.ts";

export const CHARACTERS_MAX = 6_000;

/** `wanted`: ids of steps; without it the agent's response, or what the steps gave that no other step needs. */
export async function runAnswer(
  engine: Engine,
  run: RunResult,
  wanted: readonly string[],
  charactersMax = CHARACTERS_MAX,
): Promise<JsonObject> {
  const { id, status, error, questions } = run;
  const result = await resultOf(engine, run, wanted);
  const shown = result && cutValue(result.value, result.path, charactersMax);
  return {
    run_id: id,
    status,
    ...(shown !== undefined && { result: shown.value }),
    ...(shown !== undefined &&
      shown.cut.length > 0 && { cut: shown.cut.slice(0, 20).map((cut) => ({ ...cut })) }),
    ...(error !== undefined && { error: { ...error } }),
    ...(status !== "completed" && { steps: stepsOf(run) }),
    ...(questions !== undefined && { questions: questions.map(questionOf) }),
    ...nextOf(run, shown?.cut[0]?.path),
  };
}

async function resultOf(
  engine: Engine,
  run: RunResult,
  wanted: readonly string[],
): Promise<{ readonly value: Json; readonly path: string } | undefined> {
  if (wanted.length === 0 && run.response !== undefined) return { value: run.response, path: "response" };
  const ids = wanted.length > 0 ? wanted : await lastSteps(engine, run);
  const found = ids.flatMap((id) => {
    const step = Object.hasOwn(run.steps, id) ? run.steps[id] : undefined;
    return step?.status === "completed" ? [[id, { result: step.result }] as const] : [];
  });
  // One step's result needs no name around it.
  const [first] = found;
  if (first === undefined) return undefined;
  if (ids.length === 1) return { value: first[1].result, path: `steps.${first[0]}.result` };
  return { value: Object.fromEntries(found), path: "steps" };
}

/** The steps whose results no other step needs. */
async function lastSteps(engine: Engine, { id }: RunResult): Promise<string[]> {
  const program = await engine.program(id);
  if (program === undefined) return [];
  const needed = dependencies(program);
  const used = new Set(Object.values(needed).flat());
  return Object.keys(needed).filter((step) => !used.has(step));
}

function stepsOf({ steps }: RunResult): JsonObject {
  const shown = Object.values(steps).slice(0, 100);
  return Object.fromEntries(
    shown.map(({ id, status, error, reason }) => [
      id,
      error === undefined && reason === undefined
        ? status
        : `${status}: ${error?.message ?? reason}`.slice(0, 300),
    ]),
  );
}

function questionOf(question: NonNullable<RunResult["questions"]>[number]): JsonObject {
  const { name, kind, stepIds, schema, description } = question;
  return {
    name,
    kind,
    step_ids: stepIds,
    ...(schema !== undefined && { schema }),
    ...(description !== undefined && { description }),
  };
}

function nextOf(
  { id, status, questions = [] }: RunResult,
  cutPath: string | undefined,
): { readonly next?: string } {
  if (questions.length > 0) {
    const inputs = questions.filter(({ kind }) => kind === "input").map(({ name }) => `"${name}": …`);
    const steps = questions
      .filter(({ kind }) => kind === "confirmation")
      .map(({ name }) => `"${name}": true`);
    const parts = [
      ...(inputs.length > 0 ? [`"inputs": { ${inputs.join(", ")} }`] : []),
      ...(steps.length > 0 ? [`"confirm": { ${steps.join(", ")} }`] : []),
    ];
    return {
      next: `Ask the user, then call provide_inputs with { "run_id": "${id}", ${parts.join(", ")} }.`,
    };
  }
  if (status === "running" || status === "waiting")
    return { next: `The run goes on. get_run with { "run_id": "${id}", "wait_ms": 30000 } waits for it.` };
  if (cutPath !== undefined)
    return {
      next: `Parts are cut. get_run with { "run_id": "${id}", "path": "${cutPath}", "offset": 0 } gives more.`,
    };
  return {};
}
