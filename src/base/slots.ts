/** So many empty places at the front are put up with. */
const EMPTY_MAX = 512;

/**
 * Things by numbers that are given out one after the other, most of which are soon done with. A `Map` that is filled and
 * emptied all the time makes itself anew every few entries; a list does not. It begins anew whenever nothing is left, and is cut
 * when half of it is done with.
 */
export class Slots<T extends object> {
  #items: (T | undefined)[] = [];
  /** How much of the list is in use: emptying it by its length costs more than all the rest. */
  #length = 0;
  /** The number of the first item. */
  #offset = 0;
  /** Everything before it is empty. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(number: number): T | undefined {
    const at = number - this.#offset;
    return at < this.#length ? this.#items[at] : undefined;
  }

  set(number: number, item: T): void {
    const at = number - this.#offset;
    if (at === this.#length) {
      this.#items[at] = item;
      this.#length++;
      this.#size++;
    } else this.#setElsewhere(at, item);
  }

  #setElsewhere(at: number, item: T): void {
    if (at < 0) this.#makeRoom(-at);
    const place = Math.max(at, 0);
    // Numbers that were left out are empty, too.
    while (this.#length <= place) this.#items[this.#length++] = undefined;
    if (this.#items[place] === undefined) this.#size++;
    this.#items[place] = item;
    if (place < this.#first) this.#first = place;
  }

  /** Before the first item, for a number that comes late. */
  #makeRoom(count: number): void {
    this.#items = [...new Array<undefined>(count).fill(undefined), ...this.#items];
    this.#length += count;
    this.#offset -= count;
    this.#first += count;
  }

  delete(number: number): void {
    const at = number - this.#offset;
    if (at >= this.#length || this.#items[at] === undefined) return;
    this.#items[at] = undefined;
    this.#size--;
    if (this.#size === 0) this.#beginAnew();
    else if (at === this.#first) this.#moveOn();
  }

  #beginAnew(): void {
    this.#offset += this.#length;
    this.#length = 0;
    this.#first = 0;
  }

  #moveOn(): void {
    while (this.#items[this.#first] === undefined) this.#first++;
    if (this.#first <= EMPTY_MAX || this.#first * 2 <= this.#length) return;
    this.#items = this.#items.slice(this.#first, this.#length);
    this.#offset += this.#first;
    this.#length -= this.#first;
    this.#first = 0;
  }

  /** Those that are there now, in the order of their numbers. */
  all(): T[] {
    const all: T[] = [];
    for (let i = this.#first; i < this.#length && all.length < this.#size; i++) {
      const item = this.#items[i];
      if (item !== undefined) all.push(item);
    }
    return all;
  }
}
