/*
 * A run that has failed goes on from where it failed: what was finished stays finished, what failed is tried again, and so is
 * everything that came after it.
 */
import type { Step } from "../ir/program.ts";
import { type Frame, isSettled, StepState } from "./state.ts";
import type { Turn } from "./turn.ts";

export function reopenRun(turn: Turn): void {
  const { state } = turn;
  if (state.status === "running" || state.status === "waiting" || state.status === "completed") return;
  state.status = "running";
  state.error = undefined;
  state.response = undefined;
  state.finishedAt = 0;
  state.cancelReason = undefined;
  for (const { name, atMs } of state.setup.context.timers(state.startedAt)) turn.startTimer(name, atMs);
  if (state.openInputs.size > 0 && !state.eager) turn.add({ kind: "AskInput", names: [...state.openInputs] });
  else reopenFrame(turn, state.root);
}

export function reopenFrame(turn: Turn, frame: Frame): void {
  const again = stepsToRunAgain(frame);
  frame.closed = false;
  frame.failure = undefined;
  frame.culprit = -1;
  frame.undecided = 0;
  frame.active = 0;
  frame.held = [];
  frame.asking.clear();
  frame.wanted = undefined;
  frame.abandoned = false;
  for (const index of again) frame.steps[index] = reset(frame.steps[index] as StepState);
  frame.left = again.size;
  for (const index of again) {
    const step = frame.steps[index] as StepState;
    step.waits = unsettledNeeds(frame, frame.block.steps[index] as Step);
    if (step.waits === 0) turn.considerLater(frame, index);
  }
  if (frame.left === 0) turn.finishLater(frame);
}

/** What failed and was not handled, what was never run, and what depends on either. */
function stepsToRunAgain(frame: Frame): Set<number> {
  const again = new Set<number>();
  const queue: number[] = [];
  for (const [i, step] of frame.steps.entries()) {
    const optional = frame.block.steps[i]?.policy.optional === true;
    const isOpen = !isSettled(step.status) || step.status === "blocked" || step.status === "cancelled";
    if (isOpen || (step.status === "failed" && !step.handled && !optional)) queue.push(i);
  }
  const { starts, dependents } = frame.block.graph;
  for (let head = 0; head < queue.length; head++) {
    const index = queue[head] as number;
    if (again.has(index)) continue;
    again.add(index);
    for (let k = starts[index] as number; k < (starts[index + 1] as number); k++)
      queue.push(dependents[k] as number);
  }
  return new Set([...again].sort((a, b) => a - b));
}

/** As if it had never been considered, except that what it finished inside is kept. */
function reset(step: StepState): StepState {
  const fresh = new StepState(0);
  fresh.attempts = step.attempts;
  fresh.confirmed = step.confirmed;
  fresh.fanOut = step.fanOut;
  fresh.frame = step.frame;
  fresh.resumes = step.status === "failed" || step.status === "cancelled";
  return fresh;
}

function unsettledNeeds(frame: Frame, step: Step): number {
  const open = new Set<number>();
  for (const need of step.needs) {
    if (!isSettled((frame.steps[need.step] as StepState).status)) open.add(need.step);
  }
  return open.size;
}
