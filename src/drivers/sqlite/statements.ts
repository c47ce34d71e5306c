import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Every statement of the driver, prepared once. */
const SQL = {
  addDefinition: "INSERT OR IGNORE INTO definitions (hash, body) VALUES (?, ?)",
  findDefinition: "SELECT body FROM definitions WHERE hash = ?",
  addRun: `INSERT INTO runs (id, name, dialect, status, started_at, definition, owner, lease_until)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  findRun: "SELECT * FROM runs WHERE id = ?",
  updateRun: "UPDATE runs SET status = ?, finished_at = ? WHERE id = ? AND owner = ?",
  listRuns: "SELECT * FROM runs ORDER BY started_at DESC, key DESC LIMIT ?",
  listRunsByStatus: "SELECT * FROM runs WHERE status = ? ORDER BY started_at DESC, key DESC LIMIT ?",
  openRuns: "SELECT * FROM runs WHERE status IN ('running', 'waiting') ORDER BY key",
  /** Writes only where the run is still the writer's. */
  addEvent: `INSERT INTO events (run, seq, body)
             SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM runs WHERE key = ? AND owner = ?)`,
  readEvents: "SELECT seq, body FROM events WHERE run = ? AND seq >= ? ORDER BY seq LIMIT ?",
  countEvents: "SELECT count(*) AS count FROM events WHERE run = ?",
  claim: "UPDATE runs SET owner = ?, lease_until = ? WHERE key = ?",
  release: "UPDATE runs SET owner = NULL, lease_until = 0 WHERE id = ? AND owner = ?",
  releaseAll: "UPDATE runs SET owner = NULL, lease_until = 0 WHERE owner = ?",
  renew: "UPDATE runs SET lease_until = ? WHERE owner = ?",
} as const;

export type Statements = Readonly<Record<keyof typeof SQL, StatementSync>>;

export function prepareStatements(database: DatabaseSync): Statements {
  const entries = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(entries) as Statements;
}
