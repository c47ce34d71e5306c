/*
 * The short way through a turn. Most steps are plain: they call a tool with what their references give, and its answer is their
 * result. Where such a step has been answered, and nothing has gone wrong in its frame, this does at one go what `answerCall`,
 * `settle`, `consider` and `startCall` come to. Whatever is out of the ordinary is left to them.
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { Step } from "../ir/program.ts";
import { answersAsItIs, isPlain, plainArguments } from "./arguments.ts";
import { hasRoom, newCall, startTool } from "./calls.ts";
import { beginItem, completeItem, hasItemsToStart } from "./fan-out.ts";
import { activate, releaseDependents } from "./settle.ts";
import type { Call, Frame, StepState } from "./state.ts";
import type { Turn } from "./turn.ts";

/** Takes the answer to a plain call, and starts the plain calls that it makes possible; false where that is not for here. */
export function completePlain(turn: Turn, call: Call, value: Json): boolean {
  const { state } = turn;
  const { frame, step } = call;
  if (!frame.isSound || !isPlain(state, step) || !answersAsItIs(step)) return false;
  state.calls.delete(call.id);
  call.isOpen = false;
  if (call.item >= 0) endPlainItem(turn, call, value);
  else endPlainStep(turn, frame, step.index, value);
  return true;
}

function endPlainStep(turn: Turn, frame: Frame, index: number, value: Json): void {
  const record = frame.steps[index] as StepState;
  record.status = "completed";
  record.value = value;
  record.endTick = turn.state.tick;
  frame.active--;
  frame.left--;
  releaseDependents(turn, frame, index, startPlainStep);
  if (frame.left === 0) turn.finishLater(frame);
}

/** False where something is before it, where it may have to wait, or where its arguments cannot be worked out. */
function startPlainStep(turn: Turn, frame: Frame, index: number): boolean {
  const { state } = turn;
  const step = frame.block.steps[index] as Step;
  const isNext = !turn.hasWork && state.ready.isEmpty && hasRoom(state);
  if (!isNext || !startsAsItIs(step) || !isPlain(state, step) || state.openInputs.size > 0) return false;
  const { status } = frame.steps[index] as StepState;
  if (status !== "pending" || !startPlain(turn, frame, step, -1)) return false;
  activate(frame, index, "running").startTick = state.tick;
  return true;
}

/** The next item takes its place, where no other call waits for one. */
function endPlainItem(turn: Turn, call: Call, value: Json): void {
  const { frame, step } = call;
  const { state } = turn;
  completeItem(turn, call, value);
  const { fanOut } = frame.steps[step.index] as StepState;
  const isAlone = fanOut?.queued === true && state.ready.length === 1 && !turn.hasWork && hasRoom(state);
  if (!isAlone || !hasItemsToStart(fanOut, step) || !startPlain(turn, frame, step, fanOut.next)) return;
  beginItem(fanOut);
  if (hasItemsToStart(fanOut, step)) return;
  fanOut.queued = false;
  state.ready.shiftItems();
}

/** Nothing is to be decided before the call. */
function startsAsItIs({ conditions, fanOut, requiresConfirmation }: Step): boolean {
  return conditions === undefined && fanOut === undefined && !requiresConfirmation;
}

function startPlain(turn: Turn, frame: Frame, step: Step, item: number): boolean {
  const { state } = turn;
  let args: JsonObject;
  try {
    args = plainArguments(state, frame, step, item);
  } catch {
    // It is tried, and fails, once more where failures are told.
    return false;
  }
  startTool(turn, newCall(state, frame, step, item), args);
  return true;
}
