/*
 * How a run stood after any of its events: events go in, one after the other, and the states of steps come out. The events say
 * everything; nothing here asks the server.
 */
import type { Json } from "../../../../src/compiler.ts";
import { ancestorsOf, type ErrorRecord, type RunEvent } from "./run-event.ts";

export interface Attempt {
  readonly number: number;
  readonly tool: string;
  /** Numbers of the events that began and ended it; milliseconds since 1970. */
  readonly startSeq: number;
  readonly startedAt: number;
  endSeq: number;
  finishedAt: number;
  status: "running" | "waiting" | "completed" | "failed" | "cancelled";
  error: ErrorRecord | undefined;
}

export interface Items {
  total: number;
  done: number;
  failed: number;
  running: number;
}

export class StepModel {
  readonly id: string;
  status = "pending";
  startedAt = 0;
  finishedAt = 0;
  reason: string | undefined = undefined;
  error: ErrorRecord | undefined = undefined;
  attempts: Attempt[] = [];
  items: Items | undefined = undefined;
  /** Steps inside that have ended, of a composite. */
  settledInside = 0;
  /** Numbers of the events in which it said something. */
  said: number[] = [];

  constructor(id: string) {
    this.id = id;
  }
}

const SETTLED: ReadonlySet<string> = new Set(["completed", "failed", "skipped", "blocked", "cancelled"]);

export function isSettled(status: string): boolean {
  return SETTLED.has(status);
}

export class RunModel {
  readonly steps = new Map<string, StepModel>();
  /** Ids whose state has changed since somebody took them. */
  readonly changed = new Set<string>();
  /** How many steps there are inside of a composite item: known from the plan. */
  readonly #insideOf: (id: string) => number;
  seq = 0;
  status = "running";
  error: ErrorRecord | undefined = undefined;
  startedAt = 0;
  finishedAt = 0;
  /** The time of the last event. */
  now = 0;
  running = 0;
  readonly context: Record<string, Json> = {};
  readonly #asked = new Set<string>();

  constructor(insideOf: (id: string) => number) {
    this.#insideOf = insideOf;
  }

  step(id: string): StepModel {
    let step = this.steps.get(id);
    if (step === undefined) {
      step = new StepModel(id);
      this.steps.set(id, step);
    }
    return step;
  }

  apply(event: RunEvent): void {
    this.seq = event.seq;
    this.now = Date.parse(event.at);
    HANDLERS[event.kind]?.(this, event);
    if (this.finishedAt === 0)
      this.status = this.running === 0 && this.#asked.size > 0 ? "waiting" : "running";
  }

  begin(id: string, attempt: Attempt): void {
    const step = this.step(id);
    this.#leave(step);
    if (step.startedAt === 0) step.startedAt = this.now;
    step.attempts.push(attempt);
    step.error = undefined;
    this.#put(step, "running");
    this.running++;
    for (const above of ancestorsOf(id)) this.#beginAbove(above);
  }

