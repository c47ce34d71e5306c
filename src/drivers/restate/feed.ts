/*
 * Tells the read model what happens to the runs of a worker, so that they are seen as local ones are. It may be told the same
 * any number of times: a run that is replayed tells everything again, which also fills whatever was lost.
 */
import { SequiturError } from "../../base/error.ts";
import type { RunEvent } from "../../core/events.ts";
import type { Driver, RunRecord, RunSource } from "../driver.ts";

/** A run's events on their way to the read model. */
export class RunFeed {
  readonly #source: RunSource;
  readonly #record: () => RunRecord;
  readonly #feed: Feed;
  #told = 0;
  #untold: RunEvent[] = [];

  constructor(source: RunSource, record: () => RunRecord, feed: Feed) {
    this.#source = source;
    this.#record = record;
    this.#feed = feed;
  }

  push(event: RunEvent): void {
    this.#untold.push(event);
    this.#feed.add(this);
  }

  get isEmpty(): boolean {
    return this.#untold.length === 0;
  }

  /** Fails where the model has forgotten what it was told: the run has to be replayed for it. */
  tell(model: Driver): void {
    const events = this.#untold;
    const known = model.mirror?.({ record: this.#record(), source: this.#source }, this.#told, events);
    if (known !== undefined && known < this.#told)
      throw new SequiturError("READ_MODEL_BEHIND", "The read model has lost events of this run.");
    this.#told += events.length;
    this.#untold = [];
  }

  /** Everything has been told, or it fails. */
  async finish(): Promise<void> {
    await this.#feed.flushed();
    if (!this.isEmpty) this.#feed.flushNow(this);
  }
}

/** For so long, what the runs of one worker have to tell is gathered into one commit. */
const GATHER_MS = 10;

export class Feed {
  readonly #model: Driver;
  readonly #log: (message: string) => void;
  #runs = new Set<RunFeed>();
  #flush: Promise<void> = Promise.resolve();

  constructor(model: Driver, log: (message: string) => void) {
    this.#model = model;
    this.#log = log;
  }

  add(run: RunFeed): void {
    if (this.#runs.size === 0) {
      this.#flush = new Promise((resolve) => {
        setTimeout(() => {
          this.#tellAll();
          resolve();
        }, GATHER_MS);
      });
    }
    this.#runs.add(run);
  }

  flushed(): Promise<void> {
    return this.#flush;
  }

  flushNow(run: RunFeed): void {
    run.tell(this.#model);
  }

  #tellAll(): void {
    const runs = this.#runs;
    this.#runs = new Set();
    try {
      this.#model.together(() => {
        for (const run of runs) run.tell(this.#model);
      });
    } catch (error) {
      // The journal is the truth, and the run goes on; the end of a run is told again until it is heard.
      this.#log(`The read model could not be written: ${error instanceof Error ? error.message : error}`);
    }
  }
}
