/** Finished runs that are remembered, and how many events they may have between them; the oldest are forgotten first. */
const RUNS_MAX = 100;
const EVENTS_MAX = 2_000;

/** Small, since V8 may keep it for a while after it was taken out (see `FleetingMap`). */
export interface FinishedRun {
  readonly id: string;
  readonly events: number;
}

/** In the order in which they ended. A run that goes on after its end is taken out. */
export class FinishedRuns {
  readonly #runs = new Set<FinishedRun>();
  #events = 0;

  add(id: string, events: number): FinishedRun {
    const run = { id, events };
    this.#runs.add(run);
    this.#events += events;
    return run;
  }

  remove(run: FinishedRun): void {
    if (this.#runs.delete(run)) this.#events -= run.events;
  }

  /** The oldest, where there is no room for it any more; the newest is never in the way. */
  overdue(): FinishedRun | undefined {
    const isFull = this.#runs.size > RUNS_MAX || this.#events > EVENTS_MAX;
    return isFull && this.#runs.size > 1 ? this.#runs.values().next().value : undefined;
  }
}
