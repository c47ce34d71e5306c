/*
 * Runs that a cluster carries out, in the same tables as our own. Their lease is the cluster's and does not end, so that no
 * process of this machine takes them for runs that were left behind.
 */
import { createHash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { RunEvent } from "../../core/events.ts";
import type { MirroredRun } from "../driver.ts";

/** An owner that is never gone: no machine is called so. */
const OWNER = "cluster";
const FOREVER = Number.MAX_SAFE_INTEGER;

export class Mirror {
  readonly #database: DatabaseSync;
  #statements: ReturnType<typeof prepare> | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** To be called inside a transaction. */
  take(run: MirroredRun, after: number, events: readonly RunEvent[]): number {
    this.#statements ??= prepare(this.#database);
    const { lengthOf, addEvent, updateRun } = this.#statements;
    const { id, status, finishedAt } = run.record;
    const key = this.#keyOf(id) ?? this.#add(run);
    const { count } = lengthOf.get(key) as { count: number };
    if (after > count) return count;
    const all = Math.max(count, after + events.length);
    for (let i = count - after; i < events.length; i++)
      addEvent.run(key, after + i, JSON.stringify(events[i]));
    // Whoever tells what is known already may be behind: only the latest says how the run stands.
    if (after + events.length === all) updateRun.run(status, finishedAt ?? null, key);
    return all;
  }

  #keyOf(id: string): number | undefined {
    return (this.#statements?.findRun.get(id) as { key: number } | undefined)?.key;
  }

  #add({ record, source, once }: MirroredRun): number {
    const { id, name, dialect, status, startedAt } = record;
    const body = JSON.stringify(source);
    const hash = createHash("sha256").update(body).digest("hex");
    const { addDefinition, addRun, addKey } = this.#statements as ReturnType<typeof prepare>;
    addDefinition.run(hash, body);
    const { lastInsertRowid } = addRun.run(
      id,
      name ?? null,
      dialect,
      status,
      startedAt,
      hash,
      OWNER,
      FOREVER,
    );
    if (once !== undefined) addKey.run(once.key, lastInsertRowid, once.fingerprint);
    return Number(lastInsertRowid);
  }
}

function prepare(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text);
  return {
    findRun: sql("SELECT key FROM runs WHERE id = ?"),
    addDefinition: sql("INSERT OR IGNORE INTO definitions (hash, body) VALUES (?, ?)"),
    addRun: sql(
      "INSERT INTO runs (id, name, dialect, status, started_at, definition, owner, lease_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    addKey: sql("INSERT OR IGNORE INTO idempotency_keys (key, run, fingerprint) VALUES (?, ?, ?)"),
    lengthOf: sql("SELECT COALESCE(MAX(seq) + 1, 0) AS count FROM events WHERE run = ?"),
    addEvent: sql("INSERT OR IGNORE INTO events (run, seq, body) VALUES (?, ?, ?)"),
    // What has ended belongs to nobody, as our own runs do then; it may be taken up again.
    updateRun: sql(
      `UPDATE runs SET status = ?1, finished_at = ?2,
         owner = iif(?2 IS NULL, '${OWNER}', NULL), lease_until = iif(?2 IS NULL, ${FOREVER}, 0)
       WHERE key = ?3`,
    ),
  };
}
