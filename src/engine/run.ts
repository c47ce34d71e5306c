import { SequiturError } from "../base/error.ts";
import { cloneJson, type Json, type JsonObject } from "../base/json.ts";
import { RareSet } from "../base/rare.ts";
import { isOver } from "../core/advance.ts";
import type { RunEvent } from "../core/events.ts";
import type { RunState, RunStatus } from "../core/state.ts";
import { RemoteLoop } from "../drivers/remote-loop.ts";
import type { RunLoop } from "../drivers/run-loop.ts";
import type { Program } from "../ir/program.ts";
import { runProgress, type StepProgress } from "./progress.ts";
import { oneStep, type RunResult, runResult, type StepRecord } from "./result.ts";
import { type TraceEvent, Tracer } from "./trace.ts";

/** What a run needs of its engine. */
export interface RunPort {
  now(): number;
  /** A state that has not started, to fold the journal into once more. */
  freshState(): RunState;
  /** The journal from event number `after` on. */
  journal(after: number): Iterable<RunEvent>;
  checkAnswer(name: string, value: Json): Promise<string | undefined>;
}

/** Called after each turn of the loop, with itself, to take itself away again. */
type Listener = (self: Listener) => void;

/** A run under way. */
export class Run {
  readonly id: string;
  /** Resolves when the run has ended, however it ended. */
  readonly result: Promise<RunResult>;
  readonly #loop: RunLoop;
  readonly #port: RunPort;
  readonly #end: PromiseWithResolvers<RunResult> = Promise.withResolvers();
  readonly #listeners = new RareSet<Listener>();
  /** Called only when the run's status may have changed. */
  readonly #waiters = new RareSet<Listener>();
  /** Answered here, although the record of it may still be on its way to the disk. */
  readonly #answered = new RareSet<string>();
  readonly #confirmed = new RareSet<object>();

  constructor(loop: RunLoop, port: RunPort) {
    this.id = loop.id;
    this.#loop = loop;
    this.#port = port;
    this.result = this.#end.promise;
  }

