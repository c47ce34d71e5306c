import { Fifo } from "../base/fifo.ts";
import type { Call, Frame } from "./state.ts";

/** Work that may start when there is room: a call, or the next item of a fan-out. */
export type Ready = Call | ReadyItems;

interface ReadyItems {
  readonly kind: "fan-out";
  readonly frame: Frame;
  readonly step: number;
}

const LEVELS_TOLD_APART = 32;

/**
 * What was begun is finished before more is begun: calls come before items of fan-outs, and items of a fan-out inside another
 * one before those of the outer. So there are never many more items open than there are calls under way, however long a
 * list is. Among equals, first in, first out.
 */
export class ReadyQueue {
  readonly #calls = new Fifo<Ready>();
  /** By the level of the fan-out's frame. */
  readonly #fanOuts: Fifo<Ready>[] = [];

  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  push(item: Ready): void {
    this.#length++;
    if (!("kind" in item)) this.#calls.push(item);
    else {
      const level = Math.min(item.frame.level, LEVELS_TOLD_APART - 1);
      while (this.#fanOuts.length <= level) this.#fanOuts.push(new Fifo<Ready>());
      this.#fanOuts[level]?.push(item);
    }
  }

  shift(): Ready | undefined {
    if (this.#length === 0) return undefined;
    this.#length--;
    const call = this.#calls.shift();
    if (call !== undefined) return call;
    for (let level = this.#fanOuts.length - 1; level >= 0; level--) {
      const item = this.#fanOuts[level]?.shift();
      if (item !== undefined) return item;
    }
    return undefined;
  }

  clear(): void {
    this.#length = 0;
    this.#calls.clear();
    this.#fanOuts.length = 0;
  }
}
