import { endCall } from "./calls.ts";
import { settle } from "./settle.ts";
import type { Call, Frame, RunState } from "./state.ts";
import type { StepError } from "./step-error.ts";
import type { Turn } from "./turn.ts";

/** Gives up what is under way inside a frame: signals fire, nothing more starts, and no answer is waited for. */
export function abandonFrame(turn: Turn, frame: Frame, error: StepError): void {
  for (const call of turn.state.calls.all()) {
    if (isInside(call.frame, frame)) abandonCall(turn, call, error.message);
  }
  cancelSteps(turn, frame, error.message);
}

function isInside(inner: Frame, outer: Frame): boolean {
  for (let frame: Frame | undefined = inner; frame !== undefined; frame = frame.call?.frame) {
    if (frame === outer) return true;
  }
  return false;
}

function abandonCall(turn: Turn, call: Call, reason: string): void {
  const { state } = turn;
  if (call.running) {
    turn.add({ kind: "AbortStep", call: call.id, reason });
    state.running--;
  } else dropTimer(state, call);
  endCall(turn, call);
}

/** A call that is not running may be between attempts, or suspended. */
function dropTimer(state: RunState, call: Call): void {
  if (!state.timers.delete(`call:${call.id}`)) return;
  if (call.suspended === undefined) state.retrying--;
  else state.suspended--;
}

function cancelSteps(turn: Turn, frame: Frame, reason: string): void {
  frame.closed = true;
  frame.abandoned = true;
  for (const [i, step] of frame.steps.entries()) {
    if (step.frame !== undefined && !step.frame.closed) cancelSteps(turn, step.frame, reason);
    for (const inner of step.fanOut?.frames.values() ?? []) {
      if (!inner.closed) cancelSteps(turn, inner, reason);
    }
    settle(turn, frame, i, "cancelled", { reason });
  }
}
