/*
 * The short way through a turn. Most steps are plain: they call a tool with what their references give, and its answer is their
 * result. Where such a step has been answered, and nothing has gone wrong in its frame, this does at one go what `answerCall`,
 * `settle`, `consider` and `startCall` come to, in half the time. Whatever is out of the ordinary is left to them.
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { Step } from "../ir/program.ts";
import { givesAnything, isPlain, plainArguments } from "./arguments.ts";
import { hasRoom, newCall } from "./calls.ts";
import { beginItem, completeItem, hasItemsToStart } from "./fan-out.ts";
import { StartCommand } from "./start-command.ts";
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

/** What the tool answers is the result. */
function answersAsItIs({ transformResults, call: { signature } }: Step): boolean {
  return transformResults === undefined && (signature === undefined || givesAnything(signature));
}

function endPlainStep(turn: Turn, frame: Frame, index: number, value: Json): void {
  const record = frame.steps[index] as StepState;
  record.status = "completed";
  record.value = value;
  record.endTick = turn.state.tick;
  frame.active--;
  frame.left--;
  const { starts, dependents } = frame.block.graph;
  const end = starts[index + 1] as number;
  for (let k = starts[index] as number; k < end; k++) {
    const dependent = dependents[k] as number;
    const waits = (frame.waits[dependent] as number) - 1;
    frame.waits[dependent] = waits;
    if (waits === 0 && !startPlainStep(turn, frame, dependent)) turn.considerLater(frame, dependent);
  }
  if (frame.left === 0) turn.finishLater(frame);
}

/** False where something is before it, where it may have to wait, or where its arguments cannot be worked out. */
function startPlainStep(turn: Turn, frame: Frame, index: number): boolean {
  const { state } = turn;
  const step = frame.block.steps[index] as Step;
  const isNext = !turn.hasWork && state.ready.isEmpty && hasRoom(state);
  if (!isNext || !startsAsItIs(step) || !isPlain(state, step) || state.openInputs.size > 0) return false;
  const record = frame.steps[index] as StepState;
  if (record.status !== "pending" || !startPlain(turn, frame, step, -1)) return false;
  record.status = "running";
  record.startTick = state.tick;
  record.attempts++;
  frame.active++;
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
  const call = newCall(state, frame, step, item);
  call.running = true;
  state.running++;
  turn.add(new StartCommand(call, args));
  return true;
}
