/* Events as the core is given them, live and when a journal is read again: both have to be the same. */
import type { CancelRequested, RunEvent } from "../../core/events.ts";
import type { RunState } from "../../core/state.ts";

/** Workers' clocks differ, but the time of a run never goes back. */
export function inOrder(event: RunEvent, { now }: RunState): RunEvent {
  return event.at < now ? { ...event, at: now } : event;
}

/** Restate says that an invocation is cancelled, and nothing more. */
export function cancelledInRestate({ now }: RunState): CancelRequested {
  return { kind: "CancelRequested", at: now, reason: "Cancelled in Restate." };
}
