/** A place for one value, which can be emptied. */
interface Holder<V> {
  value: V | undefined;
}

/**
 * A map whose entries come and go. When a `Map` of V8 runs out of room it makes a new table, to which the old one, with all
 * that was in it, keeps pointing. Once such a table is old in the garbage collector's eyes, everything that has passed through
 * its successors lives on until the next full collection, and is copied around meanwhile. Here only an empty holder does.
 */
export class FleetingMap<K, V> {
  readonly #holders = new Map<K, Holder<V>>();

  get size(): number {
    return this.#holders.size;
  }

  has(key: K): boolean {
    return this.#holders.has(key);
  }

  get(key: K): V | undefined {
    return this.#holders.get(key)?.value;
  }

  set(key: K, value: V): void {
    this.#holders.set(key, { value });
  }

  delete(key: K): void {
    const holder = this.#holders.get(key);
    if (holder === undefined) return;
    holder.value = undefined;
    this.#holders.delete(key);
  }

  /** Those that are there now, in the order in which they came. */
  values(): V[] {
    return Array.from(this.#holders.values(), ({ value }) => value as V);
  }

  clear(): void {
    this.#holders.clear();
  }
}
