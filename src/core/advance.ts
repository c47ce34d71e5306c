/*
 * The core: one event in, commands out. It mutates its own state and nothing else; it has no clock, no chance and no I/O, so
 * that the same events give the same commands in any process.
 */
import type { Json } from "../base/json.ts";
import type { Step } from "../ir/program.ts";
import { abandonFrame } from "./abandon.ts";
import {
  answerCall,
  endCall,
  failAttempt,
  hasRoom,
  newCall,
  startCall,
  timeOut,
  timeoutName,
} from "./calls.ts";
import type { Command } from "./commands.ts";
import { consider } from "./consider.ts";
import { announceNews, observe } from "./context.ts";
import type { RunEvent, RunStarted, StepSuspended, TimerFired } from "./events.ts";
import { takeItem } from "./fan-out.ts";
import { closeFrame, openFrame, runStatus } from "./frames.ts";
import { mayStart } from "./gate.ts";
import { answerQuestion, confirm } from "./people.ts";
import { completePlain } from "./plain-steps.ts";
import type { ReadyItems } from "./ready-queue.ts";
import { reopenRun } from "./reopen.ts";
import { hold } from "./settle.ts";
import type { Call, Frame, RunState, StepState } from "./state.ts";
import { failure, type StepError } from "./step-error.ts";
import { isAtRest, sweep } from "./sweep.ts";
import type { Turn } from "./turn.ts";
import { noteUsage } from "./usage.ts";

/** Names of variables, whose timers are called after them, hold no colon. */
const DEADLINE = "run:deadline";

export function advance(state: RunState, event: RunEvent): readonly Command[] {
  if (isOver(state) && event.kind !== "RunResumed") return [];
  const { turn } = state;
  turn.begin();
  state.now = event.at;
  if (event.kind === "RunStarted") state.startedAt = event.at;
  // A clock that is put back does not make anything begin before its run.
  state.tick = Math.max(1, event.at - state.startedAt + 1);
  handle(turn, event);
  // What most turns come to: whatever the answer has made possible is under way already.
  if (state.running > 0 && state.ready.isEmpty && !turn.hasWork) return turn.commands;
  if (!isOver(state)) {
    run(turn);
    if (!isOver(state)) state.status = isIdle(state) ? "waiting" : "running";
  }
  return turn.commands;
}

export function isOver(state: RunState): boolean {
  return state.status !== "running" && state.status !== "waiting";
}

/** Nothing is under way, and nothing can start by itself. */
function isIdle(state: RunState): boolean {
  return state.running === 0 && state.retrying === 0 && state.reads.size === 0 && state.ready.isEmpty;
}

function handle(turn: Turn, event: RunEvent): void {
  const { state } = turn;
  switch (event.kind) {
    case "RunStarted":
      start(turn, event);
      return;
    case "StepSucceeded": {
      const call = takeAnswer(state, event);
      if (call !== undefined && !completePlain(turn, call, event.result))
        answerCall(turn, call, event.result);
      return;
    }
    case "StepFailed": {
      const call = takeAnswer(state, event);
      if (call !== undefined) failAttempt(turn, call, event.error);
      return;
    }
    case "StepSuspended":
      suspend(turn, event);
      return;
    case "FilesRead": {
      const read = state.reads.get(event.read);
      state.reads.delete(event.read);
      read?.resume(turn, event.files);
      return;
    }
    case "TimerFired":
      fire(turn, event);
      return;
    case "InputProvided":
      answerQuestion(turn, event);
      return;
    case "ConfirmationGiven":
      confirm(turn, event);
      return;
    case "TextEmitted":
      observe(turn, { kind: "TextEmitted", agent: event.agent, text: event.text });
      return;
    case "ContextSet":
      announceNews(turn, state.setup.context.set(event.name, event.value));
      return;
    case "CancelRequested":
      cancel(turn, event.reason);
      return;
    case "RunResumed":
      reopenRun(turn);
      return;
    case "CustomEmitted":
      noteUsage(state.usage, event.step, event.event);
      observe(turn, { kind: "CustomEmitted", agent: event.agent, event: event.event });
      return;
  }
}

function start(turn: Turn, event: RunStarted): void {
  const { state } = turn;
  state.runId = event.runId;
  state.seed = event.seed;
  state.mode = event.mode;
  state.eager = event.eager ?? false;
  state.root.arguments = event.arguments;
  for (const name of Object.keys(event.inputs)) state.inputs.set(name, event.inputs[name] as Json);
  for (const { name } of state.program.questions) if (!state.inputs.has(name)) state.openInputs.add(name);
  if (event.deadlineMs !== undefined) {
    turn.startTimer(DEADLINE, event.at + event.deadlineMs);
  }
  for (const { name, atMs } of state.setup.context.timers(event.at)) turn.startTimer(name, atMs);
  // A question that is answered before it is asked is answered all the same.
  for (const [name, value] of state.inputs) observe(turn, { kind: "InputProvided", name, value });
  const open = state.openInputs.size;
  if (open > 0) turn.add({ kind: "AskInput", names: [...state.openInputs] });
  if (event.cancelled !== undefined) cancel(turn, event.cancelled);
  else if (open === 0 || state.eager) openFrame(turn, state.root);
}

