import { FleetingMap } from "../../base/fleeting-map.ts";
import type { RunEvent } from "../../core/events.ts";
import type { Driver, Once, RunFilter, RunRecord, RunSource } from "../driver.ts";
import { memoryCollections } from "./collections.ts";
import { type FinishedRun, FinishedRuns } from "./finished-runs.ts";
import { Journal } from "./journal.ts";

interface Entry {
  record: RunRecord;
  readonly source: RunSource;
  readonly journal: Journal;
  readonly once: Once | undefined;
  finished: FinishedRun | undefined;
}

/** No other process ever writes here. */
const ALONE = {
  orphans: () => [],
  hasNews: () => false,
  watch: () => () => {},
} satisfies Partial<Driver>;

/** Keeps journals for as long as the process lives. */
export function memoryDriver(): Driver {
  const runs = new FleetingMap<string, Entry>();
  const finished = new FinishedRuns();
  let latest = { id: "", journal: new Journal() };
  const keys = new Map<string, { readonly runId: string; readonly fingerprint: string }>();
  const forget = (runId: string): void => {
    const entry = runs.get(runId);
    if (entry?.once !== undefined) keys.delete(entry.once.key);
    if (entry?.finished !== undefined) finished.remove(entry.finished);
    runs.delete(runId);
  };
  return {
    name: "memory",
    collections: memoryCollections(),
    gathers: false,
    create(record, source, first, once) {
      if (runs.has(record.id) || (once !== undefined && keys.has(once.key))) return false;
      const journal = new Journal();
      journal.add(first);
      runs.set(record.id, { record, source, journal, once, finished: undefined });
      latest = { id: record.id, journal };
      if (once !== undefined) keys.set(once.key, { runId: record.id, fingerprint: once.fingerprint });
      return true;
    },
    startedOnce: (key) => keys.get(key),
    append(runId, _after, events) {
      // Most events are of the run that the last one was of.
      if (runId !== latest.id) latest = { id: runId, journal: runs.get(runId)?.journal ?? new Journal() };
      for (let i = 0; i < events.length; i++) latest.journal.add(events[i] as RunEvent);
    },
    together: (work) => work(),
    update(runId, status, finishedAt) {
      const entry = runs.get(runId);
      if (entry === undefined) return;
      entry.record = { ...entry.record, status, finishedAt };
      if (entry.finished !== undefined) finished.remove(entry.finished);
      entry.finished = finishedAt === undefined ? undefined : finished.add(runId, entry.journal.length);
      for (let old = finished.overdue(); old !== undefined; old = finished.overdue()) forget(old.id);
    },
    find: (runId) => runs.get(runId),
    events: (runId, after = 0) => runs.get(runId)?.journal.from(after) ?? [],
    list(filter) {
      const all = recordsOf(runs.values()).reverse();
      const from = filter.after === undefined ? 0 : all.findIndex(({ id }) => id === filter.after) + 1;
      const rest = filter.after !== undefined && from === 0 ? [] : all.slice(from);
      return rest.filter((record) => matches(record, filter)).slice(0, filter.limit ?? 100);
    },
    claim: (runId) => runs.has(runId),
    release: () => {},
    forget(finishedBefore) {
      const old = runs.values().filter((entry) => isFinishedBefore(entry, finishedBefore));
      for (const { record } of old) forget(record.id);
      return old.length;
    },
    ...ALONE,
    close: () => runs.clear(),
  };
}

function recordsOf(entries: readonly Entry[]): RunRecord[] {
  return entries.map((entry) => entry.record);
}

function isFinishedBefore({ record, finished }: Entry, time: number): boolean {
  return finished !== undefined && (record.finishedAt ?? 0) < time;
}

function matches(record: RunRecord, filter: RunFilter): boolean {
  const { status, name, search, startedFrom, startedBefore } = filter;
  const text = search === undefined ? "" : `${record.name ?? ""} ${record.id}`.toLowerCase();
  return (
    text.includes(search?.toLowerCase() ?? "") &&
    (status === undefined || record.status === status) &&
    (name === undefined || record.name === name) &&
    (startedFrom === undefined || record.startedAt >= startedFrom) &&
    (startedBefore === undefined || record.startedAt < startedBefore)
  );
}
