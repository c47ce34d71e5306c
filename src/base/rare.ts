/*
 * Collections that stay empty in nearly every run: the real one is made when the first thing is put in. A run would otherwise
 * begin by making some twenty maps and sets that nobody ever uses.
 */

export class RareMap<K, V> {
  #map: Map<K, V> | undefined = undefined;

  get size(): number {
    return this.#map === undefined ? 0 : this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map?.get(key);
  }

  has(key: K): boolean {
    return this.#map?.has(key) ?? false;
  }

  set(key: K, value: V): void {
    this.#map ??= new Map();
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    return this.#map?.delete(key) ?? false;
  }

  clear(): void {
    this.#map = undefined;
  }

  keys(): Iterable<K> {
    return this.#map?.keys() ?? [];
  }

  values(): Iterable<V> {
    return this.#map?.values() ?? [];
  }

  [Symbol.iterator](): Iterator<[K, V]> {
    return (this.#map ?? NOTHING).entries() as Iterator<[K, V]>;
  }
}

const NOTHING: ReadonlyMap<never, never> = new Map<never, never>();

export class RareSet<T> {
  #set: Set<T> | undefined = undefined;

  get size(): number {
    return this.#set === undefined ? 0 : this.#set.size;
  }

  has(item: T): boolean {
    return this.#set?.has(item) ?? false;
  }

  add(item: T): void {
    this.#set ??= new Set();
    this.#set.add(item);
  }

  delete(item: T): boolean {
    return this.#set?.delete(item) ?? false;
  }

  clear(): void {
    this.#set = undefined;
  }

  [Symbol.iterator](): Iterator<T> {
    return (this.#set ?? NOBODY).values() as Iterator<T>;
  }
}

const NOBODY: ReadonlySet<never> = new Set<never>();