  #beginAbove(id: string): void {
    const step = this.step(id);
    if (step.status === "running") return;
    if (step.startedAt === 0) step.startedAt = this.now;
    this.#put(step, "running");
  }

  /** The attempt under way has ended. A failure may be tried again: the step itself goes on until it is given up. */
  end(id: string, seq: number, status: Attempt["status"], error: ErrorRecord | undefined): void {
    const step = this.step(id);
    const attempt = step.attempts.at(-1);
    if (attempt !== undefined && attempt.finishedAt === 0) {
      attempt.finishedAt = this.now;
      attempt.endSeq = seq;
      attempt.status = status;
      attempt.error = error;
      this.running--;
    }
    if (status === "completed") this.settle(id, "completed", undefined, undefined);
    else if (id.endsWith("]")) this.settle(id, "failed", undefined, error);
  }

  wait(id: string): void {
    const step = this.step(id);
    const attempt = step.attempts.at(-1);
    if (attempt?.finishedAt === 0 && attempt.status === "running") {
      attempt.status = "waiting";
      this.running--;
      this.#asked.add(`timer:${id}`);
    }
    this.#put(step, "waiting");
  }

  settle(id: string, status: string, reason: string | undefined, error: ErrorRecord | undefined): void {
    const step = this.step(id);
    this.#asked.delete(`timer:${id}`);
    this.#asked.delete(`confirm:${id}`);
    const attempt = step.attempts.at(-1);
    if (attempt !== undefined && attempt.finishedAt === 0) {
      if (attempt.status === "running") this.running--;
      attempt.finishedAt = this.now;
      attempt.endSeq = this.seq;
      attempt.status = status === "completed" || status === "failed" ? status : "cancelled";
    }
    const isFirst = !isSettled(step.status);
    step.finishedAt = this.now;
    step.reason = reason;
    step.error = error;
    if (step.items !== undefined && status === "completed") step.items.done = step.items.total;
    this.#put(step, status);
    if (isFirst) this.#settledIn(id);
  }

  /** The last step inside of a composite item ends it: items have no events of their own. */
  #settledIn(id: string): void {
    const dot = id.lastIndexOf(".");
    const above = dot < 0 || id.endsWith("]") ? "" : id.slice(0, dot);
    if (!above.endsWith("]")) return;
    const item = this.step(above);
    item.settledInside++;
    if (isSettled(item.status) || item.settledInside < this.#insideOf(above)) return;
    const failed = this.step(id).status === "failed";
    this.settle(above, failed ? "failed" : "completed", undefined, this.step(id).error);
  }

  beginItems(id: string, total: number): void {
    const step = this.step(id);
    // A fan-out that is tried again keeps what it had finished.
    step.items ??= { total, done: 0, failed: 0, running: 0 };
    step.items.total = total;
    this.changed.add(id);
  }

  ask(name: string): void {
    this.#asked.add(name);
  }

  answer(name: string): void {
    this.#asked.delete(name);
  }

  finish(status: string, error: ErrorRecord | undefined): void {
    this.status = status;
    this.error = error;
    this.finishedAt = this.now;
  }

  /** What failed, or was not reached, may still come. */
  resume(): void {
    this.finishedAt = 0;
    this.error = undefined;
    for (const step of this.steps.values()) {
      if (step.status === "completed" || step.status === "skipped") continue;
      step.finishedAt = 0;
      step.settledInside = 0;
      this.#put(step, "pending");
    }
  }

  #put(step: StepModel, status: string): void {
    if (step.id.endsWith("]")) this.#countItem(step, status);
    step.status = status;
    this.changed.add(step.id);
  }

  #countItem(step: StepModel, status: string): void {
    const above = step.id.slice(0, step.id.lastIndexOf("["));
    const { items } = this.step(above);
    if (items === undefined) return;
    const before = step.status;
    if (before === "running") items.running--;
    if (before === "failed") items.failed--;
    if (isSettled(before)) items.done--;
    if (status === "running") items.running++;
    if (status === "failed") items.failed++;
    if (isSettled(status)) items.done++;
    this.changed.add(above);
  }

  /** An attempt that nothing ended: the process that made it was killed. */
  #leave(step: StepModel): void {
    const attempt = step.attempts.at(-1);
    if (attempt === undefined || attempt.finishedAt !== 0) return;
    attempt.finishedAt = this.now;
    attempt.endSeq = this.seq;
    if (attempt.status === "running") this.running--;
    attempt.status = "cancelled";
  }
}

type Handler = (model: RunModel, event: RunEvent) => void;

const settled: Handler = (model, { step, data }) => {
  const reason = typeof data.reason === "string" ? data.reason : undefined;
  if (step !== null) model.settle(step, String(data.status), reason, errorOf(data.error));
};

const said: Handler = (model, { step, seq }) => {
  if (step !== null) model.step(step).said.push(seq);
};

const HANDLERS: Readonly<Record<string, Handler>> = {
  RunStarted: (model, { data }) => {
    model.startedAt = model.now;
    Object.assign(model.context, data.context);
  },
  StepStarted: (model, { step, seq, data }) => {
    for (const { step: id, items } of (data.begins ?? []) as { step: string; items: number }[])
      model.beginItems(id, items);
    if (step === null) return;
    model.begin(step, {
      number: Number(data.attempt),
      tool: String(data.tool),
      startSeq: seq,
      startedAt: model.now,
      endSeq: 0,
      finishedAt: 0,
      status: "running",
      error: undefined,
    });
  },
  StepSucceeded: (model, { step, seq }) => step !== null && model.end(step, seq, "completed", undefined),
  StepFailed: (model, { step, seq, data }) =>
    step !== null && model.end(step, seq, "failed", errorOf(data.error)),
  StepSuspended: (model, { step }) => step !== null && model.wait(step),
  StepSkipped: settled,
  StepBlocked: settled,
  StepCancelled: settled,
  StepCompleted: settled,
  StepGivenUp: settled,
  StepSettled: settled,
  TextEmitted: said,
  CustomEmitted: said,
  InputAsked: (model, { data }) => {
    for (const name of (data.names ?? []) as string[]) model.ask(`input:${name}`);
  },
  InputProvided: (model, { data }) => model.answer(`input:${String(data.name)}`),
  ConfirmationAsked: (model, { step }) => {
    if (step === null) return;
    model.ask(`confirm:${step}`);
    model.wait(step);
  },
  ConfirmationGiven: (model, { step }) => step !== null && model.answer(`confirm:${step}`),
  ContextChanged: (model, { data }) => {
    model.context[String(data.name)] = data.value as Json;
  },
  RunFinished: (model, { data }) => model.finish(String(data.status), errorOf(data.error)),
  RunResumed: (model) => model.resume(),
} satisfies Record<string, (model: RunModel, event: RunEvent) => unknown>;

export function errorOf(value: Json | undefined): ErrorRecord | undefined {
  return value === null || value === undefined ? undefined : (value as unknown as ErrorRecord);
}
