import type { Call, Frame } from "./state.ts";

/** Work that may start when there is room: a call, or the next item of a fan-out. */
export type Ready =
  | { readonly kind: "call"; readonly call: Call }
  | { readonly kind: "fan-out"; readonly frame: Frame; readonly step: number };

/** First in, first out, at O(1): a head that moves, and a list that is cut when half of it is done. */
export class ReadyQueue {
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
    if (this.#head === this.#items.length) {
      this.#items.length = 0;
      this.#head = 0;
    } else if (this.#head > 1_024 && this.#head * 2 > this.#items.length) {
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
