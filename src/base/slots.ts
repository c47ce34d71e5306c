/**
 * Things by numbers that are given out one after the other, most of which are soon done with. A `Map` that is filled and
 * emptied all the time makes itself anew every few entries; a list does not.
 */
export class Slots<T extends object> {
  readonly #items: (T | undefined)[] = [];
  /** Everything before it is empty. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(number: number): T | undefined {
    return this.#items[number];
  }

  set(number: number, item: T): void {
    // Numbers that were left out are empty, too.
    while (this.#items.length < number) this.#items.push(undefined);
    if (this.#items[number] === undefined) this.#size++;
    this.#items[number] = item;
    if (number < this.#first) this.#first = number;
  }

  delete(number: number): void {
    if (this.#items[number] === undefined) return;
    this.#items[number] = undefined;
    this.#size--;
    while (this.#first < this.#items.length && this.#items[this.#first] === undefined) this.#first++;
  }

  /** Those that are there now, in the order of their numbers. */
  all(): T[] {
    const all: T[] = [];
    for (let i = this.#first; i < this.#items.length && all.length < this.#size; i++) {
      const item = this.#items[i];
      if (item !== undefined) all.push(item);
    }
    return all;
  }
}
