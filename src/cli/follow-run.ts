import { setImmediate } from "node:timers/promises";
import type { Run, RunResult } from "../index.ts";
import { askQuestions } from "./ask-questions.ts";
import { EXIT, type ExitCode } from "./command.ts";
import type { Console } from "./console.ts";
import { Interrupts } from "./interrupts.ts";
import type { OptionSpec, Parsed } from "./options.ts";
import { type ProgressView, progressView, screenFor } from "./progress-view.ts";
import { exitCodeOf, printLines, printReport, questionLines } from "./run-report.ts";

export const JSON_RESULT: OptionSpec = {
  name: "json",
  kind: "flag",
  about: "print the run's result and nothing else on standard output",
};
export const QUIET: OptionSpec = { name: "quiet", kind: "flag", about: "no progress and no summary, only what the plan gives" };

export interface FollowOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** When the command began: what a resumed run had finished before is no news. */
  readonly sinceMs: number;
  /** ` --db FILE` for commands that are suggested; empty where the store is found without. */
  readonly storeOption: string;
}

export function followOptions(parsed: Parsed, sinceMs: number): FollowOptions {
  const db = parsed.value("db");
  const storeOption = db === undefined ? "" : ` --db ${db}`;
  return { json: parsed.flag("json"), quiet: parsed.flag("quiet"), sinceMs, storeOption };
}

/** Shows a run until it ends or waits for a person that is not there, and says how it went. */
export async function followRun(run: Run, options: FollowOptions, console: Console): Promise<ExitCode> {
  const interrupts = new Interrupts(() => void run.cancel("Cancelled by Ctrl-C."));
  const restore = options.json ? divertFromJson(console) : () => {};
  try {
    const result = await watch(run, options, console, interrupts);
    restore();
    return report(run, result, options, console);
  } finally {
    restore();
    interrupts.close();
  }
}

/** A tool that prints must not spoil the JSON. */
function divertFromJson(console: Console): () => void {
  return console.divert((text) => console.err(text.replace(/\n$/, "")));
}

async function watch(run: Run, options: FollowOptions, console: Console, interrupts: Interrupts): Promise<RunResult> {
  const view = progressView(console, options);
  const screen = console.inIsTerminal ? screenFor(console, options.json) : undefined;
  for (;;) {
    const result = await viewed(run, view, screen !== undefined);
    if (run.isOver || screen === undefined) return result;
    const answered = await askQuestions(run, result.questions ?? [], screen, interrupts.interrupt);
    // The answers, or the cancellation, may be on their way to the disk.
    await setImmediate();
    if (!answered) return run.isOver ? run.result : run.snapshot();
  }
}

async function viewed(run: Run, view: ProgressView, isAsked: boolean): Promise<RunResult> {
  view.start(() => run.progress());
  try {
    return await run.endedOrAsked();
  } finally {
    view.stop(run.isOver || !isAsked);
  }
}

function report(run: Run, result: RunResult, options: FollowOptions, console: Console): ExitCode {
  const code = exitCodeOf(result);
  if (options.json) console.out(JSON.stringify(result, null, 2));
  if (code === EXIT.waiting) {
    printLines(questionLines(result, options.storeOption), console.err, console.errColor);
  } else if (!options.json) {
    const finalIds = run.progress().filter((step) => step.isFinal).map((step) => step.id);
    printReport(result, finalIds, options.quiet, console);
  }
  return code;
}
