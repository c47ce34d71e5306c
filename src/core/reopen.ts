/*
 * A run that has failed goes on from where it failed: what was finished stays finished, what failed is tried again, and so is
 * everything that came after it.
 */
import type { Step } from "../ir/program.ts";
import { argumentsOf } from "./arguments.ts";
import { ITEMS_RECORDED_MAX } from "./fan-out-state.ts";
import { type Frame, isSettled, type RunState, StepState } from "./state.ts";
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
  keepArguments(turn.state, frame, again);
  frame.closed = false;
  frame.failure = undefined;
  frame.culprit = -1;
  frame.undecided = 0;
  frame.active = 0;
  frame.held = [];
  frame.asking.clear();
  frame.wanted = undefined;
  frame.abandoned = false;
  for (const index of again) reset(frame, index);
  frame.left = again.size;
  for (const index of again) {
    const waits = unsettledNeeds(frame, frame.block.steps[index] as Step);
    frame.waits[index] = waits;
    if (waits === 0) turn.considerLater(frame, index);
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
    if (isOpen || (step.status === "failed" && step.handlers?.done !== true && !optional)) queue.push(i);
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

/** What a step was called with may look different once steps before it have run again. */
function keepArguments(state: RunState, frame: Frame, again: ReadonlySet<number>): void {
  for (const [i, step] of frame.steps.entries()) {
    if (again.has(i)) continue;
    step.arguments = argumentsOf(state, frame, i);
    const { fanOut } = step;
    const items = Math.min(fanOut?.items.length ?? 0, ITEMS_RECORDED_MAX);
    for (let item = 0; item < items; item++) {
      const args = argumentsOf(state, frame, i, item);
      if (args !== undefined) fanOut?.arguments.set(item, args);
    }
  }
}

/** As if it had never been considered, except that what it finished inside is kept. */
function reset(frame: Frame, index: number): void {
  const { status, attempts, inner } = frame.steps[index] as StepState;
  const fresh = new StepState();
  fresh.attempts = attempts;
  fresh.inner = inner;
  frame.steps[index] = fresh;
  if (status === "failed" || status === "cancelled") frame.resumed.add(index);
  else frame.resumed.delete(index);
}

function unsettledNeeds(frame: Frame, step: Step): number {
  const open = new Set<number>();
  for (const need of step.needs) {
    if (!isSettled((frame.steps[need.step] as StepState).status)) open.add(need.step);
  }
  return open.size;
}
