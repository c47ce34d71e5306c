import type { Command } from "./command.ts";
import { CONTINUE_OPTIONS, continueRun } from "./continue-run.ts";

export const command: Command = {
  operands: "RUN",
  about: [
    "Goes on with a run: one whose process ended in the middle, one that waits, or one that failed, from where it failed. What",
    "was finished is not done again. The run remembers its tools, agents and files; the beginning of its id is enough.",
  ].join("\n"),
  options: CONTINUE_OPTIONS,
  run: (parsed, console) => continueRun(parsed, console),
};
