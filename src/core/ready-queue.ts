import { Fifo } from "../base/fifo.ts";
import type { Call, Frame } from "./state.ts";

/** Items of a fan-out that may start when there is room. */
export interface ReadyItems {
  readonly frame: Frame;
  readonly step: number;
}

const LEVELS_TOLD_APART = 32;

/**
 * Work that may start when there is room. What was begun is finished before more is begun: calls come before items of fan-outs,
 * and items of a fan-out inside another one before those of the outer. So there are never many more items open than there are
 * calls under way, however long a list is. Among equals, first in, first out.
 */
export class ReadyQueue {
  readonly #calls = new Fifo<Call>();
  /** By the level of the fan-out's frame. */
  readonly #items: Fifo<ReadyItems>[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  push(call: Call): void {
    this.#length++;
    this.#calls.push(call);
  }

  pushItems(items: ReadyItems): void {
    this.#length++;
    const level = Math.min(items.frame.level, LEVELS_TOLD_APART - 1);
    while (this.#items.length <= level) this.#items.push(new Fifo<ReadyItems>());
    (this.#items[level] as Fifo<ReadyItems>).push(items);
  }

  shiftCall(): Call | undefined {
    const call = this.#calls.shift();
    if (call !== undefined) this.#length--;
    return call;
  }

  /** Only where no call is ready. */
  shiftItems(): ReadyItems | undefined {
    for (let level = this.#items.length - 1; level >= 0; level--) {
      const items = this.#items[level]?.shift();
      if (items === undefined) continue;
      this.#length--;
      return items;
    }
    return undefined;
  }

  clear(): void {
    this.#length = 0;
    this.#calls.clear();
    this.#items.length = 0;
  }
}
