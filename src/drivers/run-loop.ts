/*
 * The loop of one run: events are made durable, then handled by the core, then their commands are carried out, whose answers
 * are further events.
 *
 * I1  An event is durable before its commands are carried out.
 * I2  Events are handled one at a time, in the order in which they were recorded.
 * I3  A loop whose store has failed carries out nothing more.
 */
import type { Clock } from "../base/clock.ts";
import { advance, isOver } from "../core/advance.ts";
import type { Command, ReadFiles, StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import type { RunState } from "../core/state.ts";
import type { Driver } from "./driver.ts";
import type { Gatherer } from "./gatherer.ts";

/** Carries out what the core cannot do itself. */
export interface Host {
  readonly clock: Clock;
  /** Calls under way in this process, over all runs: where it is one, nothing else can arrive in this turn. */
  readonly underWay: number;
  /** Calls a tool; `offer` takes its answer, and whatever it emits on the way. */
  start(command: StartStep, offer: (event: RunEvent) => void): void;
  abort(call: number, reason: string): void;
  readFiles(command: ReadFiles, offer: (event: RunEvent) => void): void;
}

export class RunLoop {
  readonly id: string;
  readonly state: RunState;
  /** Why the loop stands still. */
  failure: unknown;
  readonly #driver: Driver;
  readonly #gatherer: Gatherer;
  readonly #host: Host;
  readonly #onTurn: (loop: RunLoop) => void;
  readonly #timers = new Set<() => void>();
  #inbox: RunEvent[] = [];
  #recorded: RunEvent[] = [];
  /** Handling events: what is offered meanwhile waits in the inbox. */
  #busy = false;
  /** In the gatherer's hands until the end of this turn of the event loop. */
  #gathering = false;

  constructor(
    id: string,
    state: RunState,
    driver: Driver,
    gatherer: Gatherer,
    host: Host,
    onTurn: (loop: RunLoop) => void,
  ) {
    this.id = id;
    this.state = state;
    this.#driver = driver;
    this.#gatherer = gatherer;
    this.#host = host;
    this.#onTurn = onTurn;
  }

  /** Something has happened. */
  offer = (event: RunEvent): void => {
    if (this.failure !== undefined || (isOver(this.state) && event.kind !== "RunResumed")) return;
    this.#inbox.push(event);
    if (!this.#busy && !this.#gathering) this.#schedule();
  };

  /** The first event was recorded with the run itself. */
  begin(first: RunEvent): void {
    this.#recorded.push(first);
    this.handleRecorded();
  }

  /** Goes on with a run whose journal has been folded into the state. */
  takeOver(commands: readonly Command[]): void {
    this.#busy = true;
    for (const command of commands) this.#carryOut(command);
    this.#rest();
  }

  /** A single answer is recorded at once; where more may arrive in this turn, they share a commit. */
  #schedule(): void {
    if (this.#mayGather()) {
      this.#gathering = true;
      this.#gatherer.add(this);
      return;
    }
    this.#busy = true;
    do {
      try {
        this.record();
      } catch (error) {
        this.fail(error);
        return;
      }
      this.#handle();
    } while (this.#inbox.length > 0 && !this.#mayGather());
    this.#rest();
  }

  #mayGather(): boolean {
    return this.#driver.gathers && (this.#host.underWay > 1 || !this.#gatherer.isEmpty);
  }

  record(): void {
    const events = this.#inbox;
    this.#inbox = [];
    this.#driver.append(this.id, events);
    for (const event of events) this.#recorded.push(event);
  }

  /** What has been recorded is durable now. */
  handleRecorded(): void {
    this.#gathering = false;
    this.#busy = true;
    this.#handle();
    this.#rest();
  }

  #handle(): void {
    const events = this.#recorded;
    this.#recorded = [];
    for (const event of events) {
      if (isOver(this.state) && event.kind !== "RunResumed") break;
      for (const command of advance(this.state, event)) this.#carryOut(command);
    }
    this.#onTurn(this);
  }

  #rest(): void {
    this.#busy = false;
    if (this.#inbox.length > 0 && this.failure === undefined) this.#schedule();
  }

  #carryOut(command: Command): void {
    switch (command.kind) {
      case "StartStep":
        this.#host.start(command, this.offer);
        return;
      case "StartTimer":
        this.#startTimer(command.name, command.atMs);
        return;
      case "ReadFiles":
        this.#host.readFiles(command, this.offer);
        return;
      case "AbortStep":
        this.#host.abort(command.call, command.reason);
        return;
      case "FinishRun":
        this.#stopTimers();
        return;
      default:
        return;
    }
  }

  #startTimer(name: string, atMs: number): void {
    const cancel = this.#host.clock.at(atMs, () => {
      this.#timers.delete(cancel);
      this.offer({ kind: "TimerFired", at: this.#host.clock.now(), name });
    });
    this.#timers.add(cancel);
  }

  #stopTimers(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  /** The store is gone: nothing may be carried out that is not recorded, so the run stands still here. */
  fail(error: unknown): void {
    this.failure = error;
    this.#inbox = [];
    this.#stopTimers();
    this.#onTurn(this);
  }
}
