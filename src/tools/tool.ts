import type { Json, JsonObject } from "../base/json.ts";
import type { RunFiles } from "../files/granted-files.ts";
import type { Placement } from "../ir/program.ts";
import type { FromSchema } from "./schema-types.ts";

/** What a tool is given besides its parameters. */
export interface ToolContext {
  readonly runId: string;
  /** `outer.x[3].y` */
  readonly stepId: string;
  /** 1 for the first call. */
  readonly attempt: number;
  /** The same for every attempt of this call, also after a crash: hand it to services that can tell repeats apart. */
  readonly idempotencyKey: string;
  /** Fires when nobody waits for the result any more: a timeout, or the run was cancelled. */
  readonly signal: AbortSignal;
  /** Records something that happened: text that an agent said, or an event of your own. */
  emit(event: EmittedEvent): void;
  readonly context: ToolContextVariables;
  /** For tools that call models: what they take is recorded with the step, and counts towards the run's budget. */
  readonly meter: ModelMeter;
  /** The file store, with the access that the run was started with. */
  readonly files: RunFiles;
  log(message: string, data?: Json): void;
}

export interface ModelMeter {
  /** Throws where the run's budget is spent: nothing more may be called then. */
  refuseIfSpent(): void;
  report(use: ModelUse): void;
}

/** What one call of a model took. */
export interface ModelUse {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Where the prices are known. */
  readonly cost?: number;
}

/** `{ kind: "TextEmitted", text, agent? }`, or anything else with a `kind`. */
export type EmittedEvent =
  | { readonly kind: "TextEmitted"; readonly text: string; readonly agent?: string }
  | (JsonObject & { readonly kind: string });

/** Context variables, as a tool sees them. */
export interface ToolContextVariables {
  get(name: string): Json | undefined;
  /** Not for derived variables, which only their triggers set. */
  set(name: string, value: Json): void;
}

// Parameters are whatever the plan says; a tool that wants them typed declares it in its own signature.
// biome-ignore lint/suspicious/noExplicitAny: the one place where JSON meets functions that people write with types of their own
export type ToolFunction = (params: any, context: ToolContext) => unknown;

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schemas of the parameters and the result. */
  readonly input?: JsonObject;
  readonly output?: JsonObject;
  /** Does a call change the world? Shown before a run, and to people who are asked. */
  readonly sideEffects?: boolean;
  /** A person has to say yes before each call. */
  readonly requiresConfirmation?: boolean;
  /** Where a cluster calls it, if the plan does not say so. Where nobody does: inline, or by others where there are many. */
  readonly placement?: Placement;
  /** Declared elsewhere, by somebody who may change it: what it says is recorded with the runs that call it. */
  readonly isRemote?: boolean;
  readonly run: ToolFunction;
}

export type Tool = ToolFunction | ToolDefinition;

/** A tool whose schemas TypeScript knows. */
export interface TypedTool<Input, Output> extends Omit<ToolDefinition, "input" | "output" | "run"> {
  readonly input?: Input;
  readonly output?: Output;
  // A method, so that a tool may also declare its parameters by a type of its own.
  run(params: FromSchema<Input>, context: ToolContext): unknown;
}

/**
 * Says what a tool takes, gives and does, so that plans which use it are checked before they run. Schemas that are written as literals
 * give the parameters of `run` their types.
 */
export function defineTool<
  const Input extends JsonObject = JsonObject,
  const Output extends JsonObject = JsonObject,
>(definition: TypedTool<Input, Output>): TypedTool<Input, Output> {
  return definition;
}

/** A failure that says more: a code that plans can look at, and whether another attempt makes sense. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly code: string;
  readonly retryable: boolean;
  /** How long the next attempt is to wait at least. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    options: { code?: string; retryable?: boolean; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? "TOOL";
    this.retryable = options.retryable ?? true;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Returned by a tool that has nothing to do until a time; the run waits without holding anything. */
export class Suspension {
  readonly untilMs: number;
  readonly result: Json;
  constructor(untilMs: number, result: Json) {
    this.untilMs = untilMs;
    this.result = result;
  }
}
