/*
 * The loop of one run: events are made durable, then handled by the core, then their commands are carried out, whose answers
 * are further events.
 *
 * I1  An event is durable before its commands are carried out.
 * I2  Events are handled one at a time, in the order in which they were recorded.
 * I3  A loop whose store has failed carries out nothing more.
 * I4  A loop whose run another process has gone on with carries out nothing either: it follows, by reading the journal.
 */
import type { Clock } from "../base/clock.ts";
import { SequiturError } from "../base/error.ts";
import { RareSet } from "../base/rare.ts";
import { advance, isOver } from "../core/advance.ts";
import type { Command, ReadFiles, StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import { outstanding } from "../core/outstanding.ts";
import type { RunState } from "../core/state.ts";
import { type Driver, LEASE_LOST } from "./driver.ts";
import type { Gatherer } from "./gatherer.ts";

/** Takes what has happened. */
export interface Inbox {
  offer(event: RunEvent): void;
}

/** Carries out what the core cannot do itself. */
export interface Host {
  readonly clock: Clock;
  /** Calls under way in this process, over all runs: where it is one, nothing else can arrive in this turn. */
  readonly underWay: number;
  /** Calls a tool; its answer, and whatever it emits on the way, goes to `inbox`. */
  start(command: StartStep, inbox: Inbox): void;
  abort(call: number, reason: string): void;
  /** Gives up every call that is under way. */
  abortAll(reason: string): void;
  readFiles(command: ReadFiles, inbox: Inbox): void;
}

/** Whoever wants to know how a loop gets on. */
export interface LoopOwner {
  /** Events have been handled, or the loop stands still. */
  turned(loop: RunLoop): void;
  /** Sees what was handled and what will be done about it; without an event, what was taken over from another process. */
  watch(event: RunEvent | undefined, commands: readonly Command[]): void;
}

export class RunLoop implements Inbox {
  readonly id: string;
  readonly state: RunState;
  /** Why the loop stands still. */
  failure: unknown;
  /** Another process has gone on with the run. */
  isFollowing = false;
  /** How often something was offered that is not on record: whoever offered it may want to know. */
  refusals = 0;
  readonly #driver: Driver;
  readonly #gatherer: Gatherer;
  readonly #host: Host;
  readonly #owner: LoopOwner;
  readonly #timers = new RareSet<() => void>();
  #seen = 0;
  #inbox: RunEvent[] = [];
  #recorded: RunEvent[] = [];
  /** Handling events: what is offered meanwhile waits in the inbox. */
  #busy = false;
  /** In the gatherer's hands until the end of this turn of the event loop. */
  #gathering = false;

  constructor(id: string, state: RunState, driver: Driver, gatherer: Gatherer, host: Host, owner: LoopOwner) {
    this.id = id;
    this.state = state;
    this.#driver = driver;
    this.#gatherer = gatherer;
    this.#host = host;
    this.#owner = owner;
  }

  /** Something has happened. */
  offer(event: RunEvent): void {
    const isLate = this.failure !== undefined || (isOver(this.state) && event.kind !== "RunResumed");
    // A run that waits is anyone's; one that runs elsewhere is not for us to write to.
    if (isLate || (this.isFollowing && this.state.status === "running")) {
      this.refusals++;
      return;
    }
    if (this.#busy || this.#gathering || this.#inbox.length > 0 || this.#mayGather()) {
      this.#inbox.push(event);
      if (!this.#busy && !this.#gathering) this.#schedule();
    } else this.#takeAlone(event);
  }

  /** What most events are: the only one, with nothing before it. */
  #takeAlone(event: RunEvent): void {
    this.#busy = true;
    try {
      this.#driver.append(this.id, this.#seen, [event]);
    } catch (error) {
      this.refused(error);
      return;
    }
    this.isFollowing = false;
    this.#seen++;
    if (this.#turn(event)) this.#owner.turned(this);
    this.#rest();
  }

  /** Events in the journal that the state has seen. */
  get seen(): number {
    return this.#seen;
  }

  /** The first event was recorded with the run itself. */
  begin(first: RunEvent): void {
    this.#recorded.push(first);
    this.handleRecorded();
  }

  /** Goes on with a run whose journal, of so many events, has been folded into the state. */
  takeOver(seen: number, commands: readonly Command[]): void {
    this.#seen = seen;
    this.isFollowing = false;
    this.#busy = true;
    if (commands.length > 0) this.#owner.watch(undefined, commands);
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
        this.refused(error);
        return;
      }
      this.#handle();
    } while (this.#inbox.length > 0 && !this.#mayGather());
    this.#rest();
  }

  #mayGather(): boolean {
    return this.#driver.gathers && (this.#host.underWay > 1 || !this.#gatherer.isEmpty);
  }

  /** Writes what has come in; it counts once it is durable. */
  record(): void {
    const events = this.#inbox;
    if (events.length > 0) this.#driver.append(this.id, this.#seen, events);
    this.isFollowing = false;
    // Two lists that change places: an event costs no list of its own.
    this.#inbox = this.#recorded;
    this.#recorded = events;
  }

  /** The commit that what was recorded was to be part of has failed. */
  unrecord(): void {
    this.#inbox = [...this.#recorded, ...this.#inbox];
    this.#recorded = [];
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
    this.#seen += events.length;
    for (let i = 0; i < events.length; i++) {
      const event = events[i] as RunEvent;
      // The run may have ended with one that was recorded together with this one.
      const isLate = isOver(this.state) && event.kind !== "RunResumed";
      if (!isLate && !this.#turn(event)) return;
    }
    while (events.length > 0) events.pop();
    this.#owner.turned(this);
  }

  /** Handles one event; false where the loop stands still after it. */
  #turn(event: RunEvent): boolean {
    try {
      const commands = advance(this.state, event);
      this.#owner.watch(event, commands);
      for (let i = 0; i < commands.length; i++) this.#carryOut(commands[i] as Command);
      return true;
    } catch (cause) {
      // We are wrong, not the plan: whoever waits for the run must hear of it.
      const message = `The run "${this.id}" stands still: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.fail(new SequiturError("RUN_BROKEN", message, { cause }));
      return false;
    }
  }

  #rest(): void {
    this.#busy = false;
    if (this.#inbox.length > 0 && this.failure === undefined) this.#schedule();
  }

  #carryOut(command: Command): void {
    switch (command.kind) {
      case "StartStep":
        this.#host.start(command, this);
        return;
      case "StartTimer":
        this.#startTimer(command.name, command.atMs);
        return;
      case "ReadFiles":
        this.#host.readFiles(command, this);
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

  /** What came in was not recorded. */
  refused(error: unknown): void {
    this.refusals++;
    if (error instanceof SequiturError && error.code === LEASE_LOST) this.#follow(error);
    else this.fail(error);
  }

  /** Another process goes on with the run: nothing is carried out here any more, but what happens is seen. */
  #follow(error: SequiturError): void {
    this.isFollowing = true;
    this.#standStill(error.message);
    this.#busy = false;
    this.catchUp();
    this.#owner.turned(this);
  }

  /** Takes in what others have recorded. Carrying it out is their business, unless the run waits again, which is nobody's. */
  catchUp(): void {
    if (this.#busy || this.#gathering || this.failure !== undefined) return;
    try {
      const before = this.#seen;
      for (const event of this.#driver.events(this.id, before)) {
        if (!this.isFollowing) this.#standStill("Another process goes on with the run.");
        this.isFollowing = true;
        this.#seen++;
        advance(this.state, event);
      }
      if (this.#seen === before) return;
      if (this.state.status === "waiting")
        for (const command of outstanding(this.state)) this.#carryOut(command);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#owner.turned(this);
  }

  /** The store is gone: nothing may be carried out that is not recorded, so the run stands still here. */
  fail(error: unknown): void {
    this.failure = error;
    this.#standStill(error instanceof Error ? error.message : String(error));
    this.#owner.turned(this);
  }

  #standStill(reason: string): void {
    this.#inbox = [];
    this.#recorded = [];
    this.#gathering = false;
    this.#stopTimers();
    this.#host.abortAll(reason);
  }
}
