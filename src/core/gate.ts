/*
 * What may start after a failure.
 *
 * I1  A failure that nobody handles closes the frame's gate (in the stop mode): only handlers and clean-up steps may start.
 * I2  While handlers are undecided the gate is closed, too; it opens again when every failure has been handled. What such a
 *     handler still waits for may start, so that the end does not depend on what had happened to run before the failure.
 */
import type { Step } from "../ir/program.ts";
import { linksOf } from "./block-links.ts";
import { type Frame, isSettled, type StepState } from "./state.ts";
import type { Turn } from "./turn.ts";

export function isGateClosed(turn: Turn, frame: Frame): boolean {
  return turn.state.mode === "stop" && (frame.failure !== undefined || frame.undecided > 0);
}

export function mayStart(turn: Turn, frame: Frame, step: number): boolean {
  if (!isGateClosed(turn, frame)) return true;
  const links = linksOf(frame.block);
  if (links.isCleanUp(step)) return true;
  if (frame.failure === undefined && frame.wanted?.[step] === 1) return true;
  return links.handledBy(step).some((task) => frame.steps[task]?.status === "failed");
}

export function noteFailure(turn: Turn, frame: Frame, index: number, step: StepState): void {
  if (frame.block.steps[index]?.policy.optional === true) return;
  const handlers = linksOf(frame.block).handlersOf(index);
  if (handlers.length > 0) {
    step.handlers = { open: handlers.length, done: false };
    frame.undecided++;
    for (const handler of handlers) want(turn, frame, handler);
  } else fail(turn, frame, index, step);
  turn.troubled.add(frame);
}

/** Lets everything start that a handler waits for. Every step is marked once in the life of a frame. */
function want(turn: Turn, frame: Frame, handler: number): void {
  frame.wanted ??= new Uint8Array(frame.steps.length);
  const { wanted } = frame;
  const stack = [handler];
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    for (const need of (frame.block.steps[index] as Step).needs) {
      const { status } = frame.steps[need.step] as StepState;
      // What waits for its turn, or for a person, has not begun either.
      if (isSettled(status) || wanted[need.step] === 1) continue;
      wanted[need.step] = 1;
      stack.push(need.step);
      if (status === "pending" && frame.waits[need.step] === 0) turn.considerLater(frame, need.step);
    }
  }
}

/** Nobody will handle this failure any more. The frame fails with the first such one: in time, or, where all others go on, in the plan. */
function fail(turn: Turn, frame: Frame, index: number, step: StepState): void {
  if (frame.failure !== undefined && (turn.state.mode === "stop" || frame.culprit < index)) return;
  frame.failure = step.error;
  frame.culprit = index;
}

/** A handler that has run and completed has handled the failure; when the last one ends without that, nobody has. */
export function noteHandled(turn: Turn, frame: Frame, index: number, handler: StepState): void {
  for (const task of linksOf(frame.block).handledBy(index)) {
    const failed = frame.steps[task] as StepState;
    const { handlers } = failed;
    if (failed.status !== "failed" || handlers === undefined || handlers.open === 0) continue;
    handlers.open--;
    if (handlers.done) continue;
    if (handler.status === "completed") handlers.done = true;
    else if (handlers.open > 0) continue;
    else fail(turn, frame, task, failed);
    frame.undecided--;
    if (!isGateClosed(turn, frame)) releaseHeld(turn, frame);
  }
}

function releaseHeld(turn: Turn, frame: Frame): void {
  for (const step of frame.held) turn.considerLater(frame, step);
  frame.held = [];
}

/** Nothing more will come of the handlers that have not settled. */
export function giveUpOnHandlers(turn: Turn, frame: Frame): void {
  for (const [i, step] of frame.steps.entries()) {
    const { handlers } = step;
    if (handlers === undefined) continue;
    if (step.status === "failed" && handlers.open > 0 && !handlers.done) fail(turn, frame, i, step);
    handlers.open = 0;
  }
  frame.undecided = 0;
}
