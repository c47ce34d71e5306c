import type { Json } from "../index.ts";

export interface LogLine {
  readonly at: string;
  readonly step: string;
  readonly message: string;
  readonly data: Json | undefined;
}

const LINES_OF_RUN_MAX = 500;
const RUNS_MAX = 200;

/** What tools have logged lately, by run. Logs are no part of a journal: they last as long as the process. */
export class RunLogs {
  readonly #runs = new Map<string, LogLine[]>();

  add(runId: string, line: LogLine): void {
    const lines = this.#runs.get(runId) ?? [];
    lines.push(line);
    if (lines.length > LINES_OF_RUN_MAX) lines.shift();
    this.#runs.set(runId, lines);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > RUNS_MAX && oldest !== undefined) this.#runs.delete(oldest);
  }

  of(runId: string, step: string | undefined): readonly LogLine[] {
    const lines = this.#runs.get(runId) ?? [];
    return step === undefined ? lines : lines.filter((line) => line.step === step);
  }
}
