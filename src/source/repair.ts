import type { Diagnostic } from "./diagnostic.ts";
import { applyFixes } from "./fix.ts";
import { openDocument, type SyntaxFinding } from "./open.ts";
import { type Applied, applyTextEdits } from "./text-edits.ts";

/**
 * Carries out one round of repairs on a text: of its syntax, as long as there is something to repair in it, since only what
 * is JSON can be edited by value; then the fixes of its diagnostics. What a repair brings to light is for the next round.
 */
export function repair(text: string, diagnostics: readonly Diagnostic[]): Applied {
  const groups = repairable(text).map((problem) => problem.textEdits ?? []);
  if (groups.length > 0) return applyTextEdits(text, groups);
  const fixes = diagnostics.flatMap((diagnostic) => (diagnostic.fix === undefined ? [] : [diagnostic.fix]));
  return fixes.length === 0 ? { text, applied: 0, skipped: 0 } : applyFixes(text, fixes);
}

/** How many of the text's problems `repair` would mend at once. */
export function countRepairs(text: string, diagnostics: readonly Diagnostic[]): number {
  return repairable(text).length + diagnostics.filter((diagnostic) => diagnostic.fix !== undefined).length;
}

function repairable(text: string): SyntaxFinding[] {
  return openDocument(text).problems.filter((problem) => problem.textEdits !== undefined);
}
