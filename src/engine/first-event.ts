import { randomBits } from "../base/chance.ts";
import type { JsonObject } from "../base/json.ts";
import type { RunStarted } from "../core/events.ts";
import { JOURNAL_VERSION } from "../core/journal.ts";
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
  return {
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
    ...(deadlineMs !== undefined && { deadlineMs }),
    ...(budget !== undefined && { budget: checkBudget(budget) }),
    ...(eager === true && { eager }),
    ...(metadata !== undefined && { metadata }),
    ...(signal?.aborted === true && { cancelled: CANCELLED_BY_CALLER }),
  };
}

let lastPrefix = { at: 0, text: "" };

/** Sorts by time, reads well in a terminal. */
export function newRunId(at: number): string {
  // Runs that start within a millisecond share what says so.
  if (lastPrefix.at !== at) lastPrefix = { at, text: `run_${at.toString(36)}` };
  return lastPrefix.text + letters(randomBits()) + letters(randomBits()).slice(0, 3);
}

function letters(bits: number): string {
  return bits.toString(36).padStart(7, "0");
}
