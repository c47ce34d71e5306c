import type { Need, NeedMode } from "../ir/program.ts";
import type { Spot } from "../source/diagnostic.ts";
import { type Findings, spliceFix } from "../source/findings.ts";

const NO_NEEDS: readonly Need[] = [];
const MODES: readonly NeedMode[] = ["data", "outcome", "handles", "succeeded", "settled", "order"];

/**
 * The names that a block's references can mean, and, while its steps are lowered one after the other, the list of what the
 * current step needs. A step is noted once for each mode, however often it is referred to.
 */
export class BlockScope {
  readonly ids: ReadonlyMap<string, number>;
  readonly findings: Findings;
  readonly stepCount: number;
  /** The first `#count` are the current step's; the list is used again for every step. */
  readonly #needs: Need[] = [];
  #count = 0;
  #current = -1;
  #names: string[] | undefined;
  readonly #owner: Int32Array;
  readonly #modes: Uint8Array;

  constructor(ids: ReadonlyMap<string, number>, stepCount: number, findings: Findings) {
    this.ids = ids;
    this.findings = findings;
    this.stepCount = stepCount;
    this.#owner = new Int32Array(stepCount).fill(-2);
    this.#modes = new Uint8Array(stepCount);
  }

  /** The number of the step that is being lowered; -1 outside steps. */
  get current(): number {
    return this.#current;
  }

  begin(step: number): void {
    this.#current = step;
    this.#count = 0;
  }

  /** What the step needs, in a list of just its length: programs keep many of these. */
  end(): readonly Need[] {
    this.#current = -1;
    if (this.#count === 0) return NO_NEEDS;
    return this.#count === 1 ? [this.#needs[0] as Need] : this.#needs.slice(0, this.#count);
  }

  need(step: number, mode: NeedMode): void {
    if (this.#current < 0) return;
    const bit = mode === "data" ? 1 : 1 << MODES.indexOf(mode);
    if (this.#owner[step] !== this.#current) {
      this.#owner[step] = this.#current;
      this.#modes[step] = 0;
    }
    const modes = this.#modes[step] as number;
    if ((modes & bit) !== 0) return;
    this.#modes[step] = modes | bit;
    this.#needs[this.#count++] = { step, mode };
  }

  /** The id of a step by its number, for what was written as in a language without ids. */
  idOf(step: number): string | undefined {
    if (this.#names === undefined) {
      this.#names = [];
      for (const [id, number] of this.ids) this.#names[number] = id;
    }
    return this.#names[step];
  }

  /** Reports a reference at `spot` to a step that isn't there; its name alone stands at `nameAt`. */
  reportUnknownStep(name: string, text: string, spot: Spot, nameAt: Spot): void {
    const said = this.findings.suggest(name, this.ids.keys());
    const { near } = said;
    const fix = near === undefined ? undefined : spliceFix(`refer to "${near}"`, nameAt, near);
    this.findings.report("unknown-step", spot, { ...said, text }, fix, () =>
      [...this.ids.keys()].map((id) => spliceFix(`refer to "${id}"`, nameAt, id)),
    );
  }
}
