import type { Run } from "../index.ts";
import { RESTATE } from "./cluster.ts";
import { type ExitCode, UsageError } from "./command.ts";
import { DB, FILES, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { followOptions, followRun, JSON_RESULT, QUIET } from "./follow-run.ts";
import { engineForRun } from "./open-engine.ts";
import { findRun } from "./open-store.ts";
import type { OptionSpec, Parsed } from "./options.ts";

/** The options of every command that goes on with a run. */
export const CONTINUE_OPTIONS: readonly OptionSpec[] = [JSON_RESULT, QUIET, DB, RESTATE, TOOLS, FILES];

/**
 * Takes the run that the command line names, answers what it asks, and follows it until it ends or waits. Without an answer, a
 * run that failed is tried again.
 */
export async function continueRun(
  parsed: Parsed,
  console: Console,
  answer?: (run: Run) => Promise<void>,
): Promise<ExitCode> {
  const started = Date.now();
  const { store, record } = await findRun(parsed, console);
  if (answer !== undefined && record.finishedAt !== undefined) {
    throw new UsageError(`The run ${record.id} has ended (${record.status}): it asks nothing any more.`);
  }
  const { engine, fileToken } = await engineForRun(store, record.id, parsed, console, true);
  try {
    const begin = async (): Promise<Run> => {
      const run = await engine.resume(record.id, fileToken === undefined ? {} : { fileToken });
      await answer?.(run);
      return run;
    };
    return await followRun(begin, followOptions(parsed, started), console);
  } finally {
    await engine.close();
  }
}
