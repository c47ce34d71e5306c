import { isObject, type Json, type JsonObject } from "../base/json.ts";
import type { StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import { idempotencyKey } from "../core/ids.ts";
import type { StepError } from "../core/step-error.ts";
import { MODEL_USED } from "../core/usage.ts";
import type { Inbox } from "../drivers/run-loop.ts";
import { FileAccessError } from "../files/file-access-error.ts";
import type { RunFiles } from "../files/granted-files.ts";
import { normaliseResult } from "../tools/normalise.ts";
import {
  type EmittedEvent,
  type ModelMeter,
  Suspension,
  type ToolContext,
  ToolError,
} from "../tools/tool.ts";
import type { RunHost } from "./executor.ts";
import { scrubEvent } from "./secrets.ts";

/** One attempt at a call; it is also the context that the tool sees. */
export class Attempt implements ToolContext {
  /** What the tool gave: its result, or a promise of it. */
  answer: unknown = undefined;
  /** Nobody waits for the answer any more. */
  isOver = false;
  readonly #host: RunHost;
  readonly #command: StartStep;
  readonly #inbox: Inbox;
  #controller: AbortController | undefined = undefined;
  #cancelTimeout: (() => void) | undefined = undefined;
  #entered = false;

  constructor(host: RunHost, command: StartStep, inbox: Inbox) {
    this.#host = host;
    this.#command = command;
    this.#inbox = inbox;
  }

  get runId(): string {
    return this.#host.runId;
  }

  get stepId(): string {
    return this.#command.step;
  }

  get attempt(): number {
    return this.#command.attempt;
  }

  get idempotencyKey(): string {
    return idempotencyKey(this.#host.runId, this.#command);
  }

  get files(): RunFiles {
    return this.#host.files;
  }

  /** Made only for tools that look at it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isOver && !this.#controller.signal.aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Bound, since tools take it apart: `(params, { emit }) => …`. Made only for tools that use it. */
  get emit(): (event: EmittedEvent) => void {
    return (event) => this.#emit(event);
  }

  get log(): (message: string, data?: Json) => void {
    const { runId, stepId } = this;
    const { secrets } = this.#host.executor;
    return (message, data) => {
      this.#host.executor.log({
        runId,
        stepId,
        message: secrets.scrub(message),
        data: data && secrets.scrub(data),
      });
    };
  }

  get context(): ToolContext["context"] {
    return {
      get: (name) => this.#host.variables.get(name),
      set: (name, value) => {
        if (!this.isOver) this.#setVariable(name, normaliseResult(value));
      },
    };
  }

  get meter(): ModelMeter {
    const { budget } = this.#host.variables;
    return {
      refuseIfSpent: () => budget.refuseIfSpent(),
      report: ({ model, ...usage }) => {
        budget.add(usage);
        this.#emit({ kind: MODEL_USED, model, usage: { ...usage } });
      },
    };
  }

  #setVariable(name: string, value: Json): void {
    const lost = this.#host.variables.set(name, value);
    const at = this.#host.clock.now();
    this.#send({ kind: "ContextSet", at, name, value });
    if (lost !== undefined) this.#emit({ kind: "UpdateLost", ...lost });
  }

  #emit(event: EmittedEvent): void {
    if (this.isOver || !isObject(event)) return;
    const base = { at: this.#host.clock.now(), step: this.stepId };
    const agent = typeof event.agent === "string" ? event.agent : this.#command.agent;
    if (event.kind === "TextEmitted" && typeof event.text === "string") {
      this.#send({ kind: "TextEmitted", ...base, agent, text: event.text });
    } else {
      this.#send({ kind: "CustomEmitted", ...base, agent, event: normaliseResult(event) as JsonObject });
    }
  }

  /** Calls the tool, unless nobody waits for it any more. One that fails at once gives an answer that fails. */
  start(): boolean {
    if (this.isOver) return false;
    this.#entered = true;
    const { clock, around } = this.#host;
    const { timeoutMs } = this.#command;
    if (timeoutMs !== undefined)
      this.#cancelTimeout = clock.at(clock.now() + timeoutMs, () => this.#timeOut(timeoutMs));
    if (around === undefined) this.#call();
    else around(this.#command, () => this.#call());
    return true;
  }

  #call(): void {
    const { tool } = this.#command;
    try {
      const definition = this.#host.executor.tools.get(tool);
      if (definition === undefined) throw unknownTool(tool);
      this.answer = definition.run(this.#arguments(), this);
    } catch (error) {
      this.answer = Promise.reject(error);
    }
  }

  #arguments(): JsonObject {
    const { usesSecrets, executor } = this.#host;
    const { arguments: args } = this.#command;
    return usesSecrets ? (executor.secrets.fill(args) as JsonObject) : args;
  }

  /** What happened: the tool has answered. */
  succeeded(result: unknown): RunEvent {
    const { call, attempt } = this.#command;
    const at = this.#host.clock.now();
    if (!(result instanceof Suspension)) {
      return { kind: "StepSucceeded", at, call, attempt, result: normaliseResult(result) };
    }
    const { untilMs } = result;
    return { kind: "StepSuspended", at, call, attempt, untilMs, result: normaliseResult(result.result) };
  }

  /** What happened: the tool has failed, or its answer is none. */
  failed(error: unknown): RunEvent {
    const { call, attempt } = this.#command;
    return { kind: "StepFailed", at: this.#host.clock.now(), call, attempt, error: errorOf(error) };
  }

  #timeOut(timeoutMs: number): void {
    if (this.isOver) return;
    const { call, attempt, tool } = this.#command;
    const message = `${tool} did not answer within ${timeoutMs} ms`;
    const error: StepError = { name: "TimeoutError", code: "TIMEOUT", message };
    this.end({ kind: "StepFailed", at: this.#host.clock.now(), call, attempt, error });
    this.#controller?.abort(new ToolError(message, { code: "TIMEOUT" }));
  }

  /** Nobody waits any more; what the tool still gives is not looked at. */
  abort(reason: string): void {
    if (this.isOver) return;
    this.end(undefined);
    this.#controller?.abort(new ToolError(reason, { code: "CANCELLED" }));
  }

  /** The one way out of a tool. */
  #send(event: RunEvent): void {
    const { secrets } = this.#host.executor;
    this.#inbox.offer(secrets.isEmpty ? event : scrubEvent(event, secrets));
  }

  /** The attempt is over, with what happened, or because nobody waits for it. */
  end(event: RunEvent | undefined): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#cancelTimeout?.();
    this.#host.underWayHere.delete(this.#command.call);
    if (event !== undefined) this.#send(event);
    if (this.#entered) this.#host.executor.leave();
  }
}

function unknownTool(tool: string): ToolError {
  const message = `There is no tool called "${tool}".`;
  return new ToolError(message, { code: "UNKNOWN_TOOL", retryable: false });
}

/** Whatever a tool throws, as a value. */
function errorOf(error: unknown): StepError {
  if (error instanceof ToolError) {
    const { name, code, message, retryable, retryAfterMs } = error;
    return { name, code, message, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
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
