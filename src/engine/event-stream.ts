/*
 * The trace of a run from any event on, live or finished, here or in another process. It is read from the journal as fast as
 * its reader takes it: a reader that stops reading costs what it holds, and nothing grows behind it.
 */
import type { RunEvent } from "../core/events.ts";
import type { RunState } from "../core/state.ts";
import { type TraceEvent, Tracer } from "./trace.ts";

export interface EventSource {
  /** A state that has not started, to fold the journal into. */
  readonly freshState: () => RunState;
  readonly journal: (after: number) => Iterable<RunEvent>;
  /** Calls back once when there may be more to read; gives a function that calls it off. */
  readonly onNews: (wake: () => void) => () => void;
}

export interface EventOptions {
  /** The number of the last event that the reader has seen. */
  readonly after?: number;
  /** False: ends with what there is now, also where the run goes on. */
  readonly follow?: boolean;
  /** Ends the stream, also while it waits. */
  readonly signal?: AbortSignal;
}

export async function* traceEvents(
  source: EventSource,
  { after = 0, follow = true, signal }: EventOptions,
): AsyncGenerator<TraceEvent> {
  const tracer = new Tracer(source.freshState());
  for (let read = 0; signal?.aborted !== true; ) {
    // Listened for before reading, so that what is written in between is not missed.
    const news = nextNews(source, signal);
    let grew = false;
    try {
      for (const event of source.journal(read)) {
        read++;
        grew = true;
        for (const traced of tracer.next(event)) {
          if (traced.seq > after) yield traced;
        }
      }
      if (grew) continue;
      if (tracer.isOver || !follow) return;
      await news.arrived;
    } finally {
      news.stop();
    }
  }
}

function nextNews(source: EventSource, signal: AbortSignal | undefined) {
  let wake: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const off = source.onNews(wake);
  signal?.addEventListener("abort", wake, { once: true });
  const stop = (): void => {
    off();
    signal?.removeEventListener("abort", wake);
  };
  return { arrived, stop };
}
