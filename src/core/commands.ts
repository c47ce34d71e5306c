/*
 * What a driver has to do, in the order in which it is to begin. `StartStep`, `StartTimer`, `ReadFiles`, `AbortStep` act;
 * the others announce what the core has decided, for whoever watches.
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { RunStatus, StepStatus } from "./state.ts";
import type { StepError } from "./step-error.ts";

export type Command =
  | StartStep
  | StartTimer
  | ReadFiles
  | AbortStep
  | AskInput
  | AskConfirmation
  | AnnounceStep
  | AnnounceContext
  | AnnounceTriggerFailure
  | FinishRun;

export interface StartStep {
  readonly kind: "StartStep";
  readonly call: number;
  readonly attempt: number;
  /** `outer.x[3].y` */
  readonly step: string;
  readonly tool: string;
  readonly agent: string;
  /** A copy that nothing else refers to: the tool may do with it what it likes. */
  readonly arguments: JsonObject;
  readonly timeoutMs: number | undefined;
  /** How often it has been called before, of a step that repeats. */
  readonly turn: number;
}

export interface StartTimer {
  readonly kind: "StartTimer";
  readonly name: string;
  readonly atMs: number;
}

/** Reads the contents of files, with the run's token; answered by `FilesRead`. */
export interface ReadFiles {
  readonly kind: "ReadFiles";
  readonly read: number;
  readonly paths: readonly string[];
}

/** Nobody waits for this call any more: its signal fires, and what it gives is ignored. */
export interface AbortStep {
  readonly kind: "AbortStep";
  readonly call: number;
  readonly reason: string;
}

export interface AskInput {
  readonly kind: "AskInput";
  readonly names: readonly string[];
}

export interface AskConfirmation {
  readonly kind: "AskConfirmation";
  readonly step: string;
}

/** A step has ended in another way than by its tool's answer, or a composite or fan-out has ended. */
export interface AnnounceStep {
  readonly kind: "AnnounceStep";
  readonly step: string;
  readonly status: StepStatus;
  readonly reason: string | undefined;
  readonly error: StepError | undefined;
}

export interface AnnounceContext {
  readonly kind: "AnnounceContext";
  readonly name: string;
  readonly value: Json;
}

/** A trigger of a derived variable could not look at an event; said once for each trigger. */
export interface AnnounceTriggerFailure {
  readonly kind: "AnnounceTriggerFailure";
  readonly name: string;
  readonly message: string;
}

export interface FinishRun {
  readonly kind: "FinishRun";
  readonly status: RunStatus;
  readonly response: Json | undefined;
  readonly error: StepError | undefined;
}
