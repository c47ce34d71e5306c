/*
 * What has happened to a run: the only input of the core, and all that a driver persists. Plain JSON, past tense. `at` is
 * milliseconds since 1970 on the driver's clock; the core has no other.
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { StepError } from "./step-error.ts";

export type RunEvent =
  | RunStarted
  | StepSucceeded
  | StepFailed
  | StepSuspended
  | FilesRead
  | TimerFired
  | InputProvided
  | ConfirmationGiven
  | TextEmitted
  | CustomEmitted
  | ContextSet
  | CancelRequested
  | RunResumed;

export interface RunStarted {
  readonly kind: "RunStarted";
  readonly at: number;
  /** The version of the journal (`journal.ts`). */
  readonly journal: number;
  readonly runId: string;
  /** The source of all chance in the run: jitter. */
  readonly seed: number;
  /** Checked, with defaults filled in and the plan's own transforms applied. */
  readonly arguments: JsonObject;
  readonly inputs: JsonObject;
  /** Values of context variables at the start. */
  readonly context: JsonObject;
  readonly mode: "stop" | "continue";
  /** What decides the order of calls, and so their numbers: it holds for the whole life of the run. Null: no limit. */
  readonly limits: {
    readonly concurrency: number | null;
    readonly depth: number | null;
    readonly items?: number | null;
  };
  readonly deadlineMs?: number;
  /** What its models may take. */
  readonly budget?: { readonly tokens?: number; readonly cost?: number };
  /** Steps that need no answer start before a person has answered. */
  readonly eager?: boolean;
  /** Of the caller's own; nothing acts on it. */
  readonly metadata?: JsonObject;
  /** It was cancelled before it could start: why. Nothing is called. */
  readonly cancelled?: string;
}

/** `call` is the number that the core gave in its `StartStep`; a stale `attempt` is ignored. */
export interface StepSucceeded {
  readonly kind: "StepSucceeded";
  readonly at: number;
  readonly call: number;
  readonly attempt: number;
  readonly result: Json;
}

export interface StepFailed {
  readonly kind: "StepFailed";
  readonly at: number;
  readonly call: number;
  readonly attempt: number;
  readonly error: StepError;
}

/** The tool has nothing to do until `untilMs`; then `result` is its result. */
export interface StepSuspended {
  readonly kind: "StepSuspended";
  readonly at: number;
  readonly call: number;
  readonly attempt: number;
  readonly untilMs: number;
  readonly result: Json;
}

/** The contents that a `ReadFiles` asked for, in its order. */
export interface FilesRead {
  readonly kind: "FilesRead";
  readonly at: number;
  readonly read: number;
  readonly files: readonly ({ readonly text: string } | { readonly error: StepError })[];
}

export interface TimerFired {
  readonly kind: "TimerFired";
  readonly at: number;
  /** `call:12`, `timeout:12:0:1`, `run:deadline`, or the name of a derived variable. */
  readonly name: string;
}

export interface InputProvided {
  readonly kind: "InputProvided";
  readonly at: number;
  readonly name: string;
  readonly value: Json;
}

export interface ConfirmationGiven {
  readonly kind: "ConfirmationGiven";
  readonly at: number;
  readonly step: string;
  readonly yes: boolean;
}

export interface TextEmitted {
  readonly kind: "TextEmitted";
  readonly at: number;
  readonly step: string;
  readonly agent: string;
  readonly text: string;
}

/** Anything else that a tool wants to have recorded; functions of triggers see it. */
export interface CustomEmitted {
  readonly kind: "CustomEmitted";
  readonly at: number;
  readonly step: string;
  readonly agent: string;
  readonly event: JsonObject;
}

export interface ContextSet {
  readonly kind: "ContextSet";
  readonly at: number;
  readonly name: string;
  readonly value: Json;
}

export interface CancelRequested {
  readonly kind: "CancelRequested";
  readonly at: number;
  readonly reason: string;
}

/** A failed run goes on from where it failed. */
export interface RunResumed {
  readonly kind: "RunResumed";
  readonly at: number;
}
