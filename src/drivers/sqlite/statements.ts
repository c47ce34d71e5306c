import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Events that go into one statement, where there are so many: to carry out a statement costs more than a row does. */
export const EVENTS_AT_ONCE = 16;

/** Every statement of the driver, prepared once. */
const SQL = {
  addDefinition: "INSERT OR IGNORE INTO definitions (hash, body) VALUES (?, ?)",
  findDefinition: "SELECT body FROM definitions WHERE hash = ?",
  forgetDefinitions: "DELETE FROM definitions WHERE hash NOT IN (SELECT definition FROM runs)",
  addRun: `INSERT INTO runs (id, name, dialect, status, started_at, definition, owner, lease_until)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  findRun: "SELECT * FROM runs WHERE id = ?",
  updateRun: "UPDATE runs SET status = ?, finished_at = ? WHERE id = ? AND owner = ?",
  mirrorRun: "UPDATE runs SET status = ?, finished_at = ?, owner = ?, lease_until = ? WHERE key = ?",
  /** A key that is taken stays with its run. */
  addKey: "INSERT OR IGNORE INTO idempotency_keys (key, run, fingerprint) VALUES (?, ?, ?)",
  findKey: `SELECT runs.id, fingerprint FROM idempotency_keys JOIN runs ON runs.key = idempotency_keys.run
            WHERE idempotency_keys.key = ?`,
  forgetKeys: "DELETE FROM idempotency_keys WHERE run = ?",
  openRuns: "SELECT * FROM runs WHERE status IN ('running', 'waiting') ORDER BY key",
  endedRuns: `SELECT key FROM runs
              WHERE status NOT IN ('running', 'waiting') AND finished_at < ? AND owner IS NULL`,
  forgetRun: "DELETE FROM runs WHERE key = ?",
  addEvent: "INSERT INTO events (run, seq, body) VALUES (?, ?, ?)",
  addManyEvents: `INSERT INTO events (run, seq, body) VALUES ${Array(EVENTS_AT_ONCE).fill("(?, ?, ?)").join(", ")}`,
  addOwnEvent: `INSERT INTO events (run, seq, body)
                SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM runs WHERE key = ? AND owner = ?)`,
  readEvents: "SELECT body FROM events WHERE run = ? AND seq >= ? ORDER BY seq LIMIT ?",
  countEvents: "SELECT coalesce(max(seq) + 1, 0) AS count FROM events WHERE run = ?",
  forgetEvents: "DELETE FROM events WHERE run = ?",
  isOwner: "SELECT 1 FROM runs WHERE key = ? AND owner = ?",
  claim: "UPDATE runs SET owner = ?, lease_until = ? WHERE key = ?",
  release: "UPDATE runs SET owner = NULL, lease_until = 0 WHERE id = ? AND owner = ?",
  releaseAll: "UPDATE runs SET owner = NULL, lease_until = 0 WHERE owner = ?",
  renew: "UPDATE runs SET lease_until = ? WHERE owner = ?",
  /** Changes when another connection has committed something. */
  version: "PRAGMA data_version",
} as const;

export type Statements = Readonly<Record<keyof typeof SQL, StatementSync>>;

export function prepareStatements(database: DatabaseSync): Statements {
  const entries = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(entries) as Statements;
}
