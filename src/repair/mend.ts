import type { CompileResult } from "../dialects/compile.ts";
import { repair } from "../source/repair.ts";
import { type Check, choose } from "./choose.ts";

/** A repair can bring the next problem to light; after so many rounds what is left is left. */
const ROUNDS_MAX = 12;

export interface Mended {
  readonly text: string;
  /** Of the text as it is now. */
  readonly result: CompileResult;
  /** How many problems were repaired without a doubt. */
  readonly fixed: number;
  /** What else was changed, because of all things that could be meant only one makes a good plan. */
  readonly guesses: readonly string[];
}

/**
 * Repairs a plan until there is nothing left that can be repaired without knowing what its author wanted. `file` is what
 * diagnostics call the plan itself: those of the agents that it uses are about other texts.
 */
export function mend(text: string, check: Check, file?: string): Mended {
  let state: Mended = { text, result: check(text), fixed: 0, guesses: [] };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = nextState(state, check, file);
    if (next === undefined) break;
    state = next;
  }
  return state;
}

function nextState(state: Mended, check: Check, file: string | undefined): Mended | undefined {
  const { text, result, fixed, guesses } = state;
  const own = result.diagnostics.filter((diagnostic) => diagnostic.file === file);
  const repaired = repair(text, own);
  if (repaired.text !== text) {
    const { applied } = repaired;
    return { ...state, text: repaired.text, result: check(repaired.text), fixed: fixed + applied };
  }
  const chosen = result.program === undefined ? choose(text, result, own, check) : undefined;
  if (chosen === undefined) return undefined;
  return { text: chosen.text, result: chosen.result, fixed, guesses: [...guesses, chosen.title] };
}
