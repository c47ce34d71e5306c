import type { Driver } from "./driver.ts";
import type { RunLoop } from "./run-loop.ts";

/** Keeps an eye on runs that other processes on the same store may go on with: those that wait, and those they have taken. */
export class Follower {
  readonly #driver: Driver;
  readonly #loops = new Set<RunLoop>();
  #stopWatching: (() => void) | undefined;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** After each turn of a loop. */
  consider(loop: RunLoop, isOver: boolean): void {
    const isOthers = loop.isFollowing || loop.state.status === "waiting";
    if (!isOver && loop.failure === undefined && isOthers) this.#loops.add(loop);
    else this.#loops.delete(loop);
    if (this.#loops.size === 0) this.stop();
    else this.#stopWatching ??= this.#driver.watch(() => this.look());
  }

  look(): void {
    try {
      if (!this.#driver.hasNews()) return;
    } catch {
      // Whoever uses the store next will hear what is wrong with it.
      return;
    }
    for (const loop of [...this.#loops]) loop.catchUp();
  }

  stop(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }
}
