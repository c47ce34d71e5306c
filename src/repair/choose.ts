/*
 * What a mistake was meant to be, where more than one thing can be: every choice is tried, and the compiler is the judge. Of those
 * that leave fewer errors, the one is taken that leaves the best plan, if it is the only best one. A plan is better the fewer
 * warnings it has, the fewer results nobody uses, and the fewer steps refer to later ones: that is how plans are written.
 */
import type { CompileResult } from "../dialects/compile.ts";
import type { Program } from "../ir/program.ts";
import { usedSteps } from "../ir/used-steps.ts";
import type { Diagnostic, Fix } from "../source/diagnostic.ts";
import { applyFixes } from "../source/fix.ts";
import { fold } from "../source/nearest.ts";

/** Compiles a text, with choices. */
export type Check = (text: string) => CompileResult;

export interface Chosen {
  readonly text: string;
  readonly result: CompileResult;
  readonly title: string;
}

/** All choices of one plan together. */
const TRIES_MAX = 400;

/** `problems` are those of the plan itself. */
export function choose(
  text: string,
  before: CompileResult,
  problems: readonly Diagnostic[],
  check: Check,
): Chosen | undefined {
  const errors = countErrors(before);
  let tries = TRIES_MAX;
  for (const [title, fixes] of inGroups(problems)) {
    const candidates: Candidate[] = [];
    for (const [choice, group] of fixes) {
      if (tries-- <= 0) return undefined;
      const applied = applyFixes(text, group);
      if (applied.applied === 0) continue;
      const result = check(applied.text);
      if (countErrors(result) < errors)
        candidates.push({ title: choice, text: applied.text, result, score: scoreOf(result, title, choice) });
    }
    const best = onlyBest(candidates);
    if (best !== undefined) return best;
  }
  return undefined;
}

interface Candidate extends Chosen {
  readonly score: readonly number[];
}

/** Problems that say the same have one cause, such as a step that was renamed: they are repaired together, each in the same way. */
function inGroups(diagnostics: readonly Diagnostic[]): Map<string, Map<string, Fix[]>> {
  const groups = new Map<string, Map<string, Fix[]>>();
  for (const { message, choices, severity } of diagnostics) {
    if (severity !== "error") continue;
    const group = groups.get(message) ?? new Map<string, Fix[]>();
    groups.set(message, group);
    for (const choice of choices ?? []) group.set(choice.title, [...(group.get(choice.title) ?? []), choice]);
  }
  return groups;
}

function countErrors({ diagnostics }: CompileResult): number {
  return diagnostics.filter(({ severity }) => severity === "error").length;
}

/** Smaller is better, the first number that differs decides. */
function scoreOf(result: CompileResult, problem: string, choice: string): readonly number[] {
  const { program, diagnostics } = result;
  const warnings = diagnostics.length - countErrors(result);
  if (program === undefined) return [countErrors(result), warnings, 0, 0, 1];
  return [0, warnings, countUnused(program), countForward(program), isKin(problem, choice) ? 0 : 1];
}

function onlyBest(candidates: readonly Candidate[]): Candidate | undefined {
  const [best, second] = candidates.toSorted((a, b) => compare(a.score, b.score));
  return best !== undefined && (second === undefined || compare(best.score, second.score) < 0)
    ? best
    : undefined;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, i) => number !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function countUnused({ blocks: [plan] }: Program): number {
  return plan.steps.length - usedSteps(plan).size;
}

function countForward({ blocks: [plan] }: Program): number {
  return plan.steps.reduce(
    (sum, { index, needs }) => sum + needs.filter(({ step }) => step > index).length,
    0,
  );
}

/** Whether one of the names that two sentences quote begins with the other: `mails` and `mails_new`. */
function isKin(problem: string, choice: string): boolean {
  const names = (text: string) => [...text.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => fold(name));
  return names(problem).some((a) => names(choice).some((b) => a.startsWith(b) || b.startsWith(a)));
}
