/** Finished runs that are remembered, and how many events they may have between them; the oldest are forgotten first. */
const RUNS_MAX = 100;
const EVENTS_MAX = 2_000;

/** In the order in which they ended, with the numbers of their events. A run that goes on after its end is taken out. */
export class FinishedRuns {
  readonly #events = new Map<string, number>();
  #sum = 0;

  remove(runId: string): void {
    this.#sum -= this.#events.get(runId) ?? 0;
    this.#events.delete(runId);
  }

  /** Gives those that there is no room for any more; the newest is never one of them. */
  add(runId: string, events: number): readonly string[] {
    this.#events.set(runId, events);
    this.#sum += events;
    if (this.#events.size <= RUNS_MAX && this.#sum <= EVENTS_MAX) return NONE;
    const old: string[] = [];
    for (const [oldest] of this.#events) {
      if (oldest === runId || (this.#events.size <= RUNS_MAX && this.#sum <= EVENTS_MAX)) break;
      this.remove(oldest);
      old.push(oldest);
    }
    return old;
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#events.keys();
  }
}

const NONE: readonly string[] = [];
