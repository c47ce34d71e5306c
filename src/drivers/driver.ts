/*
 * The seam between the engine and whatever keeps its runs. A driver keeps journals; the loop that turns events into commands
 * and commands into events is the same for all drivers that run in this process (`run-loop.ts`).
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { RunEvent } from "../core/events.ts";
import type { RunStatus } from "../core/state.ts";

/** What is known of a run without reading its journal. */
export interface RunRecord {
  readonly id: string;
  readonly name: string | undefined;
  readonly dialect: string;
  readonly status: RunStatus;
  readonly startedAt: number;
  readonly finishedAt: number | undefined;
}

/** What a run was started from, to compile it again in another process. */
export interface RunSource {
  readonly plan: Json;
  readonly file: string | undefined;
  readonly dialect: string | undefined;
  /** The definitions that the plan uses. */
  readonly agents: Readonly<Record<string, Json>>;
  /** Texts of files that the plan names. */
  readonly files: Readonly<Record<string, string>>;
  readonly contextVariables: Json | undefined;
  /** How tools and files were found: module paths and folders. */
  readonly environment: JsonObject;
}

export interface RunFilter {
  readonly status?: RunStatus;
  /** The plan's name. */
  readonly name?: string;
  /** A part of the plan's name or of the run's id, whatever its case. */
  readonly search?: string;
  /** Started then or later, and before then: milliseconds since 1970. */
  readonly startedFrom?: number;
  readonly startedBefore?: number;
  /** Only what comes after this run in the list. */
  readonly after?: string;
  readonly limit?: number;
}

/** A run that is started once, however often it is asked for: under which key, and what it was asked to do. */
export interface Once {
  readonly key: string;
  readonly fingerprint: string;
}

/** The code of the error that `append` throws where another process has gone on with the run. */
export const LEASE_LOST = "LEASE_LOST";

/** A JSON document of a collection; its version counts the times it was written. */
export interface StoredDocument {
  readonly key: number;
  readonly version: number;
  readonly document: JsonObject;
}

/** Documents by collection, behind defined context variables. Every call is carried out as a whole, or not at all. */
export interface Collections {
  /** Adds a document; one with an `id` takes the place of the one that has that `id`. */
  put(collection: string, document: JsonObject): void;
  /** Those whose fields are exactly those of the query, in the order in which they were added. */
  find(collection: string, query: JsonObject): readonly StoredDocument[];
  /** Writes a document unless it has been written since that version; false then. */
  replace(collection: string, found: StoredDocument, document: JsonObject): boolean;
  /** How many were removed. */
  remove(collection: string, query: JsonObject): number;
}

/** A run that others carry out, as they tell of it. */
export interface MirroredRun {
  readonly record: RunRecord;
  readonly source: RunSource;
  readonly once?: Once | undefined;
}

export interface Driver {
  readonly name: string;
  readonly collections: Collections;
  /** Recording costs so much that the events of one turn of the event loop are recorded together. */
  readonly gathers: boolean;
  /** A new run with its first event; it belongs to this process. False where the id, or the key of `once`, is taken. */
  create(record: RunRecord, source: RunSource, first: RunEvent, once?: Once): boolean;
  /** The run that was started under a key. */
  startedOnce(key: string): { readonly runId: string; readonly fingerprint: string } | undefined;
  /**
   * Adds to a journal that has `after` events so far. On return they are durable, or will be when the `together` around it
   * returns. A run that is nobody's is taken first; one that others have, or have gone on with, is refused with LEASE_LOST.
   */
  append(runId: string, after: number, events: readonly RunEvent[]): void;
  /** Makes everything that `work` appends durable at once, or nothing of it. */
  together(work: () => void): void;
  /** For listing; a run that has ended or waits is let go of. */
  update(runId: string, status: RunStatus, finishedAt: number | undefined): void;
  find(runId: string): { readonly record: RunRecord; readonly source: RunSource } | undefined;
  /** The journal from event number `after` (counting from 0). */
  events(runId: string, after?: number): Iterable<RunEvent>;
  list(filter: RunFilter): readonly RunRecord[];
  /** Takes a run that no living process has. False where another one has it. */
  claim(runId: string): boolean;
  /** Lets go of a run that this process does not carry out any more. Does not fail. */
  release(runId: string): void;
  /** Ids of runs that have not ended and that no living process has. */
  orphans(): readonly string[];
  /** Forgets runs that ended before a time; gives how many. */
  forget(finishedBefore: number): number;
  /** Have others written to the store since this was last asked? */
  hasNews(): boolean;
  /** Calls back when others may have written, without a clock where that can be; gives a function that calls it off. */
  watch(onNews: () => void): () => void;
  /**
   * Takes in what others have recorded of a run that is theirs for good; `events` follow on the first `after` ones. What is
   * known already is passed over, so that it can be told any number of times. Gives how many events are known now: where that
   * is less than `after`, there is a gap, and nothing was taken.
   */
  mirror?(run: MirroredRun, after: number, events: readonly RunEvent[]): number;
  close(): void;
}
