import { SequiturError } from "../base/error.ts";
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
    const loops = [...this.#loops].filter((loop) => loop.failure === undefined);
    this.#loops = new Set();
    for (const loop of this.#record(loops)) loop.handleRecorded();
  }

  /** The loops whose events are durable now. */
  #record(loops: readonly RunLoop[]): readonly RunLoop[] {
    try {
      this.#driver.together(() => {
        for (const loop of loops) loop.record();
      });
      return loops;
    } catch (error) {
      for (const loop of loops) loop.unrecord();
      if (loops.length > 1 && isOfOneRun(error))
        return loops.filter((loop) => this.#record([loop]).length > 0);
      for (const loop of loops) loop.refused(error);
      return [];
    }
  }
}

/** A run that is lost, or too large, must not take along those that shared its commit; a store that is gone takes all. */
function isOfOneRun(error: unknown): boolean {
  return !(error instanceof SequiturError) || !error.code.startsWith("STORE_");
}
