/*
 * Carries out the commands of all runs of an engine: calls tools, at most so many at once, each with its own copy of its
 * arguments, and turns whatever comes back into an event.
 */
import type { Clock } from "../base/clock.ts";
import { cloneJson, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { ReadFiles, StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import type { StepError } from "../core/step-error.ts";
import type { Host } from "../drivers/run-loop.ts";
import { FileAccessError } from "../files/file-access-error.ts";
import type { RunFiles } from "../files/granted-files.ts";
import { normaliseResult } from "../tools/normalise.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { type EmittedEvent, Suspension, type ToolContext, ToolError } from "../tools/tool.ts";
import { readFiles } from "./file-reader.ts";
import type { RunVariables } from "./run-variables.ts";
import { type SecretVault, scrubEvent } from "./secrets.ts";

type Offer = (event: RunEvent) => void;

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

interface Surroundings {
  readonly executor: Executor;
  readonly variables: RunVariables;
  readonly files: RunFiles;
  readonly usesSecrets: boolean;
}

/** One attempt at a call; it is also the context that the tool sees. */
class Attempt implements ToolContext {
  readonly runId: string;
  readonly stepId: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly files: RunFiles;
  readonly #variables: RunVariables;
  readonly #command: StartStep;
  readonly #executor: Executor;
  readonly #offer: Offer;
  readonly #usesSecrets: boolean;
  readonly #onEnd: () => void;
  #controller: AbortController | undefined;
  #cancelTimeout: (() => void) | undefined;
  #over = false;
  #entered = false;

  constructor(
    runId: string,
    command: StartStep,
    { executor, variables, files, usesSecrets }: Surroundings,
    offer: Offer,
    onEnd: () => void,
  ) {
    this.runId = runId;
    this.stepId = command.step;
    this.attempt = command.attempt;
    this.idempotencyKey = command.idempotencyKey;
    this.files = files;
    this.#command = command;
    this.#executor = executor;
    this.#offer = offer;
    this.#usesSecrets = usesSecrets;
    this.#onEnd = onEnd;
    this.#variables = variables;
  }

  /** Made only for tools that look at it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over && !this.#controller.signal.aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Bound, since tools take it apart: `(params, { emit }) => …`. Made only for tools that use it. */
  get emit(): (event: EmittedEvent) => void {
    return (event) => this.#emit(event);
  }

  get log(): (message: string, data?: Json) => void {
    const { runId, stepId } = this;
    const { secrets } = this.#executor;
    return (message, data) => {
      this.#executor.log({
        runId,
        stepId,
        message: secrets.scrub(message),
        data: data && secrets.scrub(data),
      });
    };
  }

  get context(): ToolContext["context"] {
    return {
      get: (name) => this.#variables.get(name),
      set: (name, value) => {
        if (!this.#over) this.#setVariable(name, normaliseResult(value));
      },
    };
  }

  #setVariable(name: string, value: Json): void {
    const lost = this.#variables.set(name, value);
    const at = this.#executor.clock.now();
    this.#send({ kind: "ContextSet", at, name, value });
    if (lost !== undefined) this.#emit({ kind: "UpdateLost", ...lost });
  }

  #emit(event: EmittedEvent): void {
    if (this.#over || !isObject(event)) return;
    const base = { at: this.#executor.clock.now(), step: this.stepId };
    const agent = typeof event.agent === "string" ? event.agent : this.#command.agent;
    if (event.kind === "TextEmitted" && typeof event.text === "string") {
      this.#send({ kind: "TextEmitted", ...base, agent, text: event.text });
    } else {
      this.#send({ kind: "CustomEmitted", ...base, agent, event: normaliseResult(event) as JsonObject });
    }
  }

  start(): void {
    this.#entered = true;
    if (this.#over) {
      this.#executor.leave();
      return;
    }
    const { timeoutMs, tool } = this.#command;
    if (timeoutMs !== undefined) {
      this.#cancelTimeout = this.#executor.clock.at(this.#executor.clock.now() + timeoutMs, () =>
        this.#timeOut(timeoutMs),
      );
    }
    const definition = this.#executor.tools.get(tool);
    if (definition === undefined) {
      const unknown = new ToolError(`There is no tool called "${tool}".`, {
        code: "UNKNOWN_TOOL",
        retryable: false,
      });
      this.#end(this.#failure(unknown));
      return;
    }
    this.#call(definition.run);
  }

  async #call(run: (params: JsonObject, context: ToolContext) => unknown): Promise<void> {
    let event: RunEvent;
    try {
      const result = await run(this.#arguments(), this);
      if (this.#over) return;
      event = this.#answer(result);
    } catch (error) {
      event = this.#failure(error);
    }
    this.#end(event);
  }

  /** The tool's own copy. */
  #arguments(): JsonObject {
    const args = this.#command.arguments;
    return (this.#usesSecrets ? this.#executor.secrets.fill(args) : cloneJson(args)) as JsonObject;
  }

  #answer(result: unknown): RunEvent {
    const { call, attempt } = this.#command;
    const at = this.#executor.clock.now();
    if (!(result instanceof Suspension)) {
      return { kind: "StepSucceeded", at, call, attempt, result: normaliseResult(result) };
    }
    const { untilMs } = result;
    return { kind: "StepSuspended", at, call, attempt, untilMs, result: normaliseResult(result.result) };
  }

  #failure(error: unknown): RunEvent {
    const { call, attempt } = this.#command;
    return { kind: "StepFailed", at: this.#executor.clock.now(), call, attempt, error: errorOf(error) };
  }

  #timeOut(timeoutMs: number): void {
    if (this.#over) return;
    const { call, attempt, tool } = this.#command;
    const message = `${tool} did not answer within ${timeoutMs} ms`;
    const error: StepError = { name: "TimeoutError", code: "TIMEOUT", message };
    this.#end({ kind: "StepFailed", at: this.#executor.clock.now(), call, attempt, error });
    this.#controller?.abort(new ToolError(message, { code: "TIMEOUT" }));
  }

  /** Nobody waits any more; what the tool still gives is not looked at. */
  abort(reason: string): void {
    if (this.#over) return;
    this.#end(undefined);
    this.#controller?.abort(new ToolError(reason, { code: "CANCELLED" }));
  }

  /** The one way out of a tool. */
  #send(event: RunEvent): void {
    const { secrets } = this.#executor;
    this.#offer(secrets.isEmpty ? event : scrubEvent(event, secrets));
  }

  #end(event: RunEvent | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelTimeout?.();
    this.#onEnd();
    if (event !== undefined) this.#send(event);
    if (this.#entered) this.#executor.leave();
  }
}

/** Whatever a tool throws, as a value. */
function errorOf(error: unknown): StepError {
  if (error instanceof ToolError) {
    const { name, code, message, retryable } = error;
    return { name, code, message, retryable };
  }
  if (error instanceof FileAccessError) {
    const { name, code, message, retryable } = error;
    return { name, code, message, retryable };
  }
  if (error instanceof Error) {
    const code = "code" in error && typeof error.code === "string" ? error.code : "TOOL";
    const retryable = "retryable" in error && error.retryable === false ? { retryable: false } : {};
    return { name: "ToolError", code, message: error.message || error.name, ...retryable };
  }
  return { name: "ToolError", code: "TOOL", message: textOf(error) };
}

function textOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  try {
    return JSON.stringify(normaliseResult(thrown));
  } catch {
    return `The tool threw ${typeof thrown === "function" ? "a function" : "something that has no JSON form"}.`;
  }
}
