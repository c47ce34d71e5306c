/* How far a run has come: cheap enough to be asked many times a second, whatever the run holds. */
import { ITEM_COMPLETED, ITEM_FAILED } from "../core/fan-out-state.ts";
import { type Frame, type RunState, type StepState, type StepStatus, timeOf } from "../core/state.ts";
import type { Step } from "../ir/program.ts";
import { type ErrorRecord, errorRecord } from "./result.ts";

export interface StepProgress {
  /** `outer.x[3].y` */
  readonly id: string;
  /** The id inside its own plan or agent: `y`. */
  readonly name: string;
  readonly status: StepStatus;
  /** The tool or agent that it calls. */
  readonly calls: string;
  readonly attempts: number;
  readonly attemptsMax: number;
  /** Milliseconds since 1970; 0 for what has not happened yet. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly error?: ErrorRecord;
  readonly reason?: string;
  /** No step of the same plan or agent needs it. */
  readonly isFinal: boolean;
  /** Of a fan-out. */
  readonly items?: ItemCounts;
  /** The steps inside of a composite; of a fan-out, the items that are composites and under way, or failed. */
  readonly steps: readonly StepProgress[];
}

export interface ItemCounts {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
}

/** More items than that are only counted. */
const ITEMS_SHOWN_MAX = 8;

export function runProgress(state: RunState): StepProgress[] {
  return progressOf(state, state.root);
}

function progressOf(state: RunState, frame: Frame): StepProgress[] {
  return frame.block.steps.map((step, i) => stepProgress(state, frame, step, frame.steps[i] as StepState));
}

function stepProgress(state: RunState, frame: Frame, step: Step, record: StepState): StepProgress {
  const { status, attempts, error, reason, fanOut } = record;
  const id = frame.prefix + step.id;
  return {
    id,
    name: step.id,
    status,
    calls: step.call.kind === "tool" ? step.call.tool : step.call.agent,
    attempts,
    attemptsMax: step.policy.retries + 1,
    startedAt: timeOf(state, record.startTick),
    finishedAt: timeOf(state, record.endTick),
    ...(error !== undefined && { error: errorRecord(error) }),
    ...(reason !== undefined && { reason }),
    isFinal: hasNoDependents(frame, step),
    ...(fanOut !== undefined && { items: countItems(fanOut) }),
    steps: stepsInside(state, id, step, record),
  };
}

function hasNoDependents({ block }: Frame, { index }: Step): boolean {
  return block.graph.starts[index] === block.graph.starts[index + 1];
}

function countItems({ items, left, active, errors }: NonNullable<StepState["fanOut"]>): ItemCounts {
  return { total: items.length, done: items.length - left, failed: errors.size, running: active };
}

function stepsInside(run: RunState, id: string, step: Step, record: StepState): StepProgress[] {
  if (record.frame !== undefined) return progressOf(run, record.frame);
  const inside: StepProgress[] = [];
  for (const [item, frame] of record.fanOut?.frames ?? []) {
    const state = record.fanOut?.states[item];
    if (state === ITEM_COMPLETED || (frame.closed && state !== ITEM_FAILED)) continue;
    inside.push(itemProgress(run, `${id}[${item}]`, item, step, record, frame));
    if (inside.length === ITEMS_SHOWN_MAX) break;
  }
  return inside;
}

function itemProgress(
  state: RunState,
  id: string,
  item: number,
  step: Step,
  record: StepState,
  frame: Frame,
): StepProgress {
  const error = record.fanOut?.errors.get(item);
  return {
    id,
    name: `${step.id}[${item}]`,
    status: error === undefined ? "running" : "failed",
    calls: step.call.agent,
    attempts: record.fanOut?.attempts.get(item) ?? 1,
    attemptsMax: step.policy.retries + 1,
    startedAt: timeOf(state, frame.call?.startTick ?? 0),
    finishedAt: 0,
    ...(error !== undefined && { error: errorRecord(error) }),
    isFinal: false,
    steps: progressOf(state, frame),
  };
}
