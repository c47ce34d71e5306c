/* How steps end, and what that means for the others. */
import type { Json } from "../base/json.ts";
import { isGateClosed, noteFailure, noteHandled } from "./gate.ts";
import { stepId } from "./ids.ts";
import {
  type Ending,
  type Frame,
  isActive,
  isSettled,
  NO_TROUBLE,
  type StepState,
  type StepStatus,
} from "./state.ts";
import type { Turn } from "./turn.ts";

/** The step has a result. */
export function complete(turn: Turn, frame: Frame, index: number, value: Json): void {
  const step = frame.steps[index] as StepState;
  if (isSettled(step.status)) return;
  step.value = value;
  settle(turn, frame, index, "completed", NO_TROUBLE);
}

export function settle(turn: Turn, frame: Frame, index: number, status: StepStatus, ending: Ending): void {
  const step = frame.steps[index] as StepState;
  if (isSettled(step.status)) return;
  if (isActive(step.status)) frame.active--;
  if (frame.asking.size > 0 && frame.asking.delete(index))
    turn.state.confirmations.delete(stepId(frame, index));
  step.status = status;
  step.ending = ending;
  if (status !== "completed") frame.isSound = false;
  step.endTick = turn.state.tick;
  frame.left--;
  announce(turn, frame, index, step);
  if (status === "failed") noteFailure(turn, frame, index, step);
  if (frame.undecided > 0) noteHandled(turn, frame, index, step);
  releaseDependents(turn, frame, index, startNothing);
  if (frame.left === 0) turn.finishLater(frame);
  else if (isGateClosed(turn, frame)) turn.troubled.add(frame);
}

/** What a tool answered is in its event already; everything else is news. */
function announce(turn: Turn, frame: Frame, index: number, step: StepState): void {
  if (step.status === "completed" && step.inner === undefined) return;
  const { status, reason, error } = step;
  turn.add({ kind: "AnnounceStep", step: stepId(frame, index), status, reason, error });
}

/** Starts a step that waits for nothing any more, if it can. */
type StartAtOnce = (turn: Turn, frame: Frame, step: number) => boolean;

const startNothing: StartAtOnce = () => false;

/** What waits for nothing else is started at once, or looked at later. */
export function releaseDependents(turn: Turn, frame: Frame, index: number, startAtOnce: StartAtOnce): void {
  const { starts, dependents } = frame.block.graph;
  const end = starts[index + 1] as number;
  for (let k = starts[index] as number; k < end; k++) {
    const dependent = dependents[k] as number;
    const waits = (frame.waits[dependent] as number) - 1;
    frame.waits[dependent] = waits;
    if (waits === 0 && !startAtOnce(turn, frame, dependent)) turn.considerLater(frame, dependent);
  }
}

export function activate(frame: Frame, index: number, status: "ready" | "running" | "waiting"): StepState {
  const step = frame.steps[index] as StepState;
  if (!isActive(step.status)) frame.active++;
  step.status = status;
  return step;
}

/** The step waits for a person. */
export function ask(frame: Frame, index: number): void {
  activate(frame, index, "waiting");
  frame.asking.add(index);
}

/** The person has answered, but the step may not start yet: it is looked at again when the gate opens. */
export function hold(turn: Turn, frame: Frame, index: number): void {
  const step = frame.steps[index] as StepState;
  if (isActive(step.status)) frame.active--;
  step.status = "pending";
  frame.held.push(index);
  turn.troubled.add(frame);
}
