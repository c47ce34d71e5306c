/** Time, as everything that waits sees it. The real one is `systemClock`; tests and simulations bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back at or after `atMs`; gives a function that calls it off. */
  at(atMs: number, callback: () => void): () => void;
}

/** The longest delay that `setTimeout` takes; longer ones are waited for in parts. */
const DELAY_MAX = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  at: (atMs, callback) => {
    let timer: ReturnType<typeof setTimeout>;
    // A timer may fire a moment before its time, by this clock.
    const ring = (): void => {
      if (Date.now() < atMs) wait();
      else callback();
    };
    const wait = (): void => {
      timer = setTimeout(ring, Math.min(Math.max(0, atMs - Date.now()), DELAY_MAX));
    };
    wait();
    return () => clearTimeout(timer);
  },
};

/** A clock that stands still until it is told to go on: `step` moves it to the next thing that is due. */
export class SimulatedClock implements Clock {
  #now: number;
  #sequence = 0;
  #timers: { readonly atMs: number; readonly order: number; readonly callback: () => void }[] = [];

  constructor(startMs = 0) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  at(atMs: number, callback: () => void): () => void {
    const timer = { atMs: Math.max(atMs, this.#now), order: this.#sequence++, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Moves to the earliest timer and calls it; false where there is none. */
  step(): boolean {
    let next = this.#timers[0];
    for (const timer of this.#timers) {
      if (
        next === undefined ||
        timer.atMs < next.atMs ||
        (timer.atMs === next.atMs && timer.order < next.order)
      )
        next = timer;
    }
    if (next === undefined) return false;
    this.#timers = this.#timers.filter((timer) => timer !== next);
    this.#now = Math.max(this.#now, next.atMs);
    next.callback();
    return true;
  }
}
