import type { Driver } from "./driver.ts";
import type { RunLoop } from "./run-loop.ts";

/** Records what the loops of one process have to record in one turn of the event loop with one commit. */
export class Gatherer {
  readonly #driver: Driver;
  #loops = new Set<RunLoop>();

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  get isEmpty(): boolean {
    return this.#loops.size === 0;
  }

  add(loop: RunLoop): void {
    if (this.#loops.size === 0) setImmediate(() => this.#flush());
    this.#loops.add(loop);
  }

  #flush(): void {
    const loops = [...this.#loops];
    this.#loops = new Set();
    try {
      this.#driver.together(() => {
        for (const loop of loops) loop.record();
      });
    } catch (error) {
      for (const loop of loops) loop.fail(error);
      return;
    }
    for (const loop of loops) loop.handleRecorded();
  }
}
