import type { RunStarted } from "../core/events.ts";
import type { RunState, RunStatus } from "../core/state.ts";
import type { RunRecord } from "../drivers/driver.ts";
import type { Program } from "../ir/program.ts";
import { isoTime } from "./result.ts";

/** A line of a list of runs. */
export interface RunSummary {
  readonly id: string;
  readonly name: string | undefined;
  readonly dialect: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly finishedAt?: string;
}

export function summaryOf({ startedAt, finishedAt, ...record }: RunRecord): RunSummary {
  return {
    ...record,
    startedAt: isoTime(startedAt),
    ...(finishedAt !== undefined && { finishedAt: isoTime(finishedAt) }),
  };
}

/** The record of a run that is about to begin. */
export function firstRecord(program: Program, first: RunStarted): RunRecord {
  const { dialect } = program;
  const name = nameOf(program);
  return { id: first.runId, name, dialect, status: "running", startedAt: first.at, finishedAt: undefined };
}

export function recordOf({ runId, status, finishedAt, startedAt, program }: RunState): RunRecord {
  const { dialect } = program;
  const ended = finishedAt > 0 ? finishedAt : undefined;
  return { id: runId, name: nameOf(program), dialect, status, startedAt, finishedAt: ended };
}

/** A plan that has no name of its own is called as its file is. */
function nameOf({ name, origin }: Program): string | undefined {
  return (
    name ?? origin.file?.replace(/^.*[\\/]/, "").replace(/(\.(plan|agent|workflow))?\.json$|\.agent$/, "")
  );
}
