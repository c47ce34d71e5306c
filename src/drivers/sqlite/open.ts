import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { SequiturError } from "../../base/error.ts";
import { migrate, refuseForeign, SCHEMA_VERSION, schemaVersion } from "./migrations.ts";
import { storeError } from "./store-error.ts";

/**
 * full: a commit is on the disk when it returns; it survives a power cut.
 * relaxed: a commit survives the end of the process, however it ends, but a power cut may take the last ones along.
 */
export type Durability = "full" | "relaxed";

export interface OpenOptions {
  readonly durability?: Durability;
  /** How long to wait for another process's lock. */
  readonly busyTimeoutMs?: number;
  /** The file does not grow beyond this; what does not fit is refused as on a full disk. */
  readonly sizeMaxBytes?: number;
}

const BUSY_TIMEOUT_MS = 5_000;

export async function openDatabase(file: string, options: OpenOptions): Promise<DatabaseSync> {
  const { DatabaseSync } = await loadSqlite();
  const timeout = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  const open = (path: string | URL, more: DatabaseSyncOptions) =>
    new DatabaseSync(path, { timeout, ...more });
  const path = file === ":memory:" ? file : resolve(file);
  try {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
    return prepare(open(path, {}), options);
  } catch (error) {
    const explained = storeError(error, file);
    const mayBeRead = explained.code === "STORE_READ_ONLY" || explained.code === "STORE_UNREADABLE";
    if (!mayBeRead || !existsSync(path)) throw explained;
    return openToRead(path, open, explained);
  }
}

/** Changes nothing before it knows that the database is ours. */
function prepare(database: DatabaseSync, { durability = "full", sizeMaxBytes }: OpenOptions): DatabaseSync {
  try {
    refuseForeign(database);
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
    // Where the system's fsync does not reach the disk itself (macOS), this one does.
    if (durability === "full") database.exec("PRAGMA fullfsync = ON");
    migrate(database);
    if (sizeMaxBytes !== undefined) {
      const { page_size } = database.prepare("PRAGMA page_size").get() as { page_size: number };
      database.exec(`PRAGMA max_page_count = ${Math.ceil(sizeMaxBytes / page_size)}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Runs in a file that cannot be written to can still be looked at; whatever writes says why it cannot. */
function openToRead(
  path: string,
  open: (path: string | URL, more: DatabaseSyncOptions) => DatabaseSync,
  refusal: SequiturError,
): DatabaseSync {
  // In a folder that cannot be written to there is no place for a lock; a file that has no log beside it needs none.
  const frozen = existsSync(`${path}-wal`) ? [] : [new URL(`${pathToFileURL(path).href}?immutable=1`)];
  for (const candidate of [path, ...frozen]) {
    let database: DatabaseSync | undefined;
    try {
      database = open(candidate, { readOnly: true });
      if (schemaVersion(database) === SCHEMA_VERSION) return database;
      database.close();
    } catch {
      database?.close();
    }
  }
  throw refusal;
}

/** Node says on standard error that SQLite is experimental; that is no news for our users. */
async function loadSqlite(): Promise<typeof import("node:sqlite")> {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (String(warning).includes("SQLite is an experimental feature")) return;
    (emitWarning as (warning: string | Error, ...rest: unknown[]) => void).call(process, warning, ...rest);
  };
  try {
    return await import("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
