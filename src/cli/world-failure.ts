import { PlanError, SequiturError } from "../index.ts";
import { EXIT, type ExitCode } from "./command.ts";
import type { Console } from "./console.ts";

/** What failed was the store, a run that is taken, an answer that is none: a message says it, not a stack. */
export function report(error: unknown, command: string, console: Console): ExitCode {
  if (!(error instanceof SequiturError)) throw error;
  const { cause, code, message } = error;
  const why = cause instanceof SequiturError ? ` ${cause.message}` : "";
  console.err(`sequitur ${command}: ${message}${why}`);
  if (error instanceof PlanError) return EXIT.planIsWrong;
  return code === "STORE_FAILED" || code === "RUN_BROKEN" ? EXIT.runFailed : EXIT.usage;
}
