import {
  type Engine,
  type Json,
  type JsonObject,
  type Run,
  SequiturError,
  type StartOptions,
} from "../index.ts";
import { type Access, filePrefixes, mayRunPlan } from "./access.ts";
import type { Admission } from "./admission.ts";
import type { Limits } from "./limits.ts";
import { type PlanArguments, type SentPlan, sentPlan } from "./plan-node.ts";
import { refusal } from "./refusal.ts";
import type { RequestContext } from "./resolves.ts";
import { executionNode, existingRun, type RunsView } from "./run-node.ts";
import type * as schema from "./schema-types.ts";

export interface MutationOptions {
  readonly engine: Engine;
  readonly limits: Limits;
  readonly view: RunsView;
  readonly admission: Admission;
  /** The engine has a file store. */
  readonly hasFiles: boolean;
  /** What every plan is started with. */
  readonly surroundings: StartOptions;
  /** Fires when the server stops waiting for runs. */
  readonly stopping: AbortSignal;
}

export function mutations(options: MutationOptions): schema.Mutation {
  const { engine, view } = options;
  const shown = (id: string): Promise<schema.Run> => existingRun(view, id);
  return {
    startRun: async (given, context) => {
      const run = await startRun(options, given, givenOptions(given), context);
      return shown(run.id);
    },
    executePlan: ({ plan, idempotencyKey }, context) => executePlan(options, plan, idempotencyKey, context),
    provideInputs: async ({ id, inputs }) => {
      await taken(await openRun(engine, id), (run) => run.provideInputs(objectOf(inputs, "inputs")));
      return shown(id);
    },
    confirmStep: async ({ id, stepId, yes }) => {
      await taken(await openRun(engine, id), (run) => run.confirm(stepId, yes));
      return shown(id);
    },
    cancelRun: async ({ id, reason }) => {
      refuseEnded(engine, id);
      await engine.cancel(id, reason ?? "");
      return shown(id);
    },
    resumeRun: async ({ id }, { access }) => {
      const fileToken = await fileTokenFor(options, access);
      await engine.resume(id, fileToken === undefined ? {} : { fileToken });
      return shown(id);
    },
  };
}

/** Waits until what was told to the run is recorded, and the run has gone on from there. */
async function taken(run: Run, tell: (run: Run) => Promise<void>): Promise<void> {
  let stop: () => void = () => {};
  const turned = new Promise<void>((resolve) => {
    stop = run.onTurn(resolve);
  });
  try {
    await tell(run);
    await turned;
  } finally {
    stop();
  }
}

/** A run that has ended must not be taken up again just because somebody answers it. */
function refuseEnded(engine: Engine, id: string): void {
  const summary = engine.find(id);
  if (summary === undefined) throw new SequiturError("UNKNOWN_RUN", `There is no run "${id}".`);
  if (summary.status !== "running" && summary.status !== "waiting") {
    throw new SequiturError("RUN_ENDED", `The run has ended (${summary.status}).`);
  }
}

async function openRun(engine: Engine, id: string): Promise<Run> {
  refuseEnded(engine, id);
  return engine.resume(id);
}

async function startRun(
  options: MutationOptions,
  plan: PlanArguments,
  given: StartOptions,
  { access, signal }: RequestContext,
): Promise<Run> {
  const { engine, admission } = options;
  const sent = sentPlan(engine, plan);
  refusePlan(access, sent);
  const fileToken = await fileTokenFor(options, access);
  const start: StartOptions = {
    ...options.surroundings,
    ...sent.options,
    ...given,
    // Two callers may choose the same key by chance, and must not get each other's runs.
    ...(given.idempotencyKey !== undefined && {
      idempotencyKey: `${access.subject}\u0000${given.idempotencyKey}`,
    }),
    metadata: { startedBy: access.subject, files: filePrefixes(access) },
    ...(fileToken !== undefined && { fileToken }),
  };
  return admission.start(access.subject, signal, () => engine.start(sent.source, start));
}

function refusePlan(access: Access, { agent }: SentPlan): void {
  if (mayRunPlan(access, agent)) return;
  const needed =
    agent === undefined ? "plans:run:*, since the plan is the caller's own" : `plans:run:${agent}`;
  throw refusal(403, "FORBIDDEN", `This needs the scope ${needed}.`);
}

async function fileTokenFor(
  { engine, hasFiles }: MutationOptions,
  access: Access,
): Promise<string | undefined> {
  const prefixes = filePrefixes(access);
  if (!hasFiles || prefixes.length === 0) return undefined;
  return engine.issueFileToken({ read: prefixes, write: prefixes });
}

interface GivenArguments {
  readonly arguments?: Json | null;
  readonly inputs?: Json | null;
  readonly context?: Json | null;
  readonly mode: schema.Mode | null;
  readonly deadlineMs?: number | null;
  readonly idempotencyKey?: string | null;
}

function givenOptions({
  arguments: args,
  inputs,
  context,
  mode,
  deadlineMs,
  idempotencyKey,
}: GivenArguments): StartOptions {
  return {
    ...(args !== null && args !== undefined && { arguments: args }),
    ...(inputs !== null && inputs !== undefined && { inputs: objectOf(inputs, "inputs") }),
    ...(context !== null && context !== undefined && { context: objectOf(context, "context") }),
    ...(mode !== null && { mode }),
    ...(typeof deadlineMs === "number" && { deadlineMs }),
    ...(typeof idempotencyKey === "string" && { idempotencyKey }),
  };
}

function objectOf(value: Json, name: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw refusal(400, "NOT_AN_OBJECT", `"${name}" must be an object of names and values.`);
}

async function executePlan(
  options: MutationOptions,
  plan: schema.PlanInput,
  idempotencyKey: string | null | undefined,
  context: RequestContext,
): Promise<schema.ExecutionResults> {
  const given = typeof idempotencyKey === "string" ? { idempotencyKey } : {};
  const run = await startRun(options, { source: writtenPlan(plan), dialect: "steps" }, given, context);
  const result = await within(run.endedOrAsked(), options.limits.executeMs, [
    context.signal,
    options.stopping,
  ]);
  if (result === undefined) {
    throw notFinished(
      run.id,
      "RUN_NOT_FINISHED",
      "The run has not ended yet, and goes on. Ask for it with run(id).",
    );
  }
  if (result.execution === undefined || !run.isOver) {
    throw notFinished(
      run.id,
      "RUN_WAITING",
      "The run waits for a person. Answer with confirmStep, or in the web application.",
    );
  }
  return executionNode(result.execution);
}

function notFinished(runId: string, code: string, message: string): Error {
  const error = refusal(200, code, message);
  Object.assign(error.extensions, { runId });
  return error;
}

/** What the client left out is left out of the plan, too. */
function writtenPlan({ requestId, steps }: schema.PlanInput): Json {
  const written = steps.map((step) =>
    Object.fromEntries(Object.entries(step).filter(([, value]) => value !== null)),
  );
  return { steps: written as Json, ...(typeof requestId === "string" && { requestId }) };
}

/** Undefined where the time is over, or nobody waits any more. */
async function within<T>(
  work: Promise<T>,
  ms: number,
  signals: readonly AbortSignal[],
): Promise<T | undefined> {
  const signal = AbortSignal.any([...signals, AbortSignal.timeout(ms)]);
  let stop: () => void = () => {};
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
