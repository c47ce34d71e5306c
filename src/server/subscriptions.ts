/*
 * Streams for subscribers. Nothing is queued for a subscriber that does not read: events are read from the journal as they are
 * taken, and changes of runs are merged, each run once.
 */
import type { Engine, RunSummary, TraceEvent } from "../index.ts";
import type { Access } from "./access.ts";
import type { Streams } from "./guarded-schema.ts";
import type { Limits } from "./limits.ts";
import { refusal } from "./refusal.ts";
import type { RequestContext } from "./resolves.ts";
import { eventNode, lineOf, type RunsView } from "./run-node.ts";
import type * as schema from "./schema-types.ts";

/** So many changed runs are remembered for a subscriber; beyond that it is told to list them again. */
const CHANGES_MAX = 1_000;
const RETRY_S = 5;

export class Subscriptions {
  readonly #engine: Engine;
  readonly #limits: Limits;
  readonly #view: RunsView;
  readonly #stopping: AbortSignal;
  #open = 0;
  readonly #openOf = new Map<string, number>();

  constructor(view: RunsView, stopping: AbortSignal) {
    this.#view = view;
    this.#engine = view.engine;
    this.#limits = view.limits;
    this.#stopping = stopping;
  }

  get open(): number {
    return this.#open;
  }

  streams(): Streams {
    return {
      runEvents: ({ id, after }, context) => {
        this.#refuseUnknown(id);
        return this.#counted(context, (signal) => this.#events(id, after ?? 0, signal));
      },
      runHistory: ({ id, after }, context) => {
        this.#refuseUnknown(id);
        return this.#counted(context, (signal) => this.#history(id, after ?? 0, signal));
      },
      runsChanged: (_args, context) => this.#counted(context, (signal) => this.#changes(signal)),
    };
  }

  #refuseUnknown(id: string): void {
    if (this.#engine.find(id) === undefined) throw refusal(200, "UNKNOWN_RUN", `There is no run "${id}".`);
  }

  /** What there is at once is given at once. Nothing is read ahead of the subscriber but one page. */
  async *#history(id: string, after: number, signal: AbortSignal): AsyncGenerator<schema.RunEvent[]> {
    const events = this.#engine.events(id, { after, signal });
    let next = events.next();
    for (;;) {
      const first = await next;
      if (first.done === true) return;
      const page = [eventNode(first.value)];
      next = events.next();
      while (page.length < this.#limits.pageMax) {
        const soon = await Promise.race([next, endOfTurn()]);
        if (soon === undefined || soon.done === true) break;
        page.push(eventNode(soon.value));
        next = events.next();
      }
      yield page;
    }
  }

  async *#events(id: string, after: number, signal: AbortSignal): AsyncGenerator<schema.RunEvent> {
    for await (const event of this.#engine.events(id, { after, signal })) yield eventNode(event);
  }

  /** Listens from now on, not from the first time that somebody reads. */
  #changes(signal: AbortSignal): AsyncGenerator<schema.RunsChange> {
    const changes = new Changes();
    const stop = this.#engine.watch((run) => changes.note(run));
    const end = (): void => {
      stop();
      changes.wake();
    };
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    return changes.stream(signal, (run) => lineOf(this.#view, run));
  }

  /** A stream that ends when its subscriber goes, its time is over, or the server stops; counted for as long as it lives. */
  #counted<T>(
    { access, signal }: RequestContext,
    open: (signal: AbortSignal) => AsyncGenerator<T>,
  ): AsyncIterableIterator<T> {
    this.#enter(access);
    const end = new AbortController();
    const ends = AbortSignal.any([
      signal,
      end.signal,
      this.#stopping,
      AbortSignal.timeout(this.#limits.streamMs),
    ]);
    const source = open(ends);
    let isOpen = true;
    const leave = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#leave(access);
    };
    ends.addEventListener("abort", leave, { once: true });
    if (ends.aborted) leave();
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async () => {
        const item = await source.next();
        if (item.done === true) leave();
        return item;
      },
      // The source may be waiting for news: it is woken, not waited for.
      return: async () => {
        end.abort();
        leave();
        void source.return(undefined);
        return { done: true, value: undefined };
      },
    };
  }

  #enter({ subject }: Access): void {
    const { subscriptionsMax, subscriptionsPerTokenMax } = this.#limits;
    const own = this.#openOf.get(subject) ?? 0;
    if (this.#open >= subscriptionsMax || own >= subscriptionsPerTokenMax) {
      throw refusal(
        429,
        "TOO_MANY_SUBSCRIPTIONS",
        "Too many subscriptions are open. Close some of them.",
        RETRY_S,
      );
    }
    this.#open++;
    this.#openOf.set(subject, own + 1);
  }

  #leave({ subject }: Access): void {
    this.#open--;
    const own = (this.#openOf.get(subject) ?? 1) - 1;
    if (own > 0) this.#openOf.set(subject, own);
    else this.#openOf.delete(subject);
  }
}

/** Undefined, once everything that can be had without waiting has been had. */
function endOfTurn(): Promise<IteratorResult<TraceEvent> | undefined> {
  return new Promise((resolve) => setImmediate(resolve, undefined));
}

/** What has changed since somebody last looked. */
class Changes {
  readonly #runs = new Map<string, RunSummary>();
  #missed = false;
  wake: () => void = () => {};

  note(run: RunSummary): void {
    if (this.#runs.size < CHANGES_MAX || this.#runs.has(run.id)) this.#runs.set(run.id, run);
    else this.#missed = true;
    this.wake();
  }

  async *stream(
    signal: AbortSignal,
    line: (run: RunSummary) => schema.RunSummary,
  ): AsyncGenerator<schema.RunsChange> {
    while (!signal.aborted) {
      if (this.#runs.size > 0) yield this.#take(line);
      else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    }
  }

  #take(line: (run: RunSummary) => schema.RunSummary): schema.RunsChange {
    const change = { runs: [...this.#runs.values()].map(line), missed: this.#missed };
    this.#runs.clear();
    this.#missed = false;
    return change;
  }
}
