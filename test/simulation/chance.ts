/** Where all chance of a simulation comes from: the same seed gives the same program, and the same world. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
    for (let i = 0; i < 4; i++) this.unit();
  }

  /** In [0, 1). */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** From 0 up to, and without, `n`. */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  maybe(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }

  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  }
}

/** A number in [0, 1) that depends on the text alone. */
export function unitOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return new Chance(h >>> 0).unit();
}
