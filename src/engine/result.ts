import type { Json, JsonObject } from "../base/json.ts";
import { setOwn } from "../base/json.ts";
import type { Mutable } from "../base/mutable.ts";
import { isOver } from "../core/advance.ts";
import { argumentsOf } from "../core/arguments.ts";
import {
  type FanOutState,
  ITEM_ACTIVE,
  ITEM_CANCELLED,
  ITEM_COMPLETED,
  ITEM_FAILED,
  ITEM_PENDING,
} from "../core/fan-out-state.ts";
import { stepId } from "../core/ids.ts";
import {
  type Frame,
  isSettled,
  type RunState,
  type RunStatus,
  type StepState,
  type StepStatus,
  timeOf,
} from "../core/state.ts";
import type { StepError } from "../core/step-error.ts";
import type { Usage } from "../core/usage.ts";
import { type ExecutionResults, executionResults } from "./execution-results.ts";

export interface StepRecord {
  readonly id: string;
  readonly status: StepStatus;
  readonly arguments: JsonObject | null;
  readonly result: Json;
  readonly error?: ErrorRecord;
  /** Why it was skipped, blocked or cancelled. */
  readonly reason?: string;
  readonly attempts: number;
  /** What its models took, over all attempts; only of steps that called one. */
  readonly usage?: Usage;
  readonly startedAt?: string;
  readonly finishedAt?: string;
}

export interface ErrorRecord {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

export interface QuestionRecord {
  readonly name: string;
  readonly kind: "input" | "confirmation";
  readonly stepIds: readonly string[];
  readonly schema?: Json;
  readonly description?: string;
}

export interface RunResult {
  readonly id: string;
  readonly status: RunStatus;
  /** Of an agent: the mapped response. */
  readonly response?: Json;
  /** Of a step plan. */
  readonly execution?: ExecutionResults;
  /** By id; worked out when it is first looked at. */
  readonly steps: Readonly<Record<string, StepRecord>>;
  readonly context: JsonObject;
  readonly error?: ErrorRecord;
  readonly questions?: readonly QuestionRecord[];
  readonly startedAt: string;
  readonly finishedAt?: string;
}

/** A run as it stands, for people and programs. */
export function runResult(state: RunState): RunResult {
  return new Result(state) as Result & Pick<RunResult, "steps">;
}

/**
 * `steps` is a property like the others, but for its getter, which all results share. One in an object literal would give every
 * result a hidden class of its own, which keeps the whole run in memory until the next full garbage collection.
 */
class Result implements Omit<RunResult, "steps"> {
  readonly #state: RunState;
  #steps: RunResult["steps"] | undefined = undefined;
  declare readonly id: string;
  declare readonly status: RunStatus;
  declare readonly response?: Json;
  declare readonly execution?: ExecutionResults;
  declare readonly context: JsonObject;
  declare readonly error?: ErrorRecord;
  declare readonly questions?: readonly QuestionRecord[];
  declare readonly startedAt: string;
  declare readonly finishedAt?: string;

  static readonly #STEPS: PropertyDescriptor & ThisType<Result> = {
    enumerable: true,
    get() {
      this.#steps ??= stepRecords(this.#state);
      return this.#steps;
    },
  };

