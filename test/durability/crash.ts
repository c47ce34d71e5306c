/* A crash of the process after any number of events: what was recorded by then is all that the next process has. */
import type { RunEvent } from "../../src/core/events.ts";
import type { Driver, RunRecord, RunSource } from "../../src/drivers/driver.ts";
import { sqliteDriver } from "../../src/drivers/sqlite/driver.ts";
import {
  canonicalResult,
  finish,
  openStage,
  play,
  RUN_ID,
  type SeenCall,
  type Stage,
  type Workload,
} from "./play.ts";

/** A run from beginning to end, and what it left behind. */
export interface Played {
  readonly ending: string;
  readonly calls: readonly SeenCall[];
  readonly record: RunRecord;
  readonly source: RunSource;
  readonly journal: readonly RunEvent[];
}

export async function playThrough(workload: Workload): Promise<Played> {
  const driver = await sqliteDriver(":memory:");
  const stage = await openStage(workload, driver);
  const ending = canonicalResult(await play(workload, stage));
  const found = driver.find(RUN_ID);
  if (found === undefined) throw new Error("the run is not in its store");
  const journal = [...driver.events(RUN_ID)];
  await stage.engine.close();
  return { ending, calls: stage.calls, ...found, journal };
}

/** What the next process makes of the first `length` events. */
export async function afterCrash(workload: Workload, played: Played, length: number) {
  const journal = played.journal.slice(0, length);
  const stage = await openStage(workload, await storeWith(played, journal), journal.at(-1)?.at);
  const answered = await answersIn(stage);
  const [run] = await stage.engine.recover(recoverOptions(stage));
  const result = run === undefined ? await stage.engine.get(RUN_ID) : await finish(workload, stage, run);
  const listed = stage.engine.find(RUN_ID)?.status;
  await stage.engine.close();
  return {
    ending: result && canonicalResult(result),
    status: result?.status,
    listed,
    answered,
    calls: stage.calls,
  };
}

function recoverOptions({ access: { fileToken } }: Stage) {
  return fileToken === undefined ? {} : { fileToken: async () => fileToken };
}

/** A store as a process that was killed would leave it, except that its lease is over. */
export async function storeWith({ record, source }: Played, journal: readonly RunEvent[]): Promise<Driver> {
  const driver = await sqliteDriver(":memory:");
  const [first, ...rest] = journal;
  if (first === undefined) throw new Error("a run without its start was never there");
  driver.create({ ...record, status: "running", finishedAt: undefined }, source, first);
  driver.append(record.id, 1, rest);
  driver.release(record.id);
  return driver;
}

/** The answers of tools that are on record, as `step attempt`, in order. */
async function answersIn(stage: Stage): Promise<string[]> {
  const answers: string[] = [];
  for await (const event of stage.engine.events(RUN_ID, { follow: false })) {
    if (/^Step(Succeeded|Failed|Suspended)$/.test(event.kind))
      answers.push(`${event.step} ${String(event.attempt)}`);
  }
  return answers;
}

/** How often each attempt of each step was called. */
export function countCalls(calls: readonly SeenCall[]): Record<string, number> {
  return countEach(calls.map(({ stepId, attempt }) => `${stepId} ${attempt}`));
}

export function countEach(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
