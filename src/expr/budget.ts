import type { Json } from "../base/json.ts";
import { isList, isObject } from "../base/json.ts";
import { MappingError } from "./mapping-error.ts";

export interface BudgetLimits {
  /** Nodes evaluated and elements looked at. */
  readonly stepsMax: number;
  /** Data produced, in bytes or nearly so: a character is one, an element of a list or an object eight. */
  readonly sizeMax: number;
}

const DEFAULT_LIMITS: BudgetLimits = { stepsMax: 1_000_000, sizeMax: 64 * 1024 * 1024 };

const ELEMENT_SIZE = 8;

/** Whoever clones, compares or prints a value recurses into it. */
const VALUE_DEPTH_MAX = 1000;

/**
 * What transforms may cost. An expression shares values (`[current, current]`), so a small one can describe a value
 * that is huge once written out. Hence two rules: building charges what is built, without what is shared; and whatever
 * goes through a value to its leaves (as text, as a key, in a comparison, or to leave the evaluator) counts it written out first.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  #stepsLeft: number;
  #sizeLeft: number;

  constructor(limits: BudgetLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
    this.#stepsLeft = limits.stepsMax;
    this.#sizeLeft = limits.sizeMax;
  }

  step(count = 1): void {
    this.#stepsLeft -= count;
    if (this.#stepsLeft >= 0) return;
    throw new MappingError(
      `The transform takes more than ${this.#limits.stepsMax} steps. Work on less data at once.`,
    );
  }

  /** A list or an object with so many elements is about to be built. */
  produce(elements: number): void {
    this.#spend(elements * ELEMENT_SIZE);
  }

  produceText(characters: number): void {
    this.#spend(characters);
  }

  /** `value` is about to be gone through to its leaves. */
  produceWhole(value: Json): void {
    this.#spend(this.#measure(value, this.#sizeLeft));
  }

  /** Refuses a result that is too large, too deep or not JSON for others to copy and store. */
  admit(result: Json): Json {
    this.#measure(result, this.#limits.sizeMax);
    return result;
  }

  #spend(size: number): void {
    this.#sizeLeft -= size;
    if (this.#sizeLeft < 0) throw this.#tooLarge();
  }

  /** The size of `value` written out; gives up where it is more than `sizeMax`. */
  #measure(value: Json, sizeMax: number): number {
    const values: Json[] = [value];
    const depths: number[] = [0];
    let size = 0;
    for (let next = values.pop(); next !== undefined; next = values.pop()) {
      const depth = depths.pop() ?? 0;
      if (depth > VALUE_DEPTH_MAX)
        throw new MappingError(`A value is nested deeper than ${VALUE_DEPTH_MAX} levels.`);
      size += ownSize(next);
      if (size > sizeMax) throw this.#tooLarge();
      if (typeof next !== "object" || next === null) continue;
      for (const child of isList(next) ? next : Object.values(next)) {
        values.push(child);
        depths.push(depth + 1);
      }
    }
    return size;
  }

  #tooLarge(): MappingError {
    return new MappingError(
      `The transform makes more than ${this.#limits.sizeMax} bytes of data. Work on less data at once.`,
    );
  }
}

/** Without what is inside of it. */
function ownSize(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new MappingError("A number is too large to be written as JSON.");
  }
  if (isList(value)) return value.length * ELEMENT_SIZE;
  if (!isObject(value)) return 0;
  let size = 0;
  for (const key of Object.keys(value)) size += key.length + ELEMENT_SIZE;
  return size;
}
