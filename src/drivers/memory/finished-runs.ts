import { Fifo } from "../../base/fifo.ts";

/** Finished runs that are remembered, and how many events they may have between them; the oldest are forgotten first. */
const RUNS_MAX = 100;
const EVENTS_MAX = 2_000;

export interface FinishedRun {
  readonly id: string;
  readonly events: number;
  /** Taken out: it went on after its end, or was forgotten. */
  isOut: boolean;
}

/** In the order in which they ended. */
export class FinishedRuns {
  readonly #runs = new Fifo<FinishedRun>();
  #size = 0;
  #events = 0;

  add(id: string, events: number): FinishedRun {
    const run = { id, events, isOut: false };
    this.#runs.push(run);
    this.#size++;
    this.#events += events;
    return run;
  }

  remove(run: FinishedRun): void {
    if (run.isOut) return;
    run.isOut = true;
    this.#size--;
    this.#events -= run.events;
  }

  /** The oldest, where there is no room for it any more; the newest is never in the way. */
  takeOverdue(): FinishedRun | undefined {
    while (this.#size > 1 && (this.#size > RUNS_MAX || this.#events > EVENTS_MAX)) {
      const oldest = this.#runs.shift();
      if (oldest === undefined || oldest.isOut) continue;
      this.remove(oldest);
      return oldest;
    }
    return undefined;
  }
}
