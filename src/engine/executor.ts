/*
 * Carries out the commands of all runs of an engine: calls tools, at most so many at once, each with its own copy of its
 * arguments, and turns whatever comes back into an event.
 */
import type { Clock } from "../base/clock.ts";
import { cloneJson, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { ReadFiles, StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import type { ContextStore } from "../core/state.ts";
import type { StepError } from "../core/step-error.ts";
import type { Host } from "../drivers/run-loop.ts";
import { normaliseResult } from "../tools/normalise.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { type EmittedEvent, Suspension, type ToolContext, ToolError } from "../tools/tool.ts";
import type { FileReader } from "./file-reader.ts";

type Offer = (event: RunEvent) => void;

/** What the engine's runs share. */
export class Executor {
  readonly tools: ToolRegistry;
  readonly clock: Clock;
  readonly log: (entry: LogEntry) => void;
  readonly #concurrencyMax: number;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(tools: ToolRegistry, clock: Clock, concurrencyMax: number, log: (entry: LogEntry) => void) {
    this.tools = tools;
    this.clock = clock;
    this.#concurrencyMax = concurrencyMax;
    this.log = log;
  }

  get active(): number {
    return this.#active;
  }

  /** Calls back when there is room, at once where there is. */
  enter(start: () => void): void {
    if (this.#active >= this.#concurrencyMax) {
      this.#waiting.push(start);
      return;
    }
    this.#active++;
    start();
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#active--;
    else next();
  }
}

export interface LogEntry {
  readonly runId: string;
  readonly stepId: string;
  readonly message: string;
  readonly data: Json | undefined;
}

/** One run's way to its tools and files. */
export class RunHost implements Host {
  readonly clock: Clock;
  readonly #runId: string;
  readonly #executor: Executor;
  readonly #context: ContextStore;
  readonly #files: FileReader;
  readonly #underWay = new Map<number, Attempt>();

  constructor(runId: string, executor: Executor, context: ContextStore, files: FileReader) {
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
    const attempt = new Attempt(this.#runId, command, this.#executor, this.#context, offer, () => {
      this.#underWay.delete(command.call);
    });
    this.#underWay.set(command.call, attempt);
    this.#executor.enter(() => attempt.start());
  }

  abort(call: number, reason: string): void {
    this.#underWay.get(call)?.abort(reason);
  }

  readFiles(command: ReadFiles, offer: Offer): void {
    this.#files.read(command.paths).then((files) => {
      offer({ kind: "FilesRead", at: this.clock.now(), read: command.read, files });
    });
  }
}

/** One attempt at a call; it is also the context that the tool sees. */
class Attempt implements ToolContext {
  readonly runId: string;
  readonly stepId: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly #variables: ContextStore;
  readonly #command: StartStep;
  readonly #executor: Executor;
  readonly #offer: Offer;
  readonly #onEnd: () => void;
  #controller: AbortController | undefined;
  #cancelTimeout: (() => void) | undefined;
  #over = false;
  #entered = false;

  constructor(
    runId: string,
    command: StartStep,
    executor: Executor,
    variables: ContextStore,
    offer: Offer,
    onEnd: () => void,
  ) {
    this.runId = runId;
    this.stepId = command.step;
    this.attempt = command.attempt;
    this.idempotencyKey = command.idempotencyKey;
    this.#command = command;
    this.#executor = executor;
    this.#offer = offer;
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
    return (message, data) => this.#executor.log({ runId, stepId, message, data });
  }

  get context(): ToolContext["context"] {
    return {
      get: (name) => this.#variables.get(name),
      set: (name, value) => {
        const at = this.#executor.clock.now();
        if (!this.#over) this.#offer({ kind: "ContextSet", at, name, value: normaliseResult(value) });
      },
    };
  }

  #emit(event: EmittedEvent): void {
    if (this.#over || !isObject(event)) return;
    const base = { at: this.#executor.clock.now(), step: this.stepId };
    const agent = typeof event.agent === "string" ? event.agent : this.#command.agent;
    if (event.kind === "TextEmitted" && typeof event.text === "string") {
      this.#offer({ kind: "TextEmitted", ...base, agent, text: event.text });
    } else {
      this.#offer({ kind: "CustomEmitted", ...base, agent, event: normaliseResult(event) as JsonObject });
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
      this.#fail(
        new ToolError(`There is no tool called "${tool}".`, { code: "UNKNOWN_TOOL", retryable: false }),
      );
      return;
    }
    this.#call(definition.run);
  }

  async #call(run: (params: JsonObject, context: ToolContext) => unknown): Promise<void> {
    let result: unknown;
    try {
      result = await run(cloneJson(this.#command.arguments) as JsonObject, this);
      if (this.#over) return;
      this.#answer(result);
    } catch (error) {
      this.#fail(error);
    }
  }

  #answer(result: unknown): void {
    const { call, attempt } = this.#command;
    const at = this.#executor.clock.now();
    if (result instanceof Suspension) {
      const { untilMs } = result;
      this.#end({
        kind: "StepSuspended",
        at,
        call,
        attempt,
        untilMs,
        result: normaliseResult(result.result),
      });
    } else this.#end({ kind: "StepSucceeded", at, call, attempt, result: normaliseResult(result) });
  }

  #fail(error: unknown): void {
    const { call, attempt } = this.#command;
    this.#end({ kind: "StepFailed", at: this.#executor.clock.now(), call, attempt, error: errorOf(error) });
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

  #end(event: RunEvent | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelTimeout?.();
    this.#onEnd();
    if (event !== undefined) this.#offer(event);
    if (this.#entered) this.#executor.leave();
  }
}

/** Whatever a tool throws, as a value. */
export function errorOf(error: unknown): StepError {
  if (error instanceof ToolError) {
    const { name, code, message, retryable } = error;
    return { name, code, message, retryable };
  }
  if (error instanceof Error) {
    const code = "code" in error && typeof error.code === "string" ? error.code : "TOOL_ERROR";
    const retryable = "retryable" in error && error.retryable === false ? { retryable: false } : {};
    return { name: "ToolError", code, message: error.message || error.name, ...retryable };
  }
  return {
    name: "ToolError",
    code: "TOOL_ERROR",
    message: typeof error === "string" ? error : JSON.stringify(error),
  };
}
