import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { RunFilter } from "../driver.ts";

/** Each part of a filter: what it asks of a row, and with which value. */
const PARTS: readonly { readonly key: keyof RunFilter; readonly sql: string }[] = [
  { key: "status", sql: "status = ?" },
  { key: "name", sql: "name = ?" },
  { key: "search", sql: "instr(lower(coalesce(name, '') || ' ' || id), lower(?)) > 0" },
  { key: "startedFrom", sql: "started_at >= ?" },
  { key: "startedBefore", sql: "started_at < ?" },
  { key: "after", sql: "(started_at, key) < (SELECT started_at, key FROM runs WHERE id = ?)" },
];

/** The list of runs, newest first. There are few different filters, so each is prepared once. */
export class RunList {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  rows(filter: RunFilter): unknown[] {
    const parts = PARTS.filter(({ key }) => filter[key] !== undefined);
    const where = parts.length === 0 ? "" : `WHERE ${parts.map(({ sql }) => sql).join(" AND ")}`;
    const sql = `SELECT * FROM runs ${where} ORDER BY started_at DESC, key DESC LIMIT ?`;
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement.all(...parts.map(({ key }) => filter[key] as string | number), filter.limit ?? LIMIT);
  }
}

const LIMIT = 100;
