import type { StartStep } from "./commands.ts";
import type { Call, Frame } from "./state.ts";

/** `outer.inner`, `x[0]`, `outer.x[3].y` */
export function stepId(frame: Frame, step: number): string {
  return frame.prefix + (frame.block.steps[step]?.id ?? "");
}

export function callId(call: Call): string {
  const id = call.frame.prefix + call.step.id;
  return call.item < 0 ? id : `${id}[${call.item}]`;
}

/** The same for every attempt, in any process; another one for each turn of a step that repeats. */
export function idempotencyKey(runId: string, { step, turn }: StartStep): string {
  return turn > 0 ? `${runId}/${step}#${turn}` : `${runId}/${step}`;
}