  constructor(state: RunState) {
    const { program, error, response } = state;
    const ended = isOver(state);
    this.#state = state;
    this.id = state.runId;
    this.status = state.status;
    if (program.dialect === "agent" && ended && response !== undefined) this.response = response;
    if (program.dialect === "steps") this.execution = executionResults(state);
    Object.defineProperty(this, "steps", Result.#STEPS);
    this.context = state.setup.context.values();
    if (error !== undefined) this.error = errorRecord(error);
    const questions = openQuestions(state);
    if (questions.length > 0) this.questions = questions;
    this.startedAt = isoTime(state.startedAt);
    if (ended) this.finishedAt = isoTime(state.finishedAt);
  }
}

/** The last two times: a short run begins at one and ends at the other, and formatting costs more than a step does. */
let lastTime = { ms: 0, text: "1970-01-01T00:00:00.000Z" };
let timeBefore = lastTime;

export function isoTime(ms: number): string {
  if (ms === lastTime.ms) return lastTime.text;
  const { ms: before, text } = timeBefore;
  timeBefore = lastTime;
  lastTime = { ms, text: ms === before ? text : new Date(ms).toISOString() };
  return lastTime.text;
}

export function errorRecord({ name, code, message }: StepError): ErrorRecord {
  return { name, code, message };
}

function openQuestions(state: RunState): QuestionRecord[] {
  if (isOver(state)) return [];
  const inputs = state.program.questions.filter(({ name }) => state.openInputs.has(name));
  return [
    ...inputs.map(({ name, stepIds, schema, description }): QuestionRecord => {
      const about = {
        ...(schema !== undefined && { schema }),
        ...(description !== undefined && { description }),
      };
      return { name, kind: "input", stepIds, ...about };
    }),
    ...[...state.confirmations].map(([id, { step }]): QuestionRecord => {
      const description = step.intent ?? `May "${id}" call ${step.call.agent}?`;
      return { name: id, kind: "confirmation", stepIds: [id], schema: { type: "boolean" }, description };
    }),
  ];
}

function stepRecords(state: RunState): Record<string, StepRecord> {
  const records: Record<string, StepRecord> = {};
  collect(state, state.root, records);
  for (const [id, usage] of state.usage) {
    const record = records[id];
    if (record !== undefined) setOwn(records, id, { ...record, usage });
  }
  return records;
}

/** The record of one step of the plan itself. */
export function oneStep(state: RunState, id: string): StepRecord | undefined {
  const index = state.root.block.steps.findIndex((step) => step.id === id);
  return index < 0 ? undefined : stepRecord(state, state.root, index);
}

function collect(state: RunState, frame: Frame, records: Record<string, StepRecord>): void {
  for (const [i, step] of frame.steps.entries()) {
    const record = stepRecord(state, frame, i);
    setOwn(records, record.id, record);
    if (step.frame !== undefined) collect(state, step.frame, records);
    if (step.fanOut !== undefined && step.fanOut.refusal === undefined)
      collectItems(state, frame, i, step.fanOut, records);
  }
}

function stepRecord(state: RunState, frame: Frame, index: number): StepRecord {
  const { status, value, ending, attempts, startTick, endTick } = frame.steps[index] as StepState;
  const record: Mutable<StepRecord> = {
    id: stepId(frame, index),
    status,
    arguments: argumentsOf(state, frame, index) ?? null,
    result: value ?? null,
    attempts,
  };
  if (ending.error !== undefined) record.error = errorRecord(ending.error);
  if (ending.reason !== undefined) record.reason = ending.reason;
  if (startTick > 0) record.startedAt = isoTime(timeOf(state, startTick));
  if (endTick > 0) record.finishedAt = isoTime(timeOf(state, endTick));
  return record;
}

const ITEM_STATUS: Readonly<Record<number, StepStatus>> = {
  [ITEM_ACTIVE]: "running",
  [ITEM_COMPLETED]: "completed",
  [ITEM_FAILED]: "failed",
  [ITEM_CANCELLED]: "cancelled",
};

function collectItems(
  state: RunState,
  frame: Frame,
  index: number,
  fanOut: FanOutState,
  records: Record<string, StepRecord>,
): void {
  const id = stepId(frame, index);
  const isOver = isSettled((frame.steps[index] as StepState).status);
  for (let item = 0; item < fanOut.items.length; item++) {
    const itemState = fanOut.states[item] as number;
    const error = fanOut.errors.get(item);
    const itemId = `${id}[${item}]`;
    setOwn(records, itemId, {
      id: itemId,
      // Items that the end of the step overtook.
      status: isOver && itemState <= ITEM_ACTIVE ? "cancelled" : (ITEM_STATUS[itemState] ?? "pending"),
      arguments: argumentsOf(state, frame, index, item) ?? null,
      result: fanOut.results[item] ?? null,
      ...(error !== undefined && { error: errorRecord(error) }),
      attempts: fanOut.attempts.get(item) ?? (itemState === ITEM_PENDING ? 0 : 1),
    });
    const inner = fanOut.frames.get(item);
    if (inner !== undefined) collect(state, inner, records);
  }
}
