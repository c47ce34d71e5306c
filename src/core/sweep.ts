import { linksOf } from "./block-links.ts";
import { giveUpOnHandlers, mayStart } from "./gate.ts";
import { stepId } from "./ids.ts";
import { blockedBy } from "./needs.ts";
import { settle } from "./settle.ts";
import type { Frame, StepState } from "./state.ts";
import type { Turn } from "./turn.ts";

/** Nothing in the frame is under way. A step that waits for a person is not, unless it may start after a failure. */
export function isAtRest(turn: Turn, frame: Frame): boolean {
  if (frame.active > frame.asking.size) return false;
  for (const step of frame.asking) if (mayStart(turn, frame, step)) return false;
  return true;
}

/**
 * A frame whose gate is closed has come to rest. What has not started, and is no clean-up, never will; saying so lets the
 * clean-up steps that wait for it go on.
 */
export function sweep(turn: Turn, frame: Frame): void {
  if (frame.undecided > 0) giveUpOnHandlers(turn, frame);
  frame.held = [];
  const links = linksOf(frame.block);
  const culprits = links.culprits((i) => {
    const { status } = frame.steps[i] as StepState;
    return status === "failed" || status === "blocked";
  });
  const stopped = `it was not started, because "${stepId(frame, frame.culprit)}" failed`;
  for (let i = 0; i < frame.steps.length; i++) {
    const { status } = frame.steps[i] as StepState;
    if ((status !== "pending" && !frame.asking.has(i)) || links.isCleanUp(i)) continue;
    const culprit = culprits[i] as number;
    if (culprit < 0) settle(turn, frame, i, "cancelled", { reason: stopped });
    else {
      const reason = blockedBy(frame, culprit, frame.steps[culprit] as StepState);
      settle(turn, frame, i, "blocked", { reason });
    }
  }
}
