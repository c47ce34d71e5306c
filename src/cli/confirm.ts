import { type Command, type ExitCode, UsageError } from "./command.ts";
import type { Console } from "./console.ts";
import { CONTINUE_OPTIONS, continueRun } from "./continue-run.ts";
import type { Parsed } from "./options.ts";

export const command: Command = {
  operands: "RUN STEP yes|no",
  about:
    "Says yes or no to a step that waits for it, and goes on with the run. sequitur show RUN lists what waits.",
  options: CONTINUE_OPTIONS,
  run: confirm,
};

async function confirm(parsed: Parsed, console: Console): Promise<ExitCode> {
  const [run, step, answer, ...more] = parsed.operands;
  if (run === undefined || step === undefined || answer === undefined || more.length > 0) {
    throw new UsageError("A run, a step and yes or no are needed.");
  }
  if (answer !== "yes" && answer !== "no") throw new UsageError(`The answer is yes or no, not "${answer}".`);
  return continueRun(parsed, console, (found) => found.confirm(step, answer === "yes"));
}
