/* What tests of stores need: files that go away again, and runs that were never run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunEvent, RunStarted } from "../../src/core/events.ts";
import { JOURNAL_VERSION } from "../../src/core/journal.ts";
import type { Driver, RunRecord, RunSource } from "../../src/drivers/driver.ts";
import { type SqliteOptions, sqliteDriver } from "../../src/drivers/sqlite/driver.ts";

/** A new folder, removed when the test is over. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function scratchFile(): string {
  return join(scratchFolder(), "runs.db");
}

/** Opens a store that is closed when the test is over. */
export async function openScratch(file: string, options: SqliteOptions = {}): Promise<Driver> {
  const driver = await sqliteDriver(file, options);
  onTestFinished(() => driver.close());
  return driver;
}

export function recordOf(id: string, startedAt = 1_000): RunRecord {
  return { id, name: undefined, dialect: "actions", status: "running", startedAt, finishedAt: undefined };
}

export const SOURCE: RunSource = {
  plan: [{ id: "a", tool: "t" }],
  file: undefined,
  dialect: undefined,
  agents: {},
  files: {},
  contextVariables: undefined,
  environment: {},
};

export function startOf(runId: string): RunStarted {
  return {
    kind: "RunStarted",
    at: 1_000,
    journal: JOURNAL_VERSION,
    runId,
    seed: 7,
    arguments: {},
    inputs: {},
    context: {},
    mode: "stop",
    limits: { concurrency: 64, depth: 64 },
  };
}

export function answerOf(call: number, result: string = `result ${call}`): RunEvent {
  return { kind: "StepSucceeded", at: 2_000 + call, call, attempt: 1, result };
}

/** A run with this many answers. */
export function fill(driver: Driver, runId: string, answers: number): void {
  driver.create(recordOf(runId), SOURCE, startOf(runId));
  for (let i = 0; i < answers; i++) driver.append(runId, i + 1, [answerOf(i)]);
}

export function codeOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
  return undefined;
}
