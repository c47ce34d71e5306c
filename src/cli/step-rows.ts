/* The steps of a run that is not under way, as rows of a tree. */
import { isReferenceFailure, type RunResult, type StepProgress, type StepRecord } from "../index.ts";
import { counted } from "./counted.ts";
import type { StepRow } from "./step-lines.ts";

/** Items of fan-outs are counted; those that failed have rows of their own. */
export function recordedRows({ steps }: RunResult): StepRow[] {
  const items = countItems(Object.values(steps));
  return Object.values(steps)
    .filter(isShown)
    .map((record) => rowOf(record, items.get(record.id)));
}

/** `7 steps: 6 completed, 1 failed · 2 further attempts · 1 timeout` */
export function countsOf({ steps }: RunResult): string {
  const all = Object.values(steps);
  const records = all.filter(({ id }) => !isItem(id));
  const counts = new Map<string, number>();
  for (const { status } of records) counts.set(status, (counts.get(status) ?? 0) + 1);
  const retries = all.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0);
  const timeouts = all.filter(({ error }) => error?.code === "TIMEOUT").length;
  const references = all.filter(({ error }) => error !== undefined && isReferenceFailure(error)).length;
  const parts = [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
  return [
    `${counted(records.length, "step")}: ${parts}`,
    ...(retries > 0 ? [counted(retries, "further attempt")] : []),
    ...(timeouts > 0 ? [counted(timeouts, "timeout")] : []),
    ...(references > 0 ? [counted(references, "reference failure")] : []),
  ].join(" · ");
}

interface Counts {
  total: number;
  done: number;
  failed: number;
  running: number;
}

function countItems(records: readonly StepRecord[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  for (const { id, status } of records) {
    if (!isItem(id)) continue;
    const owner = id.slice(0, id.lastIndexOf("["));
    const count = counts.get(owner) ?? { total: 0, done: 0, failed: 0, running: 0 };
    count.total++;
    if (status === "failed") count.failed++;
    if (status === "running") count.running++;
    if (status !== "pending" && status !== "running") count.done++;
    counts.set(owner, count);
  }
  return counts;
}

function isItem(id: string): boolean {
  return id.endsWith("]");
}

function isShown({ id, status }: StepRecord): boolean {
  return status === "failed" || !id.includes("]");
}

function rowOf(record: StepRecord, items: Counts | undefined): StepRow {
  const { id, status, attempts, startedAt, finishedAt, error, reason } = record;
  const name = id.slice(id.lastIndexOf(".") + 1);
  const step: StepProgress = {
    id,
    name,
    status,
    calls: "",
    attempts,
    attemptsMax: attempts,
    startedAt: startedAt === undefined ? 0 : Date.parse(startedAt),
    finishedAt: finishedAt === undefined ? 0 : Date.parse(finishedAt),
    isFinal: false,
    ...(error !== undefined && { error }),
    ...(reason !== undefined && { reason }),
    ...(items !== undefined && { items }),
    steps: [],
  };
  return { depth: id.split(".").length - 1 + (isItem(id) ? 1 : 0), step };
}