  /** The loop has handled events. */
  turned(): void {
    if (this.#loop.failure !== undefined) {
      // Whoever did not ask for the result is not to be killed by a store that has failed.
      this.result.catch(() => {});
      this.#end.reject(this.#standstill());
    } else if (isOver(this.#loop.state)) this.#end.resolve(this.snapshot());
    if (this.#waiters.size > 0) for (const waiter of [...this.#waiters]) waiter(waiter);
    this.went();
  }

  /** Something has happened, and the run goes on. */
  went(): void {
    if (this.#listeners.size > 0) for (const listener of [...this.#listeners]) listener(listener);
  }

  #standstill(): SequiturError {
    const cause = this.#loop.failure;
    if (cause instanceof SequiturError) return cause;
    return new SequiturError("STORE_FAILED", "The run's journal could not be written.", { cause });
  }

  /** As it stands now. */
  snapshot(): RunResult {
    return runResult(this.#loop.state);
  }

  /** How far it has come, for whoever watches. */
  progress(): StepProgress[] {
    return runProgress(this.#loop.state);
  }

  /** One step of the plan as it stands, without looking at the others; undefined where the plan has no such step. */
  step(id: string): StepRecord | undefined {
    return oneStep(this.#loop.state, id);
  }

  get status(): RunStatus {
    return this.#loop.state.status;
  }

  get isOver(): boolean {
    return isOver(this.#loop.state);
  }

  /** Ends, or has come to where only a person can help. */
  endedOrAsked(): Promise<RunResult> {
    if (this.isOver) return this.result;
    if (this.needsPerson) return Promise.resolve(this.snapshot());
    return new Promise((resolve, reject) => {
      this.#waiters.add((waiter) => {
        if (!this.isOver && !this.needsPerson && this.#loop.failure === undefined) return;
        this.#waiters.delete(waiter);
        if (this.needsPerson) resolve(this.snapshot());
        else this.result.then(resolve, reject);
      });
    });
  }

  /** Nothing goes on before a person answers. */
  get needsPerson(): boolean {
    const { status, openInputs, confirmations, suspended } = this.#loop.state;
    return status === "waiting" && suspended === 0 && (openInputs.size > 0 || confirmations.size > 0);
  }

  get program(): Program {
    return this.#loop.state.program;
  }

  /** Calls back once, after the next turn; gives a function that calls it off. */
  onTurn(wake: () => void): () => void {
    const listener: Listener = () => {
      this.#listeners.delete(listener);
      wake();
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#listeners.add((listener) => {
        this.#listeners.delete(listener);
        resolve();
      });
    });
  }

  /** Everything that has happened and will happen, from the first event. */
  get events(): AsyncIterable<TraceEvent> {
    return this.#trace();
  }

  async *#trace(): AsyncGenerator<TraceEvent> {
    const tracer = new Tracer(this.#port.freshState());
    for (let read = 0; ; ) {
      const over = this.isOver;
      let grew = false;
      for (const event of this.#port.journal(read)) {
        read++;
        grew = true;
        yield* tracer.next(event);
      }
      if (grew) continue;
      if (over) return;
      if (this.#loop.failure !== undefined) throw this.#standstill();
      await this.#nextTurn();
    }
  }

  /** Answers questions. Nothing is taken where one of the answers is no answer; all that are none are named, a line each. */
  async provideInputs(values: JsonObject): Promise<void> {
    this.#refuseStandstill();
    const wrong: string[] = [];
    for (const [name, value] of Object.entries(values)) {
      this.#refuseUnless(this.#isOpen(name), name);
      const problem = isBlank(value) ? undefined : await this.#port.checkAnswer(name, value);
      if (isBlank(value)) wrong.push(`"${name}" is blank, which is not an answer.`);
      else if (problem !== undefined) wrong.push(`"${name}": ${problem}.`);
    }
    if (wrong.length > 0) throw new SequiturError("INVALID_INPUT", wrong.join("\n"));
    // Somebody else may have answered while the answers were checked: the first one wins.
    for (const name of Object.keys(values)) this.#refuseUnless(this.#isOpen(name), name);
    const before = this.#loop.refusals;
    for (const [name, value] of Object.entries(values)) {
      this.#answered.add(name);
      this.#loop.offer({ kind: "InputProvided", at: this.#port.now(), name, value: cloneJson(value) });
    }
    await this.#recorded(before, () =>
      Object.keys(values).some((name) => this.#loop.state.openInputs.has(name)),
    );
  }

  /** Waits until an answer is on record. It never is where another process has gone on with the run. */
  async #recorded(before: number, isOpen: () => boolean): Promise<void> {
    // That the question is closed may be another one's doing.
    if (this.#loop instanceof RemoteLoop) await this.#loop.sent;
    while (this.#loop.refusals === before && !this.isOver && isOpen()) await this.#nextTurn();
    if (this.#loop.refusals === before) return;
    this.#answered.clear();
    this.#refuseStandstill();
    if (this.#loop instanceof RemoteLoop && this.#loop.refusal !== undefined) throw this.#loop.refusal;
    throw new SequiturError(
      "NOT_RECORDED",
      `The answer was not taken: another process has gone on with the run "${this.id}".`,
    );
  }

  #refuseStandstill(): void {
    if (this.#loop.failure === undefined) return;
    const cause = this.#standstill();
    throw new SequiturError("NOT_RECORDED", `The answer was not taken. ${cause.message}`, { cause });
  }

  #isOpen(name: string): boolean {
    return !this.isOver && this.#loop.state.openInputs.has(name) && !this.#answered.has(name);
  }

  #refuseUnless(open: boolean, name: string): void {
    if (open) return;
    if (this.isOver) throw new SequiturError("RUN_ENDED", `The run has ended (${this.#loop.state.status}).`);
    const { program } = this.#loop.state;
    const isKnown = program.questions.some((question) => question.name === name);
    if (isKnown) throw new SequiturError("ALREADY_ANSWERED", `"${name}" has been answered already.`);
    const names = program.questions.map((question) => `"${question.name}"`).join(", ");
    throw new SequiturError(
      "UNKNOWN_INPUT",
      `Nobody asked for "${name}". ${names === "" ? "There are no questions." : `Asked: ${names}.`}`,
    );
  }

  /** A person's yes or no to a step that waits for it. */
  async confirm(stepId: string, yes: boolean): Promise<void> {
    this.#refuseStandstill();
    if (this.isOver) throw new SequiturError("RUN_ENDED", `The run has ended (${this.#loop.state.status}).`);
    const asked = this.#loop.state.confirmations.get(stepId);
    if (asked === undefined || this.#confirmed.has(asked)) {
      throw new SequiturError("NOT_WAITING", `Step "${stepId}" is not waiting for a confirmation.`);
    }
    this.#confirmed.add(asked);
    const before = this.#loop.refusals;
    this.#loop.offer({ kind: "ConfirmationGiven", at: this.#port.now(), step: stepId, yes });
    await this.#recorded(before, () => this.#loop.state.confirmations.get(stepId) === asked);
  }

  async cancel(reason = ""): Promise<void> {
    this.#loop.offer({ kind: "CancelRequested", at: this.#port.now(), reason });
  }
}

export function isBlank(value: Json): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}
