/*
 * Carries out the commands of all runs of an engine: calls tools, at most so many at once, each with its own copy of its
 * arguments, and turns whatever comes back into an event.
 */
import type { Clock } from "../base/clock.ts";
import type { Json } from "../base/json.ts";
import type { ReadFiles, StartStep } from "../core/commands.ts";
import type { Host } from "../drivers/run-loop.ts";
import type { RunFiles } from "../files/granted-files.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { Attempt, type Offer } from "./attempt.ts";
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
  readonly #waiting: (() => void)[] = [];

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

  /** Calls back when there is room, at once where there is. */
  enter(start: () => void): void {
    if (this.#active >= this.#concurrencyMax || this.#onDrained !== undefined) {
      this.#waiting.push(start);
      return;
    }
    this.#active++;
    start();
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
      this.#active++;
      next();
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
  readonly #runId: string;
  readonly #executor: Executor;
  readonly #context: RunVariables;
  readonly #files: RunFiles;
  readonly #usesSecrets: boolean;
  readonly #around: Around | undefined;
  readonly #underWay = new Map<number, Attempt>();

  constructor(
    runId: string,
    executor: Executor,
    context: RunVariables,
    files: RunFiles,
    usesSecrets: boolean,
    around?: Around,
  ) {
    this.#usesSecrets = usesSecrets;
    this.#around = around;
    this.clock = executor.clock;
    this.#runId = runId;
    this.#executor = executor;
    this.#context = context;
    this.#files = files;
  }

  get underWay(): number {
    return this.#executor.active;
  }

  start(command: StartStep, offer: Offer): void {
    const surroundings = {
      executor: this.#executor,
      variables: this.#context,
      files: this.#files,
      usesSecrets: this.#usesSecrets,
    };
    const attempt = new Attempt(this.#runId, command, surroundings, offer, () => {
      this.#underWay.delete(command.call);
    });
    this.#underWay.set(command.call, attempt);
    const around = this.#around;
    this.#executor.enter(
      around === undefined ? () => attempt.start() : () => around(command, () => attempt.start()),
    );
  }

  abort(call: number, reason: string): void {
    this.#underWay.get(call)?.abort(reason);
  }

  abortAll(reason: string): void {
    for (const attempt of [...this.#underWay.values()]) attempt.abort(reason);
  }

  readFiles(command: ReadFiles, offer: Offer): void {
    readFiles(this.#files, command.paths).then((files) => {
      offer({ kind: "FilesRead", at: this.clock.now(), read: command.read, files });
    });
  }
}
