import { digest } from "../../base/digest.ts";
import type { Once, RunRecord } from "../driver.ts";
import type { Statements } from "./statements.ts";

export interface NewRun {
  readonly record: RunRecord;
  /** What it is a run of, as text. */
  readonly definition: string;
  readonly once: Once | undefined;
  readonly owner: string;
  readonly leaseUntil: number;
}

/** Puts a run into the list, and gives its key. To be called inside a transaction. */
export function addRun(sql: Statements, { record, definition, once, owner, leaseUntil }: NewRun): number {
  const { id, name, dialect, status, startedAt } = record;
  const of = addDefinition(sql, definition);
  const row = sql.addRun.run(id, name ?? null, dialect, status, startedAt, of, owner, leaseUntil);
  const key = Number(row.lastInsertRowid);
  if (once !== undefined) sql.addKey.run(once.key, key, once.fingerprint);
  return key;
}

/** The name of a definition, which is its digest, so that runs of the same plan share it. */
function addDefinition(sql: Statements, body: string): string {
  for (let name = digest(body); ; name += "+") {
    if (sql.addDefinition.run(name, body).changes === 1) return name;
    const known = sql.findDefinition.get(name) as { readonly body: string };
    if (known.body === body) return name;
  }
}
