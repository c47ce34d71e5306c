import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { nearest } from "../compiler.ts";
import type { Driver, RunRecord } from "../drivers/driver.ts";
import { UsageError } from "./command.ts";
import { readConfig } from "./config.ts";
import type { Console } from "./console.ts";
import type { Parsed } from "./options.ts";

/** The runs, where they are kept. */
export interface RunStore {
  /** As it is shown. */
  readonly name: string;
  readonly driver: Driver;
}

const DEFAULT_FILE = join(".sequitur", "runs.db");

/** The store that the options or the configuration name, or the one of the current folder. */
export function storeFile(parsed: Parsed, { folder }: Console, plans: readonly string[] = []): string {
  const { db } = readConfig(parsed, folder, plans);
  return db ?? join(folder, DEFAULT_FILE);
}

export async function openDriver(file: string): Promise<Driver> {
  const { sqliteDriver } = await import("../drivers/sqlite/driver.ts");
  return sqliteDriver(file);
}

/** The store, if there is one: looking at runs makes none. */
export async function findStore(parsed: Parsed, console: Console): Promise<RunStore | undefined> {
  const file = storeFile(parsed, console);
  if (!existsSync(file)) return undefined;
  return { name: relative(console.folder, file) || file, driver: await openDriver(file) };
}

/** The store and the one run that the command line names. */
export async function findRun(
  parsed: Parsed,
  console: Console,
): Promise<{ readonly store: RunStore; readonly record: RunRecord }> {
  const [given] = parsed.operands;
  if (given === undefined) throw new UsageError("Which run? sequitur runs lists them.");
  const store = await findStore(parsed, console);
  if (store === undefined) {
    const file = relative(console.folder, storeFile(parsed, console));
    throw new UsageError(`There are no runs here: no store at ${file}. --db FILE names another one.`);
  }
  return { store, record: recordOf(given, store) };
}

/** A run by its id, or by the beginning of its id where that is enough to tell it from the others. */
function recordOf(given: string, { driver, name }: RunStore): RunRecord {
  const exact = driver.find(given)?.record;
  if (exact !== undefined) return exact;
  const all = driver.list({ limit: Number.MAX_SAFE_INTEGER });
  const matching = all.filter(({ id }) => id.startsWith(given) || id.startsWith(`run_${given}`));
  const [first, second] = matching;
  if (first === undefined) {
    const near = nearest(
      given,
      all.slice(0, 1_000).map(({ id }) => id),
    );
    const instead = near === undefined ? "sequitur runs lists them." : `Did you mean ${near}?`;
    throw new UsageError(`There is no run "${given}" in ${name}. ${instead}`);
  }
  if (second === undefined) return first;
  const some = matching
    .slice(0, 5)
    .map(({ id }) => id)
    .join(", ");
  throw new UsageError(
    `"${given}" is the beginning of ${matching.length} runs: ${some}${matching.length > 5 ? ", …" : ""}.`,
  );
}
