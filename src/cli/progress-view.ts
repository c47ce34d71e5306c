import type { StepProgress } from "../index.ts";
import type { Console, Screen } from "./console.ts";
import { LiveView } from "./live-view.ts";
import { isOpen, rowsOf, settledLine } from "./step-lines.ts";
import { renderLine } from "./styled-line.ts";

/** Shows how a run goes on. It may be started again after it was stopped. */
export interface ProgressView {
  start(steps: () => readonly StepProgress[]): void;
  /** `keep`: what is shown stays; nothing follows but the summary. */
  stop(keep: boolean): void;
}

export interface ViewOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** What had settled before is no news: a run that is resumed. */
  readonly sinceMs: number;
}

/** On a terminal a tree that is redrawn, elsewhere a line for each step that has settled. */
export function progressView(console: Console, options: ViewOptions): ProgressView {
  if (options.quiet) return new NoView();
  const screen = screenFor(console, options.json);
  if (screen?.canRedraw === true) return new LiveView(screen, console);
  return options.json ? new NoView() : new PlainView(console, options.sinceMs);
}

/** Where a person looks: with `--json`, standard output is for programs. */
export function screenFor(console: Console, json: boolean): Screen | undefined {
  return json ? console.errScreen : (console.outScreen ?? console.errScreen);
}

class NoView implements ProgressView {
  start(): void {}
  stop(): void {}
}

const LOOK_MS = 100;

/** One line for each step that has settled, soon after it did. */
class PlainView implements ProgressView {
  readonly #console: Console;
  readonly #seen = new Set<string>();
  #steps: () => readonly StepProgress[] = () => [];
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #sinceMs: number;

  constructor(console: Console, sinceMs: number) {
    this.#console = console;
    this.#sinceMs = sinceMs;
  }

  start(steps: () => readonly StepProgress[]): void {
    this.#steps = steps;
    this.#timer = setInterval(() => this.#print(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#print();
  }

  /** In the order in which they ended, then of the plan; of a composite, its steps before itself. */
  #print(): void {
    // What is inside of items comes and goes with them: the fan-out counts them.
    const steps = rowsOf(this.#steps(), (step) => step.items !== undefined)
      .map(({ step }) => step)
      .filter(({ id, status, finishedAt }) => {
        return !isOpen(status) && finishedAt > 0 && finishedAt >= this.#sinceMs && !this.#seen.has(id);
      })
      .sort((a, b) => a.finishedAt - b.finishedAt || depthOf(b) - depthOf(a));
    for (const step of steps) {
      this.#seen.add(step.id);
      this.#console.out(renderLine(settledLine(step), false));
    }
  }
}

function depthOf(step: StepProgress): number {
  return step.id.split(".").length;
}
