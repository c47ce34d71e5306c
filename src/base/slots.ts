/** So many empty places at the front are put up with. */
const EMPTY_MAX = 512;

/**
 * Things by numbers that are given out one after the other, most of which are soon done with. A `Map` that is filled and
 * emptied all the time makes itself anew every few entries; a list does not. It is cut when half of it is done with.
 */
export class Slots<T extends object> {
  #items: (T | undefined)[] = [];
  /** The number of the first item. */
  #offset = 0;
  /** Everything before it is empty. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(number: number): T | undefined {
    return this.#items[number - this.#offset];
  }

  set(number: number, item: T): void {
    const at = number - this.#offset;
    if (at === this.#items.length) {
      this.#items[at] = item;
      this.#size++;
    } else this.#setElsewhere(at, item);
  }

  #setElsewhere(at: number, item: T): void {
    if (at < 0) this.#makeRoom(-at);
    const place = Math.max(at, 0);
    // Numbers that were left out are empty, too.
    while (this.#items.length < place) this.#items.push(undefined);
    if (this.#items[place] === undefined) this.#size++;
    this.#items[place] = item;
    if (place < this.#first) this.#first = place;
  }

  /** Before the first item, for a number that comes late. */
  #makeRoom(count: number): void {
    this.#items = [...new Array<undefined>(count).fill(undefined), ...this.#items];
    this.#offset -= count;
    this.#first += count;
  }

  delete(number: number): void {
    const at = number - this.#offset;
    if (this.#items[at] === undefined) return;
    this.#items[at] = undefined;
    this.#size--;
    if (at !== this.#first) return;
    while (this.#first < this.#items.length && this.#items[this.#first] === undefined) this.#first++;
    if (this.#first > EMPTY_MAX && this.#first * 2 > this.#items.length) this.#cut();
  }

  #cut(): void {
    this.#items = this.#items.slice(this.#first);
    this.#offset += this.#first;
    this.#first = 0;
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
