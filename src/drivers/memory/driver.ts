import type { RunEvent } from "../../core/events.ts";
import type { Driver, RunRecord, RunSource } from "../driver.ts";

/** Finished runs that are remembered; the oldest are forgotten first. */
const FINISHED_MAX = 1_000;

interface Entry {
  record: RunRecord;
  readonly source: RunSource;
  readonly events: RunEvent[];
}

/** Keeps journals for as long as the process lives. */
export function memoryDriver(): Driver {
  const runs = new Map<string, Entry>();
  const finished: string[] = [];
  return {
    name: "memory",
    gathers: false,
    create(record, source, first) {
      if (runs.has(record.id)) return false;
      runs.set(record.id, { record, source, events: [first] });
      return true;
    },
    append(runId, events) {
      const entry = runs.get(runId);
      for (const event of events) entry?.events.push(event);
    },
    together: (work) => work(),
    update(runId, status, finishedAt) {
      const entry = runs.get(runId);
      if (entry === undefined) return;
      entry.record = { ...entry.record, status, finishedAt };
      if (finishedAt === undefined) return;
      finished.push(runId);
      if (finished.length > FINISHED_MAX) runs.delete(finished.shift() as string);
    },
    find: (runId) => runs.get(runId),
    *events(runId, after = 0) {
      const events = runs.get(runId)?.events ?? [];
      for (let i = after; i < events.length; i++) yield events[i] as RunEvent;
    },
    list({ status, limit }) {
      const all = [...runs.values()].map((entry) => entry.record);
      const matching = all.filter((record) => status === undefined || record.status === status);
      return matching.reverse().slice(0, limit ?? 100);
    },
    claim: (runId) => runs.has(runId),
    orphans: () => [],
    close: () => runs.clear(),
  };
}
