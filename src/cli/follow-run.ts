import { setImmediate } from "node:timers/promises";
import type { Run, RunResult } from "../index.ts";
import { askQuestions } from "./ask-questions.ts";
import { EXIT, type ExitCode } from "./command.ts";
import type { Console, Screen } from "./console.ts";
import { Interrupts } from "./interrupts.ts";
import type { OptionSpec, Parsed } from "./options.ts";
import { type ProgressView, progressView, screenFor } from "./progress-view.ts";
import { exitCodeOf, printLines, printReport, questionLines } from "./run-report.ts";

export const JSON_RESULT: OptionSpec = {
  name: "json",
  kind: "flag",
  about: "print the run's result and nothing else on standard output",
};
export const QUIET: OptionSpec = {
  name: "quiet",
  kind: "flag",
  about: "no progress and no summary, only what the plan gives",
};

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
  const restate = parsed.value("restate");
  const storeOption = `${db === undefined ? "" : ` --db ${db}`}${restate === undefined ? "" : ` --restate ${restate}`}`;
  return { json: parsed.flag("json"), quiet: parsed.flag("quiet"), sinceMs, storeOption };
}

/** Starts a run, shows it until it ends or waits for a person that is not there, and says how it went. */
export async function followRun(
  begin: () => Promise<Run>,
  options: FollowOptions,
  console: Console,
): Promise<ExitCode> {
  const follower = new Follower(options, console);
  try {
    const { run, result } = await follower.follow(begin);
    return report(run, result, options, console);
  } finally {
    follower.close();
  }
}

class Follower {
  readonly #view: ProgressView;
  readonly #interrupts: Interrupts;
  /** Where a person can be asked. */
  readonly #screen: Screen | undefined;
  #run: Run | undefined;

  constructor(options: FollowOptions, console: Console) {
    this.#view = progressView(console, options);
    const screen = screenFor(console, options.json);
    this.#screen = screen !== undefined && console.inIsTerminal ? screen : undefined;
    this.#interrupts = new Interrupts(() => this.#cancel());
  }

  /** The first tool may be called, and may print, before `begin` is over: the view is there by then. */
  async follow(begin: () => Promise<Run>): Promise<{ readonly run: Run; readonly result: RunResult }> {
    let result = await this.#watch(async () => {
      this.#run = await begin();
      if (this.#interrupts.count > 0) this.#cancel();
      return this.#run;
    });
    const run = this.#run as Run;
    while (!run.isOver && this.#screen !== undefined) {
      const questions = result.questions ?? [];
      const answered = await askQuestions(run, questions, this.#screen, this.#interrupts.interrupt);
      // The answers, or the cancellation, may be on their way to the disk.
      await setImmediate();
      if (!answered) return { run, result: run.isOver ? await run.result : run.snapshot() };
      result = await this.#watch(async () => run);
    }
    return { run, result };
  }

  async #watch(start: () => Promise<Run>): Promise<RunResult> {
    this.#view.start(() => this.#run?.progress() ?? []);
    let isKept = false;
    try {
      const run = await start();
      const result = await run.endedOrAsked();
      isKept = run.isOver || this.#screen === undefined;
      return result;
    } finally {
      this.#view.stop(isKept);
    }
  }

  #cancel(): void {
    this.#run?.cancel("Cancelled by Ctrl-C.");
  }

  close(): void {
    this.#interrupts.close();
  }
}

function report(run: Run, result: RunResult, options: FollowOptions, console: Console): ExitCode {
  const code = exitCodeOf(result);
  if (options.json) console.out(JSON.stringify(result, null, 2));
  if (code === EXIT.waiting) {
    printLines(questionLines(result, options.storeOption), console.err, console.errColor);
  } else if (!options.json) {
    const finalIds = run
      .progress()
      .filter((step) => step.isFinal)
      .map((step) => step.id);
    printReport(result, finalIds, options, console);
  }
  return code;
}
