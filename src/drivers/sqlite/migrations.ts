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
  CREATE INDEX runs_by_definition ON runs (definition);
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
  `
  CREATE TABLE idempotency_keys (
    key TEXT PRIMARY KEY,
    run INTEGER NOT NULL,
    fingerprint TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX idempotency_keys_by_run ON idempotency_keys (run);
  CREATE INDEX runs_by_name ON runs (name, started_at);
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** A database that has something else in it is somebody else's: nothing of ours is put into it. */
export function refuseForeign(database: DatabaseSync): void {
  const version = schemaVersion(database);
  if (version > SCHEMA_VERSION) {
    throw new SequiturError(
      "NEWER_DATABASE",
      `The database was written by a newer version of Sequitur (schema ${version}; this one knows ${SCHEMA_VERSION}). Upgrade, or use another file.`,
    );
  }
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const isOurs = version === 0 ? tables.length === 0 : tables.some(({ name }) => name === "events");
  if (isOurs) return;
  const names = tables.slice(0, 3).map(({ name }) => `"${String(name)}"`);
  throw new SequiturError(
    "FOREIGN_DATABASE",
    `The database belongs to another program (it has the tables ${names.join(", ")}, …). Name another file; nothing has been changed in this one.`,
  );
}

export function schemaVersion(database: DatabaseSync): number {
  return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/** Brings a database up to the current schema, all of it or nothing. */
export function migrate(database: DatabaseSync): void {
  if (schemaVersion(database) === SCHEMA_VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been faster.
    for (const migration of MIGRATIONS.slice(schemaVersion(database))) database.exec(migration);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
