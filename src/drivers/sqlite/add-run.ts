import { createHash } from "node:crypto";
import type { Once, RunRecord, RunSource } from "../driver.ts";
import type { Statements } from "./statements.ts";

/** What a run is a run of, by its hash, so that runs of the same plan share it. */
export interface Definition {
  readonly hash: string;
  readonly body: string;
}

export function definitionOf(source: RunSource): Definition {
  const body = JSON.stringify(source);
  return { body, hash: createHash("sha256").update(body).digest("hex") };
}

export interface NewRun {
  readonly record: RunRecord;
  readonly definition: Definition;
  readonly once: Once | undefined;
  readonly owner: string;
  readonly leaseUntil: number;
}

/** Puts a run into the list, and gives its key. To be called inside a transaction. */
export function addRun(sql: Statements, { record, definition, once, owner, leaseUntil }: NewRun): number {
  const { id, name, dialect, status, startedAt } = record;
  const { hash, body } = definition;
  sql.addDefinition.run(hash, body);
  const row = sql.addRun.run(id, name ?? null, dialect, status, startedAt, hash, owner, leaseUntil);
  const key = Number(row.lastInsertRowid);
  if (once !== undefined) sql.addKey.run(once.key, key, once.fingerprint);
  return key;
}
