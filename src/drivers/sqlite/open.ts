import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { SequiturError } from "../../base/error.ts";
import { migrate } from "./migrations.ts";

/**
 * full: a commit is on the disk when it returns; it survives a power cut.
 * relaxed: a commit survives the end of the process, however it ends, but a power cut may take the last ones along.
 */
export type Durability = "full" | "relaxed";

export async function openDatabase(file: string, durability: Durability): Promise<DatabaseSync> {
  const { DatabaseSync } = await loadSqlite();
  const path = file === ":memory:" ? file : resolve(file);
  try {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path, { timeout: 5_000 });
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
    migrate(database);
    return database;
  } catch (error) {
    throw error instanceof SequiturError ? error : storeError(error, file);
  }
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

/** What SQLite says, in words that help. */
export function storeError(error: unknown, file: string): SequiturError {
  const message = error instanceof Error ? error.message : String(error);
  const words: readonly (readonly [RegExp, string, string])[] = [
    [/disk is full|SQLITE_FULL/i, "STORE_FULL", "The disk is full. Make room and resume the run: everything recorded so far is safe."],
    [/readonly|read-only/i, "STORE_READ_ONLY", "The file, or its folder, cannot be written to."],
    [/locked|busy/i, "STORE_LOCKED", "Another process has locked it for too long."],
    [/malformed|not a database|corrupt/i, "STORE_DAMAGED", "It is damaged, or is no database of Sequitur. Move it away to begin anew; what can be read is read by sqlite3's .recover."],
    [/unable to open|no such file|EACCES|ENOENT/i, "STORE_UNREADABLE", "It cannot be opened. Does its folder exist, and may you write there?"],
  ];
  const [, code, help] = words.find(([pattern]) => pattern.test(message)) ?? [undefined, "STORE_FAILED", message];
  return new SequiturError(code, `The database "${file}": ${help}`, { cause: error });
}
