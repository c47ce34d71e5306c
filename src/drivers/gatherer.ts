import { SequiturError } from "../base/error.ts";
import type { RunEvent } from "../core/events.ts";
import type { RunStatus } from "../core/state.ts";
import type { Driver, Once, RunRecord, RunSource } from "./driver.ts";
import type { RunLoop } from "./run-loop.ts";

/** Records what the loops of one process have to record in one turn of the event loop with one commit. */
export class Gatherer {
  readonly #driver: Driver;
  #loops = new Set<RunLoop>();
  #starts: Start[] = [];
  /** What the list of runs is to say, while loops are being handled. */
  #updates: Map<string, Update> | undefined;

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
    const recorded = this.#record(loops);
    const updates = new Map<string, Update>();
    this.#updates = updates;
    for (const loop of recorded) loop.handleRecorded();
    this.#updates = undefined;
    this.#list([...updates.values()]);
  }

  /** A new run, as `create` of the driver makes it; runs that are started in one turn of the event loop share a commit. */
  create(
    record: RunRecord,
    source: RunSource,
    first: RunEvent,
    once: Once | undefined,
  ): boolean | Promise<boolean> {
    if (!this.#driver.gathers) return this.#driver.create(record, source, first, once);
    return new Promise((resolve, reject) => {
      if (this.#starts.length === 0) setImmediate(() => this.#create());
      const make = (): boolean => this.#driver.create(record, source, first, once);
      this.#starts.push({ make, resolve, reject });
    });
  }

  #create(): void {
    const starts = this.#starts;
    this.#starts = [];
    const made: boolean[] = [];
    try {
      this.#driver.together(() => {
        for (const { make } of starts) made.push(make());
      });
    } catch (error) {
      // Which of them it was only shows one by one.
      for (const start of starts) createAlone(start, starts.length, error);
      return;
    }
    for (const [i, { resolve }] of starts.entries()) resolve(made[i] ?? false);
  }

  /** How a run stands, for the list of runs. What the loops of one flush have to say shares a commit, too. */
  update(update: Update): void {
    if (this.#updates === undefined) this.#listAlone(update);
    else this.#updates.set(update.runId, update);
  }

  #list(updates: readonly Update[]): void {
    if (updates.length === 0) return;
    try {
      this.#driver.together(() => {
        for (const { runId, status, finishedAt } of updates) this.#driver.update(runId, status, finishedAt);
      });
    } catch {
      // Which of them it was only shows one by one.
      for (const update of updates) this.#listAlone(update);
    }
  }

  #listAlone({ runId, status, finishedAt, onError }: Update): void {
    try {
      this.#driver.update(runId, status, finishedAt);
    } catch (error) {
      onError(error);
    }
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

interface Start {
  readonly make: () => boolean;
  readonly resolve: (made: boolean) => void;
  readonly reject: (error: unknown) => void;
}

interface Update {
  readonly runId: string;
  readonly status: RunStatus;
  readonly finishedAt: number | undefined;
  readonly onError: (error: unknown) => void;
}

function createAlone({ make, resolve, reject }: Start, among: number, error: unknown): void {
  if (among === 1) {
    reject(error);
    return;
  }
  try {
    resolve(make());
  } catch (own) {
    reject(own);
  }
}

/** A run that is lost, or too large, must not take along those that shared its commit; a store that is gone takes all. */
function isOfOneRun(error: unknown): boolean {
  return !(error instanceof SequiturError) || !error.code.startsWith("STORE_");
}
