/*
 * The loop of one run: events are made durable, then handled by the core, then their commands are carried out, whose answers
 * are further events.
 *
 * I1  An event is durable before its commands are carried out.
 * I2  Events are handled one at a time, in the order in which they were recorded.
 */
import type { Clock } from "../base/clock.ts";
import { advance, isOver } from "../core/advance.ts";
import type { Command, ReadFiles, StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import type { RunState } from "../core/state.ts";
import type { Driver } from "./driver.ts";

/** Carries out what the core cannot do itself. */
export interface Host {
  readonly clock: Clock;
  /** Calls a tool; `offer` takes its answer, and whatever it emits on the way. */
  start(command: StartStep, offer: (event: RunEvent) => void): void;
  abort(call: number, reason: string): void;
  readFiles(command: ReadFiles, offer: (event: RunEvent) => void): void;
}

export class RunLoop {
  readonly id: string;
  readonly state: RunState;
  readonly #driver: Driver;
  readonly #host: Host;
  readonly #onTurn: (loop: RunLoop) => void;
  readonly #timers = new Set<() => void>();
  #inbox: RunEvent[] = [];
  #busy = false;

  constructor(id: string, state: RunState, driver: Driver, host: Host, onTurn: (loop: RunLoop) => void) {
    this.id = id;
    this.state = state;
    this.#driver = driver;
    this.#host = host;
    this.#onTurn = onTurn;
  }

  /** Something has happened. */
  offer = (event: RunEvent): void => {
    if (isOver(this.state)) return;
    this.#inbox.push(event);
    if (!this.#busy) this.#drain();
  };

  /** The first event was recorded with the run itself. */
  begin(first: RunEvent): void {
    this.#busy = true;
    this.#handle([first]);
    this.#busy = false;
    this.#drain();
  }

  #drain(): void {
    this.#busy = true;
    while (this.#inbox.length > 0) {
      const events = this.#inbox;
      this.#inbox = [];
      const durable = this.#driver.append(this.id, events);
      if (durable !== undefined) {
        durable.then(
          () => {
            this.#handle(events);
            this.#drain();
          },
          (error: unknown) => this.#fail(error),
        );
        return;
      }
      this.#handle(events);
    }
    this.#busy = false;
  }

  #handle(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (isOver(this.state)) break;
      for (const command of advance(this.state, event)) this.#carryOut(command);
    }
    this.#onTurn(this);
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
        for (const cancel of this.#timers) cancel();
        this.#timers.clear();
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

  /** The store is gone: nothing may be carried out that is not recorded, so the run stands still here. */
  #fail(error: unknown): void {
    this.failure = error;
    for (const cancel of this.#timers) cancel();
    this.#onTurn(this);
  }

  failure: unknown;
}
