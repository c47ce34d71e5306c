import type { JsonObject } from "../base/json.ts";
import type { Mutable } from "../base/mutable.ts";
import type { RunStarted } from "../core/events.ts";
import { JOURNAL_VERSION } from "../core/journal.ts";
import { randomBits } from "../drivers/chance.ts";
import type { StartOptions } from "./options.ts";
import type { Given } from "./prepare.ts";
import { checkBudget } from "./run-budget.ts";

export const CANCELLED_BY_CALLER = "The caller has cancelled the run.";

/** All that a run is given: what has been made ready for it, and what its caller wants. */
export function firstEvent(
  runId: string,
  at: number,
  { arguments: args, inputs }: Given,
  context: JsonObject,
  limits: RunStarted["limits"],
  options: StartOptions,
): RunStarted {
  const { mode = "stop", seed = randomBits(), deadlineMs, budget, eager, metadata, signal } = options;
  const event: Mutable<RunStarted> = {
    kind: "RunStarted",
    at,
    journal: JOURNAL_VERSION,
    runId,
    seed,
    arguments: args,
    inputs,
    context,
    mode,
    limits,
  };
  if (deadlineMs !== undefined) event.deadlineMs = deadlineMs;
  if (budget !== undefined) event.budget = checkBudget(budget);
  if (eager === true) event.eager = true;
  if (metadata !== undefined) event.metadata = metadata;
  if (signal?.aborted === true) event.cancelled = CANCELLED_BY_CALLER;
  return event;
}

/** Every number of ten bits, as two letters or digits. */
const PAIRS: readonly string[] = Array.from({ length: 1_024 }, (_, i) => i.toString(32).padStart(2, "0"));
let lastPrefix = { at: 0, text: "" };

/** Sorts by time, reads well in a terminal; fifty bits of chance tell runs of one millisecond apart. */
export function newRunId(at: number): string {
  if (lastPrefix.at !== at) lastPrefix = { at, text: `run_${at.toString(36)}` };
  return lastPrefix.text + letters(randomBits()) + letters(randomBits()).slice(0, 4);
}

function letters(bits: number): string {
  return pair(bits) + pair(bits >>> 10) + pair(bits >>> 20);
}

function pair(bits: number): string {
  return PAIRS[bits & 1_023] as string;
}
