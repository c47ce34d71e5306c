import { cloneJson, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { StartStep } from "../core/commands.ts";
import type { RunEvent } from "../core/events.ts";
import type { StepError } from "../core/step-error.ts";
import { MODEL_USED } from "../core/usage.ts";
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
import type { Executor } from "./executor.ts";
import type { RunVariables } from "./run-variables.ts";
import { scrubEvent } from "./secrets.ts";

/** Takes what has happened. */
export type Offer = (event: RunEvent) => void;

/** What surrounds every call of a run. */
export interface Surroundings {
  readonly executor: Executor;
  readonly variables: RunVariables;
  readonly files: RunFiles;
  readonly usesSecrets: boolean;
}

/** One attempt at a call; it is also the context that the tool sees. */
export class Attempt implements ToolContext {
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

  get meter(): ModelMeter {
    const { budget } = this.#variables;
    return {
      refuseIfSpent: () => budget.refuseIfSpent(),
      report: ({ model, ...usage }) => {
        budget.add(usage);
        this.#emit({ kind: MODEL_USED, model, usage: { ...usage } });
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
