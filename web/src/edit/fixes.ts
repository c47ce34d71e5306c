import {
  applyFixes,
  type CompileOptions,
  compile,
  countRepairs,
  type Diagnostic,
  repair,
} from "../../../src/compiler.ts";

const ROUNDS_MAX = 10;
const SYNTAX = "repair the JSON";

/** Problems in the definitions of agents are mended there. */
export function own(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ file }) => file === undefined);
}

/** What would mend a problem of the text, in words. A text that is not JSON is repaired as a whole. */
export function fixWords(text: string): (diagnostic: Diagnostic) => string | undefined {
  const canRepair = countRepairs(text, []) > 0;
  return ({ file, fix, code }) => {
    if (file !== undefined) return undefined;
    if (canRepair) return code === "json-syntax" || code === "duplicate-key" ? SYNTAX : undefined;
    return fix?.title;
  };
}

export function fixed(text: string, { fix }: Diagnostic): string {
  return fix === undefined ? repair(text, []).text : applyFixes(text, [fix]).text;
}

/** Round after round: what one repair brings to light, the next may mend. */
export function repaired(text: string, options: CompileOptions): string {
  let now = text;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = repair(now, own(compile(now, options).diagnostics)).text;
    if (next === now) break;
    now = next;
  }
  return now;
}
