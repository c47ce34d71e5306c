import type {
  CancelRequested,
  ConfirmationGiven,
  InputProvided,
  RunEvent,
  RunResumed,
  RunStarted,
} from "../core/events.ts";
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
  send(runId: string, life: number, event: ClusterEvent): Promise<void>;
  /** Goes on with a run that has ended, from its journal so far; false where somebody else has done so already. */
  reopen(source: RunSource, journal: readonly RunEvent[], resumed: RunResumed): Promise<boolean>;
}

/** A run that is taken up again after its end has another life in the cluster; the first is 0. */
export function lifeOf(journal: Iterable<RunEvent>): number {
  let life = 0;
  for (const { kind } of journal) if (kind === "RunResumed") life++;
  return life;
}

/** The cluster that has a run, or undefined for one of this machine's own. */
export function clusterOf({ environment }: RunSource): string | undefined {
  const { cluster } = environment;
  return typeof cluster === "string" ? cluster : undefined;
}
