import { RestatePromise } from "@restatedev/restate-sdk";

/** What is under way, by name. */
interface Arrival<T> {
  readonly key: string;
  readonly value: T | undefined;
  readonly failure: Error | undefined;
}

/**
 * Promises of Restate under way. `next` gives one at a time, in the order that Restate has recorded: a native `then` on any of
 * them would see them in the order of this process, which is another one in the next.
 */
export class Window<T> {
  readonly #pending = new Map<string, RestatePromise<Arrival<T>>>();

  has(key: string): boolean {
    return this.#pending.has(key);
  }

  add(key: string, promise: RestatePromise<T>): void {
    this.#pending.set(
      key,
      promise.map((value, failure) => ({ key, value, failure })),
    );
  }

  /** Nobody waits for it any more. */
  drop(key: string): void {
    this.#pending.delete(key);
  }

  async next(): Promise<Arrival<T>> {
    const arrival = await RestatePromise.race([...this.#pending.values()]);
    this.#pending.delete(arrival.key);
    return arrival;
  }
}
