import { type Command, type ExitCode, UsageError } from "./command.ts";
import type { Console } from "./console.ts";
import { CONTINUE_OPTIONS, continueRun } from "./continue-run.ts";
import { readAssignments } from "./key-values.ts";
import type { Parsed } from "./options.ts";

export const command: Command = {
  operands: "RUN K=V…",
  about: [
    "Answers what a run asks, and goes on with it. Values are JSON where they are JSON, else text. Nothing is taken where one of",
    "the answers is not what was asked for. sequitur show RUN lists the questions.",
  ].join("\n"),
  options: CONTINUE_OPTIONS,
  run: input,
};

async function input(parsed: Parsed, console: Console): Promise<ExitCode> {
  const [, ...assignments] = parsed.operands;
  const values = readAssignments(assignments, "sequitur input RUN");
  if (parsed.operands.length === 1)
    throw new UsageError("Which answers? Write name=value, one or several times.");
  return continueRun(parsed, console, (run) => run.provideInputs(values));
}
