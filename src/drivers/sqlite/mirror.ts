/*
 * Runs that a cluster carries out, in the same tables as our own. Their lease is the cluster's and does not end, so that no
 * process of this machine takes them for runs that were left behind.
 */
import type { RunEvent } from "../../core/events.ts";
import type { MirroredRun } from "../driver.ts";
import { addEvents } from "./add-events.ts";
import { addRun } from "./add-run.ts";
import type { Statements } from "./statements.ts";

/** An owner that is never gone: no machine is called so. */
const OWNER = "cluster";
const FOREVER = Number.MAX_SAFE_INTEGER;

/** Takes what is new, and says how many events of the run are known. To be called inside a transaction. */
export function mirrorRun(
  sql: Statements,
  { record, source, once }: MirroredRun,
  after: number,
  events: readonly RunEvent[],
): number {
  const { id, status, finishedAt } = record;
  const row = sql.findRun.get(id) as { key: number } | undefined;
  const key =
    row?.key ??
    addRun(sql, { record, definition: JSON.stringify(source), once, owner: OWNER, leaseUntil: FOREVER });
  const { count } = sql.countEvents.get(key) as { count: number };
  if (after > count) return count;
  const all = Math.max(count, after + events.length);
  addEvents(sql, key, count, events.slice(count - after));
  // Whoever tells what is known already may be behind: only the latest says how the run stands.
  if (after + events.length !== all) return all;
  // What has ended belongs to nobody, as our own runs do then; it may be taken up again.
  const [owner, leaseUntil] = finishedAt === undefined ? [OWNER, FOREVER] : [null, 0];
  sql.mirrorRun.run(status, finishedAt ?? null, owner, leaseUntil, key);
  return all;
}