/** The call that an answer is for; undefined where nobody waits for it any more. */
function takeAnswer(
  state: RunState,
  event: { readonly call: number; readonly attempt: number },
): Call | undefined {
  const call = state.calls.get(event.call);
  if (call === undefined || !call.running || call.attempt !== event.attempt) return undefined;
  call.running = false;
  state.running--;
  return call;
}

function suspend(turn: Turn, event: StepSuspended): void {
  const call = takeAnswer(turn.state, event);
  if (call === undefined) return;
  call.suspended = event.result;
  turn.state.suspended++;
  (call.frame.steps[call.step.index] as StepState).status = "waiting";
  turn.startTimer(`call:${call.id}`, event.untilMs);
}

function fire(turn: Turn, event: TimerFired): void {
  const { state } = turn;
  const isDue = state.timers.delete(event.name);
  const [kind, id] = event.name.split(":");
  const call = id === undefined ? undefined : state.calls.get(Number(id));
  if (event.name === DEADLINE)
    stop(turn, "failed", failure("TimeoutError", "The run has passed its deadline."));
  else if (id === undefined) observe(turn, { kind: "TimerFired", name: event.name });
  else if (call === undefined || !isDue) return;
  else if (kind === "call") wake(turn, call);
  else if (event.name === timeoutName(call)) timeOut(turn, call);
}

/** The time for another attempt has come, or what a suspended call was waiting for. */
function wake(turn: Turn, call: Call): void {
  const { state } = turn;
  if (call.suspended === undefined) {
    state.retrying--;
    state.ready.push(call);
    return;
  }
  const result = call.suspended;
  call.suspended = undefined;
  state.suspended--;
  (call.frame.steps[call.step.index] as StepState).status = "running";
  answerCall(turn, call, result);
}

/** Looks at steps, starts what there is room for, and closes frames, until nothing is left to do in this turn. */
function run(turn: Turn): void {
  const { state } = turn;
  for (;;) {
    turn.work(lookAt);
    if (isOver(state)) return;
    if (turn.troubled.size > 0 && restTroubled(turn)) continue;
    if (!startNext(turn)) return;
  }
}

/** False once the run has ended. */
function lookAt(turn: Turn, frame: Frame, step: number): boolean {
  if (step >= 0) consider(turn, frame, step);
  else finish(turn, frame);
  return !isOver(turn.state);
}

/** True where a frame had come to rest, and sweeping it made work. */
function restTroubled(turn: Turn): boolean {
  for (const frame of turn.troubled) {
    turn.troubled.delete(frame);
    if (frame.left === 0 || frame.closed || !isAtRest(turn, frame)) continue;
    sweep(turn, frame);
    return true;
  }
  return false;
}

function startNext(turn: Turn): boolean {
  const { state } = turn;
  if (state.ready.isEmpty || !hasRoom(state)) return false;
  const call = state.ready.shiftCall();
  if (call === undefined) startItem(turn, state.ready.shiftItems() as ReadyItems);
  else if (call.isOpen) startUnlessStopped(turn, call);
  return true;
}

function startItem(turn: Turn, { frame, step }: ReadyItems): void {
  const item = takeItem(turn, frame, step);
  if (item === undefined) return;
  startCall(turn, newCall(turn.state, frame, frame.block.steps[step] as Step, item));
}

/** Something may have failed while the step was waiting for its turn. */
function startUnlessStopped(turn: Turn, call: Call): void {
  const { frame, step } = call;
  const isNew = frame.steps[step.index]?.status === "ready";
  if (isNew && !mayStart(turn, frame, step.index)) {
    endCall(turn, call);
    hold(turn, frame, step.index);
  } else startCall(turn, call);
}

function finish(turn: Turn, frame: Frame): void {
  closeFrame(turn, frame, (later, end) => {
    const { call } = frame;
    if (call !== undefined) {
      if (frame.abandoned || !call.isOpen) return;
      if (end.error === undefined) answerCall(later, call, end.response ?? null);
      else failAttempt(later, call, end.error);
      return;
    }
    endRun(later, runStatus(later.state, end.error), end.response, end.error);
  });
}

function endRun(
  turn: Turn,
  status: RunState["status"],
  response: RunState["response"],
  error: StepError | undefined,
): void {
  const { state } = turn;
  state.status = status;
  state.response = response;
  state.error = error;
  state.finishedAt = state.now;
  turn.add({ kind: "FinishRun", status, response, error });
}

function cancel(turn: Turn, reason: string): void {
  turn.state.cancelReason = reason;
  stop(turn, "cancelled", failure("CancelledError", reason === "" ? "The run was cancelled." : reason));
}

/** Ends the run at once. */
function stop(turn: Turn, status: "cancelled" | "failed", error: StepError): void {
  const { state } = turn;
  abandonFrame(turn, state.root, error);
  state.ready.clear();
  state.reads.clear();
  state.timers.clear();
  endRun(turn, status, undefined, error);
}
