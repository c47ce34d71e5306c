/** How long things took, as counts in buckets: cheap to add to, and enough for means and percentiles. */
export interface DurationCounts {
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** How many took at most `leMs` (and more than the bucket before); the last bucket has no limit. */
  readonly buckets: readonly { readonly leMs: number | null; readonly count: number }[];
}

export const BOUNDS_MS: readonly number[] = [
  1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 3_600_000,
];

export class Durations {
  #count = 0;
  #sumMs = 0;
  #maxMs = 0;
  readonly #buckets = new Float64Array(BOUNDS_MS.length + 1);

  add(ms: number): void {
    this.#count++;
    this.#sumMs += ms;
    if (ms > this.#maxMs) this.#maxMs = ms;
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && ms > (BOUNDS_MS[bucket] as number)) bucket++;
    this.#buckets[bucket] = (this.#buckets[bucket] as number) + 1;
  }

  snapshot(): DurationCounts {
    const buckets = Array.from(this.#buckets, (count, i) => ({ leMs: BOUNDS_MS[i] ?? null, count }));
    return { count: this.#count, sumMs: this.#sumMs, maxMs: this.#maxMs, buckets };
  }
}
