/* What an engine says of runs that a cluster carries out. */
import { SequiturError } from "../base/error.ts";
import type { Driver } from "../drivers/driver.ts";
import type { EngineOptions, StartOptions } from "./options.ts";

/** Runs remember who carries them out. */
export function recordingCluster(options: EngineOptions): EngineOptions {
  const { cluster, environment } = options;
  return cluster === undefined
    ? options
    : { ...options, environment: { ...environment, cluster: cluster.name } };
}

export function refuseUnmirrored(driver: Driver): void {
  if (driver.mirror !== undefined) return;
  throw new SequiturError(
    "INVALID_OPTION",
    `A cluster tells of its runs in a store that its workers write to, and "${driver.name}" is none: give store: { sqlite: FILE }.`,
  );
}

/** A token is a secret of this process: it would have to be recorded for others to use it. */
export function refuseTokenElsewhere({ fileToken }: StartOptions): void {
  if (fileToken === undefined) return;
  throw new SequiturError(
    "FILES_ELSEWHERE",
    "A cluster's workers read the files of the folder that they were started with (--files DIR); a fileToken is not handed over to them. Start the run without it.",
  );
}

export function elsewhere(runId: string, cluster: string): SequiturError {
  return new SequiturError(
    "RUN_ELSEWHERE",
    `The run "${runId}" is carried out by ${cluster}. Say where that is: --restate URL, or createEngine({ cluster }).`,
  );
}
