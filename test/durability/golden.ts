/*
 * Journals and databases that earlier versions wrote. They are never written again: every later version has to read them as they
 * are. What is missing (a new workload, a new schema) is written by `WRITE_GOLDEN=1 vitest run test/durability/golden`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Json } from "../../src/base/json.ts";
import type { RunEvent } from "../../src/core/events.ts";
import type { RunRecord, RunSource } from "../../src/drivers/driver.ts";
import { schemaVersion } from "../../src/drivers/sqlite/migrations.ts";
import { readText } from "../source-tree.ts";

const FOLDER = new URL("golden/", import.meta.url);
const JOURNALS = new URL("journals/", FOLDER);

export interface GoldenJournal {
  readonly title: string;
  /** The version of Sequitur that wrote it. */
  readonly writtenBy: string;
  readonly record: RunRecord;
  readonly source: RunSource;
  readonly journal: readonly RunEvent[];
  /** What the core said to it, and what it came to, as others see them. */
  readonly trace: readonly Json[];
  readonly ending: Json;
}

export function goldenJournals(): GoldenJournal[] {
  if (!existsSync(JOURNALS)) return [];
  const files = readdirSync(JOURNALS).sort();
  return files.map((file) => JSON.parse(readFileSync(new URL(file, JOURNALS), "utf8")) as GoldenJournal);
}

/** One line an entry, so that a change shows where it is. */
export function writeGoldenJournal(golden: Omit<GoldenJournal, "writtenBy">): void {
  const name = golden.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const file = new URL(`${name}.golden.json`, JOURNALS);
  if (existsSync(file)) return;
  const { journal, trace, ...rest } = { writtenBy: packageVersion(), ...golden };
  const lines = (list: readonly unknown[]): string =>
    `[\n${list.map((item) => JSON.stringify(item)).join(",\n")}\n]`;
  const fields = Object.entries(rest).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  writeFileSync(
    file,
    `{${[...fields, `"journal": ${lines(journal)}`, `"trace": ${lines(trace)}`].join(",\n")}}\n`,
  );
}

function packageVersion(): string {
  return (JSON.parse(readText("package.json")) as { readonly version: string }).version;
}

/** The schemas of which there is a database, oldest first. */
export function goldenSchemas(): number[] {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return names
    .flatMap((name) => [...name.matchAll(/^v(\d+)\.sql$/g)].map(([, version]) => Number(version)))
    .sort((a, b) => a - b);
}

/** Makes a database as the version of that schema would have left it. */
export function loadGoldenDatabase(version: number, file: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(readFileSync(new URL(`v${version}.sql`, FOLDER), "utf8"));
  database.close();
}

/** Writes down a database as SQL, unless there is one of its schema already. */
export function writeGoldenDatabase(file: string): void {
  const database = new DatabaseSync(file);
  const version = schemaVersion(database);
  const target = new URL(`v${version}.sql`, FOLDER);
  const schema = database
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    .all() as {
    type: string;
    name: string;
    sql: string;
  }[];
  const rows = schema.filter(({ type }) => type === "table").flatMap(({ name }) => insertsOf(database, name));
  const lines = [...schema.map(({ sql }) => `${sql};`), ...rows, `PRAGMA user_version = ${version};`];
  if (!existsSync(target)) writeFileSync(target, `${lines.join("\n")}\n`);
  database.close();
}

function insertsOf(database: DatabaseSync, table: string): string[] {
  const rows = database.prepare(`SELECT * FROM ${table}`).all();
  return rows.map((row) => {
    const values = Object.values(row).map((value) =>
      typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value ?? "NULL"),
    );
    return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")});`;
  });
}
