import type { Clock } from "../../src/base/clock.ts";

/** A clock that goes faster than the others; a cluster whose sleeps are as much shorter goes with it. */
export interface FastClock extends Clock {
  readonly sleepMs: (ms: number) => number;
}

export function fastClock(speed: number, begin = Date.UTC(2026, 0, 1)): FastClock {
  const started = Date.now();
  const now = (): number => begin + (Date.now() - started) * speed;
  return {
    now,
    at: (atMs, callback) => {
      const timer = setTimeout(callback, Math.max(0, (atMs - now()) / speed));
      return () => clearTimeout(timer);
    },
    sleepMs: (ms) => Math.ceil(ms / speed),
  };
}
