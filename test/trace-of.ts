import type { TraceEvent } from "../src/index.ts";

/** Every event of a run that has ended. */
export async function traceOf(events: AsyncIterable<TraceEvent>): Promise<TraceEvent[]> {
  const trace: TraceEvent[] = [];
  for await (const event of events) trace.push(event);
  return trace;
}
