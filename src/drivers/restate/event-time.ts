import type { RunEvent } from "../../core/events.ts";
import type { RunState } from "../../core/state.ts";

/** Workers' clocks differ, but the time of a run never goes back. */
export function inOrder(event: RunEvent, { now }: RunState): RunEvent {
  return event.at < now ? { ...event, at: now } : event;
}
