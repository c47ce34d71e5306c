import type { RunEvent } from "../../core/events.ts";
import type { Driver, RunFilter, RunRecord } from "../driver.ts";

/** Finished runs that are remembered; the oldest are forgotten first. */
const FINISHED_MAX = 1_000;

interface Entry {
  record: RunRecord;
  readonly events: RunEvent[];
}

/** Keeps journals for as long as the process lives. */
export function memoryDriver(): Driver {
  const runs = new Map<string, Entry>();
  const finished: string[] = [];
  return {
    name: "memory",
    create(record, first) {
      runs.set(record.id, { record, events: [first] });
    },
    append(runId, events) {
      const entry = runs.get(runId);
      for (const event of events) entry?.events.push(event);
    },
    update(runId, status, finishedAt) {
      const entry = runs.get(runId);
      if (entry === undefined) return;
      entry.record = { ...entry.record, status, finishedAt };
      if (finishedAt === undefined) return;
      finished.push(runId);
      if (finished.length > FINISHED_MAX) runs.delete(finished.shift() as string);
    },
    async load(runId) {
      const entry = runs.get(runId);
      return entry && { record: entry.record, events: entry.events };
    },
    async list({ status, limit }: RunFilter) {
      const all = [...runs.values()].map((entry) => entry.record);
      const matching = all.filter((record) => status === undefined || record.status === status);
      return matching.reverse().slice(0, limit ?? 100);
    },
    async close() {
      runs.clear();
    },
  };
}
