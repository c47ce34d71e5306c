/*
 * Journals in a SQLite file, by Node's own SQLite, in WAL mode. The journal is the truth: `runs` is there for listing, and
 * everything in it but the lease can be worked out again from `events`.
 *
 * I1  An event is written only by the process that has the run: a process that lost its lease cannot write (fencing).
 * I2  What is appended inside `together` is committed as one, or not at all.
 */
import { createHash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Clock, systemClock } from "../../base/clock.ts";
import { SequiturError } from "../../base/error.ts";
import type { RunEvent } from "../../core/events.ts";
import type { RunStatus } from "../../core/state.ts";
import type { Driver, RunFilter, RunRecord, RunSource } from "../driver.ts";
import { type Durability, openDatabase, storeError } from "./open.ts";
import { isGone, newOwner } from "./owner.ts";
import { prepareStatements, type Statements } from "./statements.ts";

export interface SqliteOptions {
  readonly durability?: Durability;
  readonly clock?: Clock;
}

/** A process that does not renew its lease for so long has lost its runs. */
const LEASE_MS = 30_000;

export async function sqliteDriver(file: string, options: SqliteOptions = {}): Promise<Driver> {
  const database = await openDatabase(file, options.durability ?? "full");
  return new SqliteDriver(database, file, options.clock ?? systemClock);
}

interface RunRow {
  readonly key: number;
  readonly id: string;
  readonly name: string | null;
  readonly dialect: string;
  readonly status: string;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly definition: string;
  readonly owner: string | null;
  readonly lease_until: number;
}

class SqliteDriver implements Driver {
  readonly name = "sqlite";
  readonly gathers = true;
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #clock: Clock;
  readonly #sql: Statements;
  readonly #owner = newOwner();
  /** Of the runs that are ours: their keys, and the number of the next event. */
  readonly #ours = new Map<string, { readonly key: number; next: number }>();
  /** Runs that wait, and so are nobody's, with the length of the journal that our loop has seen. */
  readonly #resting = new Map<string, number>();
  #depth = 0;
  #stopRenewing: (() => void) | undefined;

  constructor(database: DatabaseSync, file: string, clock: Clock) {
    this.#database = database;
    this.#file = file;
    this.#clock = clock;
    this.#sql = prepareStatements(database);
  }

  create(record: RunRecord, source: RunSource, first: RunEvent): boolean {
    const body = JSON.stringify(source);
    const hash = createHash("sha256").update(body).digest("hex");
    let key: number | undefined;
    this.together(() => {
      if (this.#sql.findRun.get(record.id) !== undefined) return;
      this.#sql.addDefinition.run(hash, body);
      const { lastInsertRowid } = this.#sql.addRun.run(
        record.id,
        record.name ?? null,
        record.dialect,
        record.status,
        record.startedAt,
        hash,
        this.#owner,
        this.#clock.now() + LEASE_MS,
      );
      key = Number(lastInsertRowid);
      this.#sql.addEvent.run(key, 0, JSON.stringify(first), key, this.#owner);
    });
    if (key === undefined) return false;
    this.#take(record.id, key, 1);
    return true;
  }

  append(runId: string, events: readonly RunEvent[]): void {
    const ours = this.#ours.get(runId) ?? this.#wake(runId);
    this.together(() => {
      for (const event of events) {
        const { changes } = this.#sql.addEvent.run(ours.key, ours.next, JSON.stringify(event), ours.key, this.#owner);
        if (changes === 0) throw lostRun(runId);
        ours.next++;
      }
    });
  }

