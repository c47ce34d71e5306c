import type { Call, Frame } from "./state.ts";

/** Work that may start when there is room: a call, or the next item of a fan-out. */
export type Ready =
  | { readonly kind: "call"; readonly call: Call }
  | { readonly kind: "fan-out"; readonly frame: Frame; readonly step: number };

const LEVELS_TOLD_APART = 32;

/**
 * What was begun is finished before more is begun: calls come before items of fan-outs, and items of a fan-out inside another
 * one before those of the outer. So there are never many more items open than there are calls under way, however long a
 * list is. Among equals, first in, first out.
 */
export class ReadyQueue {
  readonly #calls = new Fifo();
  /** By the level of the fan-out's frame. */
  readonly #fanOuts: Fifo[] = [];

  get length(): number {
    return this.#fanOuts.reduce((sum, queue) => sum + queue.length, this.#calls.length);
  }

  push(item: Ready): void {
    if (item.kind === "call") this.#calls.push(item);
    else {
      const level = Math.min(item.frame.level, LEVELS_TOLD_APART - 1);
      while (this.#fanOuts.length <= level) this.#fanOuts.push(new Fifo());
      this.#fanOuts[level]?.push(item);
    }
  }

  shift(): Ready | undefined {
    const call = this.#calls.shift();
    if (call !== undefined) return call;
    for (let level = this.#fanOuts.length - 1; level >= 0; level--) {
      const item = this.#fanOuts[level]?.shift();
      if (item !== undefined) return item;
    }
    return undefined;
  }

  clear(): void {
    this.#calls.clear();
    this.#fanOuts.length = 0;
  }
}

/** At O(1): a head that moves, and a list that is cut when half of it is done. */
class Fifo {
  #items: Ready[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: Ready): void {
    this.#items.push(item);
  }

  shift(): Ready | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head++;
    if (this.#head === this.#items.length) this.clear();
    else if (this.#head > 1_024 && this.#head * 2 > this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#items.length = 0;
    this.#head = 0;
  }
}
