import type { Console } from "./console.ts";
import type { OptionSpec, Parsed } from "./options.ts";

/** One command: what it takes, and what it does. */
export interface Command {
  /** What stands after the command's name in its usage line, as in `FILE…`. */
  readonly operands: string;
  /** A sentence or a paragraph for `--help`. */
  readonly about: string;
  readonly options: readonly OptionSpec[];
  readonly run: (parsed: Parsed, console: Console) => Promise<ExitCode>;
}

export const EXIT = { ok: 0, planIsWrong: 1, usage: 2, runFailed: 3, waiting: 4, cancelled: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command was called in a way it cannot make sense of: a message, and exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}
