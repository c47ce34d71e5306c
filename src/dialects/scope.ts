import type { Root } from "../expr/reference.ts";
import type { Need, NeedMode } from "../ir/program.ts";
import type { Spot } from "../source/diagnostic.ts";
import { type Findings, spliceFix } from "../source/findings.ts";

const NO_NEEDS: readonly Need[] = [];
/** The first of them is the mode of results. */
const MODES: readonly NeedMode[] = ["data", "outcome", "handles", "succeeded", "settled", "order"];

/** The result of a step: the root of references to it, and what a step that refers to it needs. */
type StepResult = Need & { readonly mode: "data" } & Root & { readonly kind: "result" };

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
  /** Nothing but results and answers is referred to, and no secret is named. */
  isPlain = true;
  /** By step: who has noted it last, and in which modes. Who comes later has a greater mark. */
  readonly #marks: number[];
  /** By step; made for the first reference to it and shared by all. */
  readonly #results: (StepResult | undefined)[];

  constructor(ids: ReadonlyMap<string, number>, stepCount: number, findings: Findings) {
    this.ids = ids;
    this.findings = findings;
    this.stepCount = stepCount;
    this.#marks = new Array(stepCount).fill(0);
    this.#results = new Array(stepCount);
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
    if (this.#isNew(step, 1 << MODES.indexOf(mode))) this.#needs[this.#count++] = { step, mode };
  }

  /** The root of a reference to the step, whose result the current step needs for that. */
  needResult(step: number): Root {
    const result = this.resultOf(step);
    if (this.#isNew(step, 1)) this.#needs[this.#count++] = result;
    return result;
  }

  resultOf(step: number): StepResult {
    const known = this.#results[step];
    if (known !== undefined) return known;
    const result: StepResult = { kind: "result", step, mode: "data" };
    this.#results[step] = result;
    return result;
  }

  /** Notes a mode for the current step, if there is one; false where that has been done. */
  #isNew(step: number, mode: number): boolean {
    if (this.#current < 0) return false;
    const mark = this.#marks[step] as number;
    const own = (this.#current + 1) << MODES.length;
    this.#marks[step] = Math.max(mark, own) | mode;
    return mark < own || (mark & mode) === 0;
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
