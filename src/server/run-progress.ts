import type { Engine, RunSummary, StepCounts } from "../index.ts";

const KNOWN_MAX = 2_000;

/** How far runs have come. A run that has ended is counted once: that takes reading its journal. */
export class RunProgress {
  readonly #engine: Engine;
  readonly #known = new Map<string, StepCounts>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async of({ id, finishedAt, status }: RunSummary): Promise<StepCounts | undefined> {
    // A run that failed can be resumed, and then ends once more.
    const key = `${id} ${status} ${finishedAt ?? ""}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const counts = await this.#engine.counts(id);
    if (counts === undefined || finishedAt === undefined) return counts;
    this.#known.set(key, counts);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
    return counts;
  }
}
