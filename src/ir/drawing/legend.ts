import { harmless } from "../../source/display.ts";
import type { CallCount, Explanation } from "../explain.ts";

const SHOWN_MAX = 12;

/** What a plan will do, in a few lines: a name and a text each. */
export function explanationLines(explanation: Explanation): (readonly [name: string, text: string])[] {
  const { calls, callsMax, longestChain, questions, confirmations, sideEffects } = explanation;
  const lines: (readonly [string, string])[] = [];
  if (longestChain.length > 1) lines.push(["longest chain", chain(longestChain)]);
  if (calls.length > 0) {
    const shown = calls.slice(0, SHOWN_MAX).map(callText);
    if (calls.length > SHOWN_MAX) shown.push(`… and ${calls.length - SHOWN_MAX} more`);
    if (callsMax !== null && calls.length > 1) shown.push(`${callsMax} in all, at most`);
    for (const [i, text] of shown.entries()) lines.push([i === 0 ? "calls at most" : "", harmless(text)]);
  }
  if (questions.length > 0) {
    const each = questions.map(({ name, description }) =>
      description === undefined ? name : `${name} (${description})`,
    );
    lines.push(["asks for", listed(each)]);
  }
  if (confirmations.length > 0) lines.push(["asks for a yes", listed(confirmations)]);
  if (sideEffects.length > 0) lines.push(["side effects", listed(sideEffects)]);
  return lines;
}

function callText({ kind, name, callsMax, unbounded, stepIds }: CallCount): string {
  const what = kind === "agent" ? `${name} (definition not at hand)` : name;
  if (callsMax !== null) return `${what} ×${callsMax}`;
  const where = `${stepIds.slice(0, 3).join(", ")}${stepIds.length > 3 ? ", …" : ""}`;
  return `${what} ${unbounded === "recursion" ? "without bound, by recursion" : "for each item"} (${where})`;
}

/** A long chain shows its two ends. */
function chain(ids: readonly string[]): string {
  const shown =
    ids.length <= SHOWN_MAX ? ids : [...ids.slice(0, 5), `… ${ids.length - 10} more …`, ...ids.slice(-5)];
  return harmless(shown.join(" → "));
}

function listed(items: readonly string[]): string {
  const more = items.length - SHOWN_MAX;
  return harmless(items.slice(0, SHOWN_MAX).join(", ")) + (more > 0 ? ` and ${more} more` : "");
}
