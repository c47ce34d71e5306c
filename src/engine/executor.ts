/*
 * Carries out the commands of all runs of an engine: calls tools, at most so many at once, each with its own copy of its
 * arguments, and turns whatever comes back into an event.
 */
import type { Clock } from "../base/clock.ts";
import { Fifo } from "../base/fifo.ts";
import type { Json } from "../base/json.ts";
import { Slots } from "../base/slots.ts";
import type { ReadFiles, StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import type { Host, Inbox } from "../drivers/run-loop.ts";
import type { RunFiles } from "../files/granted-files.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { Attempt } from "./attempt.ts";
import { readFiles } from "./file-reader.ts";
import type { RunVariables } from "./run-variables.ts";
import type { SecretVault } from "./secrets.ts";

/** What the engine's runs share. */
export class Executor {
  readonly tools: ToolRegistry;
  readonly clock: Clock;
  readonly log: (entry: LogEntry) => void;
  readonly secrets: SecretVault;
  readonly #concurrencyMax: number;
  #active = 0;
  /** Called when the last call under way has ended; from then on nothing is let in. */
  #onDrained: (() => void) | undefined;
  #admitting = false;
  readonly #waiting = new Fifo<Attempt>();
  /** An answer is being handled; the first call that this starts is waited for where the answer was. */
  #handling = false;
  #next: Attempt | undefined;
  /**
   * One that was started lately, with all of its run: nobody reads it. V8 forgets the shape of objects of which none is left
   * at a full garbage collection, and with it all code that it has optimized for them. Where nothing ran at that moment, the
   * next runs took nearly twice as long.
   */
  latest: Attempt | undefined;

  constructor(
    tools: ToolRegistry,
    clock: Clock,
    concurrencyMax: number,
    log: (entry: LogEntry) => void,
    secrets: SecretVault,
  ) {
    this.tools = tools;
    this.clock = clock;
    this.#concurrencyMax = concurrencyMax;
    this.log = log;
    this.secrets = secrets;
  }

  get active(): number {
    return this.#active;
  }

  /** Starts an attempt when there is room, at once where there is. */
  enter(attempt: Attempt): void {
    if (this.#active >= this.#concurrencyMax || this.#onDrained !== undefined) this.#waiting.push(attempt);
    else this.#start(attempt);
  }

  #start(attempt: Attempt): void {
    this.#active++;
    if (!attempt.start()) this.leave();
    else if (this.#handling && this.#next === undefined) this.#next = attempt;
    else this.#await(attempt);
  }

  /**
   * Waits for a tool's answer, then for that of the tool which it started, and so on: a chain of steps is one loop, not a
   * promise for each step.
   */
  async #await(first: Attempt): Promise<void> {
    this.latest = first;
    for (let attempt: Attempt | undefined = first; attempt !== undefined; attempt = this.#next) {
      let event: RunEvent;
      try {
        event = attempt.succeeded(await attempt.answer);
      } catch (error) {
        event = attempt.failed(error);
      }
      this.#handling = true;
      this.#next = undefined;
      attempt.end(event);
      this.#handling = false;
    }
  }

  leave(): void {
    this.#active--;
    if (this.#onDrained !== undefined) {
      if (this.#active === 0) this.#onDrained();
      return;
    }
    // Whoever was called off while waiting leaves at once, from inside its start: a loop, not a recursion, lets the next one in.
    if (this.#admitting) return;
    this.#admitting = true;
    while (this.#active < this.#concurrencyMax) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#start(next);
    }
    this.#admitting = false;
  }

  /** Lets nothing in any more; resolves when what is under way has ended. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#onDrained = resolve;
      if (this.#active === 0) resolve();
    });
  }
}

export interface LogEntry {
  readonly runId: string;
  readonly stepId: string;
  readonly message: string;
  readonly data: Json | undefined;
}

/** Starts a tool in surroundings of its own: those of its trace. */
export type Around = (command: StartStep, start: () => void) => void;

/** One run's way to its tools and files. */
export class RunHost implements Host {
  readonly clock: Clock;
  readonly runId: string;
  readonly executor: Executor;
  readonly #makeVariables: () => RunVariables;
  #variables: RunVariables | undefined = undefined;
  readonly files: RunFiles;
  readonly usesSecrets: boolean;
  readonly around: Around | undefined;
  /** By the numbers of their calls. */
  readonly underWayHere = new Slots<Attempt>();

  constructor(
    runId: string,
    executor: Executor,
    makeVariables: () => RunVariables,
    files: RunFiles,
    usesSecrets: boolean,
    around?: Around,
  ) {
    this.clock = executor.clock;
    this.runId = runId;
    this.executor = executor;
    this.#makeVariables = makeVariables;
    this.files = files;
    this.usesSecrets = usesSecrets;
    this.around = around;
  }

  /** Made for the first tool that asks for them. */
  get variables(): RunVariables {
    this.#variables ??= this.#makeVariables();
    return this.#variables;
  }

  get underWay(): number {
    return this.executor.active;
  }

  start(command: StartStep, inbox: Inbox): void {
    const attempt = new Attempt(this, command, inbox);
    this.underWayHere.set(command.call, attempt);
    this.executor.enter(attempt);
  }

  abort(call: number, reason: string): void {
    this.underWayHere.get(call)?.abort(reason);
  }

  abortAll(reason: string): void {
    for (const attempt of this.underWayHere.all()) attempt.abort(reason);
  }

  readFiles(command: ReadFiles, inbox: Inbox): void {
    readFiles(this.files, command.paths).then((files) => {
      inbox.offer({ kind: "FilesRead", at: this.clock.now(), read: command.read, files });
    });
  }
}
