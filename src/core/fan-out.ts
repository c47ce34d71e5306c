/*
 * A step over the items of a list. Items are expanded one by one as there is room: 100,000 items are one entry of the ready
 * queue, not 100,000 nodes.
 */

import { describe } from "../base/describe.ts";
import { isList, type Json } from "../base/json.ts";
import type { FanOut, Step } from "../ir/program.ts";
import { NotCalled, refuseReference } from "./arguments.ts";
import {
  FanOutState,
  ITEM_ACTIVE,
  ITEM_CANCELLED,
  ITEM_COMPLETED,
  ITEM_FAILED,
  ITEMS_RECORDED_MAX,
} from "./fan-out-state.ts";
import { evaluateWithFiles } from "./file-access.ts";
import { mayStart } from "./gate.ts";
import { resolveTemplate, scopeOf } from "./resolve.ts";
import { activate, complete, hold, settle } from "./settle.ts";
import { type Call, type Frame, isSettled, type StepState } from "./state.ts";
import { failure, type StepError, StepFailure } from "./step-error.ts";
import type { Turn } from "./turn.ts";

export function beginFanOut(turn: Turn, frame: Frame, step: Step, fanOut: FanOut): void {
  activate(frame, step.index, "running");
  const record = frame.steps[step.index] as StepState;
  record.startTick = turn.state.tick;
  evaluateWithFiles(
    turn,
    step,
    (_, __, files) => {
      const { over } = fanOut;
      try {
        if (over.kind === "reference" && frame.block.rules.nullSkips)
          refuseReference(frame, over, `"iterate_over"`);
      } catch (error) {
        if (error instanceof NotCalled) return error;
        throw error;
      }
      return itemsOf(resolveTemplate(over, scopeOf(turn.state, frame, files)), turn.state.setup.itemsMax);
    },
    (later, _, outcome) => {
      if (isSettled(record.status)) return;
      if ("error" in outcome) settle(later, frame, step.index, "failed", { error: outcome.error });
      else if (outcome.value instanceof NotCalled) {
        settle(later, frame, step.index, outcome.value.status, { reason: outcome.value.message });
      } else openItems(later, frame, step.index, outcome.value);
    },
  );
}

function itemsOf(collection: Json, itemsMax: number): readonly Json[] {
  if (isList(collection)) {
    if (collection.length <= itemsMax) return collection;
    const message = `"iterate_over" has ${collection.length} items; ${itemsMax} is the most`;
    throw new StepFailure(failure("DefinitionError", message));
  }
  const message = `"iterate_over" must be a list, but it is ${describe(collection)}`;
  throw new StepFailure(failure("RuntimeResolutionError", message));
}

function openItems(turn: Turn, frame: Frame, step: number, items: readonly Json[]): void {
  const record = frame.steps[step] as StepState;
  const earlier = frame.resumed.has(step) ? record.fanOut : undefined;
  const fanOut = new FanOutState(items);
  record.inner = fanOut;
  if (earlier !== undefined && earlier.items.length === items.length) fanOut.takeCompleted(earlier);
  record.attempts = 1;
  if (fanOut.left === 0) complete(turn, frame, step, fanOut.results);
  else queueItems(turn, frame, step);
}

/** One entry in the ready queue for as long as there are items that may start. */
function queueItems(turn: Turn, frame: Frame, step: number): void {
  const fanOut = frame.steps[step]?.fanOut;
  if (fanOut === undefined || fanOut.queued || !hasItemsToStart(fanOut, frame.block.steps[step] as Step))
    return;
  fanOut.queued = true;
  fanOut.entry ??= { frame, step };
  turn.state.ready.pushItems(fanOut.entry);
}

export function hasItemsToStart(fanOut: FanOutState, step: Step): boolean {
  if (fanOut.failure !== undefined || fanOut.refusal !== undefined) return false;
  if (fanOut.next >= fanOut.items.length) return false;
  return fanOut.active < (step.fanOut?.concurrencyMax ?? Number.POSITIVE_INFINITY);
}

/** The next item, taken off the queue; the entry goes to the back while there are more. */
export function takeItem(turn: Turn, frame: Frame, step: number): number | undefined {
  const record = frame.steps[step] as StepState;
  const { fanOut } = record;
  if (fanOut === undefined || isSettled(record.status)) return undefined;
  fanOut.queued = false;
  if (!fanOut.begun && !mayStart(turn, frame, step)) {
    // Something has failed while the step was waiting for its turn.
    record.inner = frame.resumed.has(step) ? fanOut : undefined;
    record.startTick = 0;
    hold(turn, frame, step);
    return undefined;
  }
  if (!hasItemsToStart(fanOut, frame.block.steps[step] as Step)) return undefined;
  const item = beginItem(fanOut);
  queueItems(turn, frame, step);
  return item;
}

export function beginItem(fanOut: FanOutState): number {
  fanOut.begun = true;
  const item = fanOut.next++;
  fanOut.active++;
  fanOut.states[item] = ITEM_ACTIVE;
  fanOut.skipCompleted();
  return item;
}

export function completeItem(turn: Turn, call: Call, value: Json): void {
  // What a run keeps of a long fan-out is its results.
  if (call.item >= ITEMS_RECORDED_MAX) call.frame.steps[call.step.index]?.fanOut?.frames.delete(call.item);
  endItem(turn, call, ITEM_COMPLETED, value);
}

/** A required argument comes from a step that did not run; that holds for every item, so the step itself is not called. */
export function refuseItems(turn: Turn, call: Call, why: NotCalled): void {
  const fanOut = call.frame.steps[call.step.index]?.fanOut;
  if (fanOut === undefined) return;
  fanOut.refusal ??= why;
  endItem(turn, call, ITEM_CANCELLED, null);
}

export function failItem(turn: Turn, call: Call, error: StepError): void {
  const fanOut = call.frame.steps[call.step.index]?.fanOut;
  if (fanOut === undefined) return;
  const collects = call.step.fanOut?.onError === "collect";
  // Of several failures the step shows that of the first item, whichever came first.
  if (!collects && call.item < fanOut.failedFirst) {
    fanOut.failedFirst = call.item;
    fanOut.failure = error;
  }
  fanOut.errors.set(call.item, error);
  endItem(
    turn,
    call,
    ITEM_FAILED,
    collects ? { error: { code: error.code, name: error.name, message: error.message } } : null,
  );
}

function endItem(turn: Turn, call: Call, state: number, value: Json): void {
  const { frame, step, item } = call;
  const fanOut = frame.steps[step.index]?.fanOut;
  if (fanOut === undefined) return;
  fanOut.states[item] = state;
  fanOut.results[item] = value;
  fanOut.active--;
  fanOut.left--;
  if (fanOut.failure !== undefined || fanOut.refusal !== undefined) {
    // What is under way finishes; nothing new starts.
    if (fanOut.active === 0) giveUp(turn, frame, step.index, fanOut);
  } else if (fanOut.left === 0) complete(turn, frame, step.index, fanOut.results);
  else queueItems(turn, frame, step.index);
}

function giveUp(turn: Turn, frame: Frame, step: number, { failure: error, refusal }: FanOutState): void {
  if (error !== undefined) settle(turn, frame, step, "failed", { error });
  else if (refusal !== undefined) settle(turn, frame, step, refusal.status, { reason: refusal.message });
}
