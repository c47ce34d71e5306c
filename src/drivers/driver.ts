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
  readonly limit?: number;
}

export interface Driver {
  readonly name: string;
  /** Recording costs so much that the events of one turn of the event loop are recorded together. */
  readonly gathers: boolean;
  /** A new run with its first event; it belongs to this process. False where the id is taken. */
  create(record: RunRecord, source: RunSource, first: RunEvent): boolean;
  /** Adds to the journal. On return the events are durable, or will be when the `together` around it returns. */
  append(runId: string, events: readonly RunEvent[]): void;
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
  /** Ids of runs that have not ended and that no living process has. */
  orphans(): readonly string[];
  close(): void;
}
