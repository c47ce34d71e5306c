import type { DatabaseSync } from "node:sqlite";
import { SequiturError } from "../../base/error.ts";

/** Each entry takes the schema one version on; none is ever changed after a release. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE definitions (hash TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT,
    dialect TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    definition TEXT NOT NULL REFERENCES definitions (hash),
    owner TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX runs_by_status ON runs (status, started_at);
  CREATE INDEX runs_by_time ON runs (started_at);
  CREATE TABLE events (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  ) WITHOUT ROWID;
  CREATE TABLE documents (
    collection TEXT NOT NULL,
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX documents_by_collection ON documents (collection);
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings a database up to the current schema, all of it or nothing. */
export function migrate(database: DatabaseSync): void {
  const row = database.prepare("PRAGMA user_version").get() as { user_version: number };
  const version = row.user_version;
  if (version > SCHEMA_VERSION) {
    throw new SequiturError(
      "NEWER_DATABASE",
      `The database was written by a newer version of Sequitur (schema ${version}; this one knows ${SCHEMA_VERSION}). Upgrade, or use another file.`,
    );
  }
  if (version === SCHEMA_VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been faster.
    const now = (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
    for (const migration of MIGRATIONS.slice(now)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
