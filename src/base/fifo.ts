/** At O(1): a head and a tail that move, back to the start whenever it is empty, and a list that is cut when half is done. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;
  #tail = 0;

  push(item: T): void {
    this.#items[this.#tail++] = item;
  }

  shift(): T | undefined {
    if (this.#head === this.#tail) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#tail) this.clear();
    else if (this.#head > 1_024 && this.#head * 2 > this.#tail) {
      this.#items = this.#items.slice(this.#head, this.#tail);
      this.#tail -= this.#head;
      this.#head = 0;
    }
    return item;
  }

  clear(): void {
    this.#head = 0;
    this.#tail = 0;
  }
}
