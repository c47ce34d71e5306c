/*
 * Tells the read model what happens to the runs of a worker, so that they are seen as local ones are. It may be told the same
 * any number of times: a run that is replayed tells everything again, which also fills whatever was lost.
 */
import { setTimeout } from "node:timers/promises";
import { SequiturError } from "../../base/error.ts";
import type { RunEvent } from "../../core/events.ts";
import type { RunRecord, RunSource } from "../driver.ts";
import type { ReadModel, Told } from "./read-model.ts";

/** For so long, what the runs of one worker have to tell is gathered into one commit. */
const GATHER_MS = 10;
/** So many events of a run are told at once. */
const EVENTS_MAX = 2_000;

/** A run's events on their way to the read model. */
export class RunFeed {
  readonly #source: RunSource;
  readonly #record: () => RunRecord;
  readonly #feed: Feed;
  #told = 0;
  #untold: RunEvent[] = [];
  /** The model has forgotten what it was told: the run has to be replayed for it. */
  #isBehind = false;

  constructor(source: RunSource, record: () => RunRecord, feed: Feed) {
    this.#source = source;
    this.#record = record;
    this.#feed = feed;
  }

  push(event: RunEvent): void {
    this.#untold.push(event);
    this.#feed.add(this);
  }

  get isDone(): boolean {
    return this.#untold.length === 0 || this.#isBehind;
  }

  next(): Told {
    const run = { record: this.#record(), source: this.#source };
    return { run, after: this.#told, events: this.#untold.slice(0, EVENTS_MAX) };
  }

  heard({ after, events }: Told, known: number): void {
    this.#isBehind = known < after;
    if (this.#isBehind) return;
    this.#told += events.length;
    this.#untold = this.#untold.slice(events.length);
  }

  /** Everything has been told, or it fails: then Restate has the run replayed, which tells everything again. */
  async finish(): Promise<void> {
    while (!this.isDone) await this.#feed.tell([this]);
    if (this.#isBehind)
      throw new SequiturError("READ_MODEL_BEHIND", "The read model has lost events of this run.");
  }
}

export class Feed {
  readonly #model: ReadModel;
  readonly #log: (message: string) => void;
  #runs = new Set<RunFeed>();
  /** One telling after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(model: ReadModel, log: (message: string) => void) {
    this.#model = model;
    this.#log = log;
  }

  add(run: RunFeed): void {
    if (this.#runs.size === 0) this.#tellSoon();
    this.#runs.add(run);
  }

  async #tellSoon(): Promise<void> {
    await setTimeout(GATHER_MS);
    const runs = [...this.#runs];
    this.#runs = new Set();
    try {
      await this.tell(runs);
    } catch (error) {
      // The journal is the truth, and the run goes on; the end of a run is told until it is heard.
      this.#log(`The read model was not told: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    for (const run of runs) if (!run.isDone) this.add(run);
  }

  tell(runs: readonly RunFeed[]): Promise<void> {
    const telling = this.#last.then(() => this.#tellNow(runs.filter((run) => !run.isDone)));
    this.#last = telling.catch(() => {});
    return telling;
  }

  async #tellNow(runs: readonly RunFeed[]): Promise<void> {
    if (runs.length === 0) return;
    const told = runs.map((run) => run.next());
    const known = await this.#model.tell(told);
    for (const [i, run] of runs.entries()) run.heard(told[i] as Told, known[i] ?? 0);
  }
}
