/* What travels between engines, workers and Restate. A deployment that is in use keeps understanding what it has been sent. */
import type { StartStep } from "../../core/commands.ts";
import type { RunEvent, RunStarted } from "../../core/events.ts";
import { idempotencyKey } from "../../core/ids.ts";
import type { RunStatus } from "../../core/state.ts";
import type { ClusterEvent } from "../cluster.ts";
import type { RunSource } from "../driver.ts";

/** The services of a worker. */
export const RUN_SERVICE = "SequiturRun";
export const STEPS_SERVICE = "SequiturSteps";
/** The service of whoever has the store. */
export const RECORDS_SERVICE = "SequiturRecords";

/** A run with everything it is made of; `first.journal` is the version of the core that it was started for. */
export interface RunInput {
  readonly source: RunSource;
  readonly first: RunStarted;
  /** Of a run that is taken up again: what happened after its first event, its being taken up last. */
  readonly more?: readonly RunEvent[];
}

/** What a run is called in Restate: a workflow that has ended does not begin again, so each life of a run is one of its own. */
export function workflowKey(runId: string, life: number): string {
  return life === 0 ? runId : `${runId}~${life}`;
}

export interface RunOutput {
  readonly status: RunStatus;
}

/** Steps of a run for any worker to call. */
export interface StepsInput {
  readonly runId: string;
  readonly usesSecrets: boolean;
  readonly commands: readonly StartStep[];
}

/** Events, in the order in which they are to be handled; by reference where they are large. */
export type Packed = { readonly events: readonly RunEvent[] } | { readonly blob: string };

/** What a step is called in the journal: the key that its tool is given, and which attempt it is. */
export function stepName(runId: string, command: StartStep): string {
  return `${idempotencyKey(runId, command)}#${command.attempt}`;
}

export const CANCEL_PROMISE = "cancel";

/** The durable promise that waits for an event from outside: one for each question, so that it can be answered before it is asked. */
export function promiseOf(event: ClusterEvent): string {
  switch (event.kind) {
    case "InputProvided":
      return inputPromise(event.name);
    case "ConfirmationGiven":
      return confirmationPromise(event.step);
    case "CancelRequested":
      return CANCEL_PROMISE;
  }
}

export function inputPromise(name: string): string {
  return `input:${name}`;
}

export function confirmationPromise(step: string): string {
  return `confirmation:${step}`;
}
