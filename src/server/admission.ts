/*
 * Which runs may start now. A run takes a place from its start until it ends or waits for somebody; who finds none waits in a
 * queue, the longest first, and who finds the queue full is told to come again.
 */
import type { RunSummary } from "../index.ts";
import type { Limits } from "./limits.ts";
import { refusal } from "./refusal.ts";

interface Waiting {
  readonly subject: string;
  readonly admit: () => void;
}

const RETRY_S = 1;

export class Admission {
  readonly #limits: Limits;
  /** Since the server started. */
  started = 0;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  readonly #openOf = new Map<string, number>();
  /** Whose run it is, of those that hold a place, and of those that have not ended. */
  readonly #places = new Map<string, string>();
  readonly #open = new Map<string, string>();
  readonly #queue: Waiting[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Starts a run when there is room for one of this caller's. */
  async start<R extends { readonly id: string; readonly status: RunSummary["status"] }>(
    subject: string,
    signal: AbortSignal,
    begin: () => Promise<R>,
  ): Promise<R> {
    const { openRunsPerTokenMax } = this.#limits;
    if ((this.#openOf.get(subject) ?? 0) >= openRunsPerTokenMax) {
      const message = `There are ${openRunsPerTokenMax} runs of this token that have not ended, which is the most.`;
      throw refusal(429, "TOO_MANY_RUNS", message, RETRY_S);
    }
    await this.#enter(subject, signal);
    let run: R;
    try {
      run = await begin();
    } catch (error) {
      this.#leave(subject);
      throw error;
    }
    this.started++;
    if (run.status === "running" && !this.#places.has(run.id)) this.#places.set(run.id, subject);
    else this.#leave(subject);
    if (isOpen(run.status) && !this.#open.has(run.id)) {
      this.#open.set(run.id, subject);
      add(this.#openOf, subject, 1);
    }
    return run;
  }

  /** To be told of every run whose status changes. */
  noteChange({ id, status }: RunSummary): void {
    const subject = this.#places.get(id);
    if (subject !== undefined && status !== "running") {
      this.#places.delete(id);
      this.#leave(subject);
    }
    const owner = this.#open.get(id);
    if (owner !== undefined && !isOpen(status)) {
      this.#open.delete(id);
      add(this.#openOf, owner, -1);
    }
  }

  #enter(subject: string, signal: AbortSignal): Promise<void> {
    if (this.#hasRoom(subject)) {
      this.#take(subject);
      return Promise.resolve();
    }
    if (this.#queue.length >= this.#limits.queueMax) {
      throw refusal(429, "QUEUE_FULL", "Too many runs wait to be started. Try again in a moment.", RETRY_S);
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        subject,
        admit: () => {
          signal.removeEventListener("abort", giveUp);
          resolve();
        },
      };
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(refusal(503, "GIVEN_UP", "The run was not started.", RETRY_S));
      };
      this.#queue.push(waiting);
      if (signal.aborted) giveUp();
      else signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #hasRoom(subject: string): boolean {
    const { runsMax, runsPerTokenMax } = this.#limits;
    return this.#running < runsMax && (this.#runningOf.get(subject) ?? 0) < runsPerTokenMax;
  }

  #take(subject: string): void {
    this.#running++;
    add(this.#runningOf, subject, 1);
  }

  #leave(subject: string): void {
    this.#running--;
    add(this.#runningOf, subject, -1);
    const next = this.#queue.findIndex((waiting) => this.#hasRoom(waiting.subject));
    const [waiting] = next < 0 ? [] : this.#queue.splice(next, 1);
    if (waiting === undefined) return;
    this.#take(waiting.subject);
    waiting.admit();
  }
}

function isOpen(status: RunSummary["status"]): boolean {
  return status === "running" || status === "waiting";
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
