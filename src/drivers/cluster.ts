import type { CancelRequested, ConfirmationGiven, InputProvided, RunStarted } from "../core/events.ts";
import type { RunSource } from "./driver.ts";

/** What can be told to a run from outside. */
export type ClusterEvent = InputProvided | ConfirmationGiven | CancelRequested;

/**
 * Where runs are carried out by others. The engine checks a plan, hands it over and follows it in its own store, which those
 * who carry it out write to (`Driver.mirror`).
 */
export interface Cluster {
  /** Recorded with the runs, so that nobody else goes on with them. */
  readonly name: string;
  /** Hands a run over; false where there already is one with its id. */
  start(source: RunSource, first: RunStarted): Promise<boolean>;
  /** Tells a run something. Rejects where it was not taken. */
  send(runId: string, event: ClusterEvent): Promise<void>;
}

/** The cluster that has a run, or undefined for one of this machine's own. */
export function clusterOf({ environment }: RunSource): string | undefined {
  const { cluster } = environment;
  return typeof cluster === "string" ? cluster : undefined;
}
