/*
 * How steps end, and what that means for the others.
 *
 * A failure that nobody handles closes the frame's gate (in the stop mode): only handlers and clean-up steps may start.
 * While handlers are undecided the gate is closed, too; it opens again when every failure has been handled.
 */
import type { Json } from "../base/json.ts";
import { linksOf } from "./block-links.ts";
import { stepId } from "./ids.ts";
import { type Frame, isSettled, type StepState, type StepStatus } from "./state.ts";
import type { StepError } from "./step-error.ts";
import type { Turn } from "./turn.ts";

export interface Ending {
  readonly value?: Json;
  readonly error?: StepError;
  readonly reason?: string;
}

export function settle(turn: Turn, frame: Frame, index: number, status: StepStatus, ending: Ending): void {
  const step = frame.steps[index] as StepState;
  if (isSettled(step.status)) return;
  if (isActive(step.status)) frame.active--;
  step.status = status;
  step.value = ending.value;
  step.error = ending.error;
  step.reason = ending.reason;
  step.finishedAt = turn.state.now;
  frame.left--;
  announce(turn, frame, index, step);
  if (status === "failed") noteFailure(turn, frame, index, step);
  noteHandled(turn, frame, index, step);
  releaseDependents(turn, frame, index);
  if (frame.left === 0) turn.finishLater(frame);
  else if (isGateClosed(turn, frame)) turn.troubled.add(frame);
}

/** What a tool answered is in its event already; everything else is news. */
function announce(turn: Turn, frame: Frame, index: number, step: StepState): void {
  const isAnswer = step.status === "completed" && step.fanOut === undefined && step.frame === undefined;
  if (isAnswer) return;
  const { status, reason, error } = step;
  turn.commands.push({ kind: "AnnounceStep", step: stepId(frame, index), status, reason, error });
}

function releaseDependents(turn: Turn, frame: Frame, index: number): void {
  const { starts, dependents } = frame.block.graph;
  const end = starts[index + 1] as number;
  for (let k = starts[index] as number; k < end; k++) {
    const dependent = dependents[k] as number;
    const state = frame.steps[dependent] as StepState;
    state.waits--;
    if (state.waits === 0) turn.considerLater(frame, dependent);
  }
}

export function isActive(status: StepStatus): boolean {
  return status === "ready" || status === "running" || status === "waiting";
}

export function activate(frame: Frame, index: number, status: "ready" | "running" | "waiting"): void {
  const step = frame.steps[index] as StepState;
  if (!isActive(step.status)) frame.active++;
  step.status = status;
}

export function isGateClosed(turn: Turn, frame: Frame): boolean {
  return turn.state.mode === "stop" && (frame.failure !== undefined || frame.undecided > 0);
}

function noteFailure(turn: Turn, frame: Frame, index: number, step: StepState): void {
  if (frame.block.steps[index]?.policy.optional === true) return;
  const handlers = linksOf(frame.block).handlersOf(index);
  step.openHandlers = handlers.length;
  if (handlers.length > 0) frame.undecided++;
  else fail(frame, index, step);
  turn.troubled.add(frame);
}

/** Nobody will handle this failure any more; the frame fails with the first such one. */
function fail(frame: Frame, index: number, step: StepState): void {
  if (frame.failure !== undefined) return;
  frame.failure = step.error;
  frame.culprit = index;
}

/** A handler that has run and completed has handled the failure; when the last one ends without that, nobody has. */
function noteHandled(turn: Turn, frame: Frame, index: number, handler: StepState): void {
  for (const task of linksOf(frame.block).handledBy(index)) {
    const failed = frame.steps[task] as StepState;
    if (failed.status !== "failed" || failed.openHandlers === 0) continue;
    failed.openHandlers--;
    if (failed.handled) continue;
    if (handler.status === "completed") failed.handled = true;
    else if (failed.openHandlers > 0) continue;
    else fail(frame, task, failed);
    frame.undecided--;
    if (!isGateClosed(turn, frame)) releaseHeld(turn, frame);
  }
}

function releaseHeld(turn: Turn, frame: Frame): void {
  for (const step of frame.held) turn.considerLater(frame, step);
  frame.held = [];
}

/**
 * A frame whose gate is closed has come to rest: nothing in it is under way. What has not started, and is no clean-up, never
 * will; saying so lets the clean-up steps that wait for it go on.
 */
export function sweep(turn: Turn, frame: Frame): void {
  if (frame.undecided > 0) giveUpOnHandlers(frame);
  frame.held = [];
  const links = linksOf(frame.block);
  const affected = links.affectedBy((i) => {
    const { status } = frame.steps[i] as StepState;
    return status === "failed" || status === "blocked";
  });
  const name = stepId(frame, frame.culprit);
  for (let i = 0; i < frame.steps.length; i++) {
    const step = frame.steps[i] as StepState;
    if (step.status !== "pending" || links.isCleanUp(i)) continue;
    const status = affected[i] === 1 ? "blocked" : "cancelled";
    const reason =
      status === "blocked"
        ? `it needs what failed: ${links.failedNeed(i, frame)}`
        : `it was not started, because "${name}" failed`;
    settle(turn, frame, i, status, { reason });
  }
}

function giveUpOnHandlers(frame: Frame): void {
  for (const [i, step] of frame.steps.entries()) {
    if (step.status === "failed" && step.openHandlers > 0 && !step.handled) fail(frame, i, step);
    step.openHandlers = 0;
  }
  frame.undecided = 0;
}
