/*
 * Journals in a SQLite file, by Node's own SQLite, in WAL mode. The journal is the truth: `runs` is there for listing, and
 * everything in it but the lease can be worked out again from `events`.
 *
 * I1  An event is written only by the process that has the run: a process that lost its lease cannot write (fencing).
 * I2  What is appended inside `together` is committed as one, or not at all.
 * I3  A journal has no gaps: its events are numbered from 0, and a writer says how many it has seen.
 */
import type { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../../base/clock.ts";
import { SequiturError } from "../../base/error.ts";
import type { RunEvent } from "../../core/events.ts";
import type { RunStatus } from "../../core/state.ts";
import {
  type Collections,
  type Driver,
  LEASE_LOST,
  type MirroredRun,
  type Once,
  type RunFilter,
  type RunRecord,
  type RunSource,
} from "../driver.ts";
import { addEvents } from "./add-events.ts";
import { addRun } from "./add-run.ts";
import { sqliteCollections } from "./collections.ts";
import { type LeasedRow, Leases } from "./leases.ts";
import { mirrorRun } from "./mirror.ts";
import { type OpenOptions, openDatabase } from "./open.ts";
import { RunList } from "./run-list.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import { storeError } from "./store-error.ts";
import { Transactions } from "./transactions.ts";
import { watchLog } from "./watch-log.ts";

export interface SqliteOptions extends OpenOptions {
  readonly clock?: Clock;
}

export async function sqliteDriver(file: string, options: SqliteOptions = {}): Promise<Driver> {
  const database = await openDatabase(file, options);
  return new SqliteDriver(database, file, options.clock ?? systemClock);
}

interface RunRow extends LeasedRow {
  readonly name: string | null;
  readonly dialect: string;
  readonly status: string;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly definition: string;
}

/** So many events are read at once. */
const PAGE = 256;

class SqliteDriver implements Driver {
  readonly name = "sqlite";
  readonly collections: Collections;
  readonly gathers = true;
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #sql: Statements;
  readonly #transactions: Transactions;
  readonly #leases: Leases;
  readonly #list: RunList;
  #version: unknown;

  constructor(database: DatabaseSync, file: string, clock: Clock) {
    this.#database = database;
    this.#file = file;
    this.#sql = this.#guarded(() => prepareStatements(database));
    this.#list = new RunList(database);
    this.#transactions = new Transactions(database, (error) => storeError(error, file));
    this.#leases = new Leases(this.#sql, this.#transactions, clock);
    this.collections = sqliteCollections(
      database,
      (work) => this.together(work),
      (read) => this.#guarded(read),
    );
  }

  #guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw storeError(error, this.#file);
    }
  }

  together(work: () => void): void {
    this.#transactions.together(work);
  }

  create(record: RunRecord, source: RunSource, first: RunEvent, once?: Once): boolean {
    const { id } = record;
    const definition = JSON.stringify(source);
    let created = false;
    this.together(() => {
      if (this.#row(id) !== undefined) return;
      if (once !== undefined && this.#sql.findKey.get(once.key) !== undefined) return;
      const { owner, until } = this.#leases;
      const key = addRun(this.#sql, { record, definition, once, owner, leaseUntil: until });
      this.#sql.addEvent.run(key, 0, JSON.stringify(first));
      this.#leases.take(id, key);
      created = true;
    });
    return created;
  }

  startedOnce(key: string): { readonly runId: string; readonly fingerprint: string } | undefined {
    const row = this.#guarded(() => this.#sql.findKey.get(key)) as
      | { id: string; fingerprint: string }
      | undefined;
    return row && { runId: row.id, fingerprint: row.fingerprint };
  }

  append(runId: string, after: number, events: readonly RunEvent[]): void {
    const [event] = events;
    if (events.length === 1 && event !== undefined && this.#appendAlone(runId, after, event)) return;
    this.together(() => {
      addEvents(this.#sql, this.#writable(runId, after), after, events);
    });
  }

  /** A single event of a run that is ours is one statement, which is its own transaction. False where that is not so. */
  #appendAlone(runId: string, after: number, event: RunEvent): boolean {
    const key = this.#leases.keyOf(runId);
    if (key === undefined || this.#transactions.isOpen) return false;
    const { owner } = this.#leases;
    const body = JSON.stringify(event);
    return this.#guarded(() => this.#sql.addOwnEvent.run(key, after, body, key, owner).changes === 1);
  }

  /** The key of a run that is ours, or that waits and has seen nothing that the writer has not; fails for all others. */
  #writable(runId: string, after: number): number {
    const key = this.#leases.keyOf(runId);
    if (key !== undefined && this.#sql.isOwner.get(key, this.#leases.owner) !== undefined) return key;
    this.#leases.drop(runId);
    const row = this.#row(runId);
    if (row === undefined || !this.#leases.isFree(row) || this.#lengthOf(row.key) !== after) {
      throw new SequiturError(LEASE_LOST, `Another process goes on with the run "${runId}".`);
    }
    this.#leases.claim(row);
    return row.key;
  }

  update(runId: string, status: RunStatus, finishedAt: number | undefined): void {
    const isOpen = finishedAt === undefined && status === "running";
    const { owner } = this.#leases;
    this.together(() => {
      this.#sql.updateRun.run(status, finishedAt ?? null, runId, owner);
      if (!isOpen) this.#sql.release.run(runId, owner);
    });
    if (!isOpen) this.#leases.drop(runId);
  }

  find(runId: string): { readonly record: RunRecord; readonly source: RunSource } | undefined {
    const row = this.#row(runId);
    if (row === undefined) return undefined;
    return this.#guarded(() => {
      const { body } = this.#sql.findDefinition.get(row.definition) as { body: string };
      return { record: recordOf(row), source: this.#parsed<RunSource>(body, `the plan of "${runId}"`) };
    });
  }

  #row(runId: string): RunRow | undefined {
    return this.#guarded(() => this.#sql.findRun.get(runId) as RunRow | undefined);
  }

  #lengthOf(key: number): number {
    return (this.#sql.countEvents.get(key) as { count: number }).count;
  }

  *events(runId: string, after = 0): Iterable<RunEvent> {
    const row = this.#row(runId);
    if (row === undefined) return;
    // In pages: a reader that takes its time must not hold a statement open while others write. The first one is small, for
    // those who want only the first event.
    for (let next = after, size = 1; ; size = PAGE) {
      const page = this.#guarded(() => this.#sql.readEvents.all(row.key, next, size)) as { body: string }[];
      for (const { body } of page) {
        yield this.#parsed<RunEvent>(body, `event ${next} of the run "${runId}"`);
        next++;
      }
      if (page.length < size) return;
    }
  }

  #parsed<T>(body: string, what: string): T {
    try {
      return JSON.parse(body) as T;
    } catch (cause) {
      const message = `The database "${this.#file}" is damaged: ${what} cannot be read. Nothing has been changed in it.`;
      throw new SequiturError("STORE_DAMAGED", message, { cause });
    }
  }

  list(filter: RunFilter): readonly RunRecord[] {
    return (this.#guarded(() => this.#list.rows(filter)) as RunRow[]).map(recordOf);
  }

  claim(runId: string): boolean {
    let claimed = false;
    this.together(() => {
      const row = this.#row(runId);
      if (row === undefined || !this.#leases.isFree(row)) return;
      this.#leases.claim(row);
      claimed = true;
    });
    return claimed;
  }

  release(runId: string): void {
    this.#leases.release(runId);
  }

  orphans(): readonly string[] {
    const rows = this.#guarded(() => this.#sql.openRuns.all() as unknown as RunRow[]);
    return rows
      .filter((row) => this.#leases.keyOf(row.id) === undefined && this.#leases.isFree(row))
      .map((row) => row.id);
  }

  forget(finishedBefore: number): number {
    let count = 0;
    this.together(() => {
      const rows = this.#sql.endedRuns.all(finishedBefore) as { key: number }[];
      for (const { key } of rows) {
        this.#sql.forgetEvents.run(key);
        this.#sql.forgetKeys.run(key);
        this.#sql.forgetRun.run(key);
      }
      if (rows.length > 0) this.#sql.forgetDefinitions.run();
      count = rows.length;
    });
    return count;
  }

  mirror(run: MirroredRun, after: number, events: readonly RunEvent[]): number {
    let known = 0;
    this.together(() => {
      known = mirrorRun(this.#sql, run, after, events);
    });
    return known;
  }

  hasNews(): boolean {
    const before = this.#version;
    this.#version = this.#guarded(() => this.#sql.version.get()?.data_version);
    return this.#version !== before;
  }

  watch(onNews: () => void): () => void {
    return watchLog(this.#file, onNews);
  }

  close(): void {
    this.#leases.stop();
    if (!this.#database.isOpen) return;
    try {
      this.#sql.releaseAll.run(this.#leases.owner);
    } catch {
      // Locked, full or read-only: the leases run out by themselves, or at once when this process ends.
    }
    this.#database.close();
  }
}

function recordOf(row: RunRow): RunRecord {
  return {
    id: row.id,
    name: row.name ?? undefined,
    dialect: row.dialect,
    status: row.status as RunStatus,
    startedAt: row.started_at,
    finishedAt: row.finished_at ?? undefined,
  };
}
