/* The run in time: a row a step, a bar an attempt; which chain of steps took longest, and what each waited for. */
import type { Outline } from "../../../../src/compiler.ts";
import { isInItem } from "./run-event.ts";
import type { RunModel, StepModel } from "./run-model.ts";

export interface TimelineRow {
  readonly id: string;
  readonly status: string;
  readonly depth: number;
  readonly bars: readonly TimelineBar[];
  /** It is on the chain that made the run as long as it was. */
  readonly isOnChain: boolean;
  /** The step that it waited for last. */
  readonly waitedFor: string | undefined;
  /** Items that are not shown. */
  readonly hidden: number;
}

export interface TimelineBar {
  /** Milliseconds since the run's start; a bar that goes on ends now. */
  readonly from: number;
  readonly to: number;
  readonly status: string;
  readonly attempt: number;
}

/** Of a fan-out, so many items are shown. */
const ITEMS_SHOWN_MAX = 200;

export function timelineOf(model: RunModel, plan: Outline): TimelineRow[] {
  const waitedFor = lastNeeds(model, plan);
  const chain = chainOf(model, plan, waitedFor);
  const rows: { readonly row: TimelineRow; readonly startedAt: number }[] = [];
  const shownItems = new Map<string, number>();
  for (const step of model.steps.values()) {
    if (step.startedAt === 0) continue;
    const fanOut = isInItem(step.id) ? step.id.slice(0, step.id.indexOf("[")) : undefined;
    if (fanOut !== undefined) {
      const count = (shownItems.get(fanOut) ?? 0) + 1;
      shownItems.set(fanOut, count);
      if (count > ITEMS_SHOWN_MAX) continue;
    }
    rows.push({
      row: rowOf(step, model, waitedFor.get(step.id), chain.has(step.id)),
      startedAt: step.startedAt,
    });
  }
  return rows
    .sort((a, b) => a.startedAt - b.startedAt || (a.row.id < b.row.id ? -1 : 1))
    .map(({ row }) => {
      const hidden = Math.max(0, (shownItems.get(row.id) ?? 0) - ITEMS_SHOWN_MAX);
      return hidden === 0 ? row : { ...row, hidden };
    });
}

function rowOf(
  step: StepModel,
  model: RunModel,
  waitedFor: string | undefined,
  isOnChain: boolean,
): TimelineRow {
  const { id, status } = step;
  return {
    id,
    status,
    depth: id.split(/[.[]/).length - 1,
    bars: barsOf(step, model),
    isOnChain,
    waitedFor,
    hidden: 0,
  };
}

function barsOf({ attempts, startedAt, finishedAt, status }: StepModel, model: RunModel): TimelineBar[] {
  const since = (time: number): number => (time === 0 ? model.now : time) - model.startedAt;
  if (attempts.length === 0) return [{ from: since(startedAt), to: since(finishedAt), status, attempt: 0 }];
  return attempts.map((attempt) => ({
    from: since(attempt.startedAt),
    to: since(attempt.finishedAt),
    status: attempt.status,
    attempt: attempt.number,
  }));
}

/** For each step of the plan, the one it needs that ended last. */
function lastNeeds(model: RunModel, plan: Outline): Map<string, string> {
  const last = new Map<string, string>();
  for (const { from, to } of plan.blocks[0]?.edges ?? []) {
    const ended = model.steps.get(from)?.finishedAt ?? 0;
    const known = last.get(to);
    if (ended > 0 && (known === undefined || ended >= (model.steps.get(known)?.finishedAt ?? 0)))
      last.set(to, from);
  }
  return last;
}

/** From the step that ended last, back through what each waited for. */
function chainOf(model: RunModel, plan: Outline, waitedFor: ReadonlyMap<string, string>): Set<string> {
  let last: StepModel | undefined;
  for (const { id } of plan.blocks[0]?.steps ?? []) {
    const step = model.steps.get(id);
    if (step === undefined || step.startedAt === 0) continue;
    const end = step.finishedAt === 0 ? Number.POSITIVE_INFINITY : step.finishedAt;
    if (last === undefined || end > (last.finishedAt === 0 ? Number.POSITIVE_INFINITY : last.finishedAt))
      last = step;
  }
  const chain = new Set<string>();
  for (let id = last?.id; id !== undefined && !chain.has(id); id = waitedFor.get(id)) chain.add(id);
  return chain;
}
