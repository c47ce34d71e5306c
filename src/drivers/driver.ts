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
  /** What the run was started from, to compile it again in another process. */
  readonly source: RunSource;
}

export interface RunSource {
  readonly plan: Json;
  readonly file: string | undefined;
  readonly dialect: string | undefined;
  readonly agents: JsonObject;
  readonly contextVariables: Json | undefined;
  /** How the tools were found: module paths and folders, for `resume` in another process. */
  readonly environment: JsonObject;
}

export interface RunFilter {
  readonly status?: RunStatus;
  readonly limit?: number;
}

export interface Driver {
  readonly name: string;
  /** A new run with its first event. */
  create(record: RunRecord, first: RunEvent): Promise<void> | void;
  /**
   * Makes the events durable before their commands are carried out. What is returned at once was durable at once; a promise
   * holds the commands back until it is kept.
   */
  append(runId: string, events: readonly RunEvent[]): Promise<void> | void;
  /** The run has ended, or waits; for listing. */
  update(runId: string, status: RunStatus, finishedAt: number | undefined): void;
  load(
    runId: string,
  ): Promise<{ readonly record: RunRecord; readonly events: readonly RunEvent[] } | undefined>;
  list(filter: RunFilter): Promise<readonly RunRecord[]>;
  close(): Promise<void>;
}