  /** A run that waits is taken again when something happens to it, unless another process has gone on with it. */
  #wake(runId: string): { readonly key: number; next: number } {
    const seen = this.#resting.get(runId);
    if (seen === undefined || !this.claim(runId)) throw lostRun(runId);
    const ours = this.#ours.get(runId);
    if (ours?.next === seen) return ours;
    this.#sql.release.run(runId, this.#owner);
    this.#letGo(runId);
    throw lostRun(runId);
  }

  together(work: () => void): void {
    if (this.#depth > 0) {
      work();
      return;
    }
    const before = new Map([...this.#ours].map(([id, { next }]) => [id, next]));
    this.#depth++;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      for (const [id, ours] of this.#ours) ours.next = before.get(id) ?? ours.next;
      throw error instanceof SequiturError ? error : storeError(error, this.#file);
    } finally {
      this.#depth--;
    }
  }

  update(runId: string, status: RunStatus, finishedAt: number | undefined): void {
    const isOpen = finishedAt === undefined && status === "running";
    this.together(() => {
      this.#sql.updateRun.run(status, finishedAt ?? null, runId, this.#owner);
      if (!isOpen) this.#sql.release.run(runId, this.#owner);
    });
    if (isOpen) return;
    const next = this.#ours.get(runId)?.next;
    if (finishedAt === undefined && next !== undefined) this.#resting.set(runId, next);
    this.#letGo(runId);
  }

  find(runId: string): { readonly record: RunRecord; readonly source: RunSource } | undefined {
    const row = this.#sql.findRun.get(runId) as RunRow | undefined;
    if (row === undefined) return undefined;
    const { body } = this.#sql.findDefinition.get(row.definition) as { body: string };
    return { record: recordOf(row), source: JSON.parse(body) as RunSource };
  }

  *events(runId: string, after = 0): Iterable<RunEvent> {
    const row = this.#sql.findRun.get(runId) as RunRow | undefined;
    if (row === undefined) return;
    // In pages: a reader that takes its time must not hold a statement open while others write.
    for (let next = after; ; ) {
      const page = this.#sql.readEvents.all(row.key, next, PAGE) as { seq: number; body: string }[];
      for (const { body } of page) yield JSON.parse(body) as RunEvent;
      if (page.length < PAGE) return;
      next += page.length;
    }
  }

  list({ status, limit }: RunFilter): readonly RunRecord[] {
    const statement: StatementSync = status === undefined ? this.#sql.listRuns : this.#sql.listRunsByStatus;
    const parameters = status === undefined ? [limit ?? 100] : [status, limit ?? 100];
    return (statement.all(...parameters) as unknown as RunRow[]).map(recordOf);
  }

  claim(runId: string): boolean {
    let claimed: RunRow | undefined;
    this.together(() => {
      const row = this.#sql.findRun.get(runId) as RunRow | undefined;
      if (row === undefined || !this.#isFree(row)) return;
      this.#sql.claim.run(this.#owner, this.#clock.now() + LEASE_MS, row.key);
      claimed = row;
    });
    if (claimed === undefined) return false;
    const { count } = this.#sql.countEvents.get(claimed.key) as { count: number };
    this.#take(runId, claimed.key, count);
    return true;
  }

  #isFree({ owner, lease_until }: RunRow): boolean {
    return owner === null || owner === this.#owner || lease_until < this.#clock.now() || isGone(owner);
  }

  orphans(): readonly string[] {
    const rows = this.#sql.openRuns.all() as unknown as RunRow[];
    return rows.filter((row) => !this.#ours.has(row.id) && this.#isFree(row)).map((row) => row.id);
  }

  #take(runId: string, key: number, next: number): void {
    this.#ours.set(runId, { key, next });
    this.#resting.delete(runId);
    this.#stopRenewing ??= renewEvery(LEASE_MS / 3, () => {
      this.#sql.renew.run(this.#clock.now() + LEASE_MS, this.#owner);
    });
  }

  #letGo(runId: string): void {
    this.#ours.delete(runId);
    if (this.#ours.size > 0) return;
    this.#stopRenewing?.();
    this.#stopRenewing = undefined;
  }

  close(): void {
    this.#stopRenewing?.();
    if (!this.#database.isOpen) return;
    this.#sql.releaseAll.run(this.#owner);
    this.#database.close();
  }
}

const PAGE = 500;

/** Does not keep the process alive: a process that has nothing else to do has no runs under way. */
function renewEvery(ms: number, renew: () => void): () => void {
  const timer = setInterval(() => {
    try {
      renew();
    } catch {
      // The store is busy or gone; the next append will say so, and until then the lease has time.
    }
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
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

function lostRun(runId: string): SequiturError {
  return new SequiturError("LEASE_LOST", `The run "${runId}" belongs to another process now; nothing more is done here.`);
}
