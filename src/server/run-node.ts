import {
  draw,
  type Engine,
  type Json,
  outline,
  type Program,
  type RunResult,
  type RunSummary,
  type TraceEvent,
} from "../index.ts";
import type { Limits } from "./limits.ts";
import { refusal } from "./refusal.ts";
import type { RunLogs } from "./run-logs.ts";
import type { RunProgress } from "./run-progress.ts";
import type * as schema from "./schema-types.ts";

/** Where everything about runs is known. */
export interface RunsView {
  readonly engine: Engine;
  readonly limits: Limits;
  readonly progress: RunProgress;
  readonly logs: RunLogs;
}

/** A run as the schema shows it. What costs something is worked out when it is asked for. */
export async function runNode(view: RunsView, id: string): Promise<schema.Run | undefined> {
  const { engine, limits, logs } = view;
  const summary = engine.find(id);
  const result = await engine.get(id);
  if (summary === undefined || result === undefined) return undefined;
  const { startedAt, finishedAt, status, response, execution, context, error, questions = [] } = result;
  return {
    ...lineOf(view, summary),
    status,
    response,
    execution: execution && executionNode(execution),
    planSteps: async () => planSteps(await engine.program(id)),
    steps: ({ first, after }) => stepNodes(result, page(first, limits), Math.max(0, after ?? 0)),
    step: ({ id: stepId }) =>
      stepNode(Object.hasOwn(result.steps, stepId) ? result.steps[stepId] : undefined),
    stepCount: () => Object.keys(result.steps).length,
    events: ({ first, after }, { signal }) =>
      takeEvents(engine, id, { after: after ?? 0, signal, follow: false }, page(first, limits)),
    context,
    error,
    questions,
    startedAt,
    finishedAt,
    durationMs: elapsedMs(startedAt, finishedAt ?? new Date().toISOString()),
    startedBy: () => startedBy(engine, id),
    graph: async () => graphNode(await engine.program(id)),
    outline: async () => outlineNode(await engine.program(id)),
    source: async () => (await engine.program(id))?.origin.plan,
    conditions: ({ step }) => engine.conditions(id, step),
    logs: ({ step }) => [...logs.of(id, step ?? undefined)],
  };
}

function outlineNode(program: Program | undefined): Json {
  return program === undefined ? null : (outline(program) as unknown as Json);
}

export async function existingRun(view: RunsView, id: string): Promise<schema.Run> {
  const node = await runNode(view, id);
  if (node === undefined) throw refusal(200, "UNKNOWN_RUN", `There is no run "${id}".`);
  return node;
}

export function lineOf({ progress }: RunsView, summary: RunSummary) {
  const { id, name, dialect, status, startedAt, finishedAt } = summary;
  return {
    id,
    plan: name,
    dialect: dialect as schema.Dialect,
    status,
    startedAt,
    finishedAt,
    progress: () => progress.of(summary),
  };
}

/** How many of a list are given: what was asked for, and no more than a page. */
export function page(first: number | null | undefined, { pageMax }: Limits): number {
  if (first !== null && first !== undefined && (first < 0 || first > pageMax)) {
    throw refusal(400, "PAGE_TOO_LONG", `"first" is a number from 0 to ${pageMax}.`);
  }
  return first ?? pageMax;
}

/** What the scalar Int holds: three weeks of milliseconds. */
const INT_MAX = 2 ** 31 - 1;

export function executionNode(execution: NonNullable<RunResult["execution"]>): schema.ExecutionResults {
  const { requestId, results, notRun, metadata } = execution;
  return {
    requestId,
    notRun,
    results: results.map((result) => ({
      ...result,
      metadata: { ...result.metadata, executionTime: Math.min(INT_MAX, result.metadata.executionTime) },
    })),
    metadata: { ...metadata, totalDurationMs: Math.min(INT_MAX, metadata.totalDurationMs) },
  };
}

function stepNodes({ steps }: RunResult, count: number, after: number): schema.Step[] {
  return Object.keys(steps)
    .slice(after, after + count)
    .flatMap((id) => stepNode(steps[id]) ?? []);
}

function stepNode(step: RunResult["steps"][string] | undefined): schema.Step | undefined {
  if (step === undefined) return undefined;
  const { startedAt, finishedAt } = step;
  const isTimed = startedAt !== undefined && finishedAt !== undefined;
  return { ...step, durationMs: isTimed ? elapsedMs(startedAt, finishedAt) : undefined };
}

function elapsedMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/** The events that there are: of a run that goes on, what comes later is for `runEvents`. */
async function takeEvents(
  engine: Engine,
  id: string,
  options: { readonly after: number; readonly signal: AbortSignal; readonly follow: false },
  count: number,
): Promise<schema.RunEvent[]> {
  const taken: schema.RunEvent[] = [];
  for await (const event of engine.events(id, options)) {
    if (taken.push(eventNode(event)) >= count) break;
  }
  return taken;
}

export function eventNode({ seq, kind, at, step, ...data }: TraceEvent): schema.RunEvent {
  return { seq, kind, at, step, data: data as Json };
}

function startedBy(engine: Engine, id: string): string | undefined {
  const name = engine.metadata(id)?.startedBy;
  return typeof name === "string" ? name : undefined;
}

export function graphNode(program: Program | undefined): schema.Graph {
  // The drawing is data of ours, printed and read again: `draw` is the door to all drawings.
  return program === undefined
    ? { steps: [], edges: [], levels: [] }
    : (JSON.parse(draw(program, "json")) as schema.Graph);
}

interface WrittenStep {
  readonly tool: string;
  readonly params?: Json;
  readonly dependsOn?: readonly number[];
  readonly depends_on?: readonly number[];
  readonly parallel?: boolean;
  readonly optional?: boolean;
  readonly retryCount?: number;
  readonly retry_count?: number;
  readonly timeout?: number;
}

/** The steps of a step plan, as they were written; a plan that was compiled has this shape. */
function planSteps(program: Program | undefined): schema.PlanStep[] | undefined {
  if (program?.dialect !== "steps") return undefined;
  const { plan } = program.origin;
  const { steps } = (typeof plan === "string" ? JSON.parse(plan) : plan) as {
    readonly steps?: readonly WrittenStep[];
  };
  return steps?.map((step) => ({
    tool: step.tool,
    params: step.params ?? {},
    dependsOn: step.dependsOn ?? step.depends_on,
    parallel: step.parallel ?? false,
    optional: step.optional ?? false,
    retryCount: step.retryCount ?? step.retry_count,
    timeout: step.timeout,
  }));
}
