/*
 * Plans with their problems written into them: `⟦code⟧` stands right before the character at which the problem must be
 * reported. The marks are taken out before the plan is compiled; every problem must have a mark, and every mark a problem.
 */
import { expect } from "vitest";
import type { Json } from "../src/base/json.ts";
import { type CompileOptions, type CompileResult, compile } from "../src/compiler.ts";
import { lineColumn } from "../src/source/lines.ts";

const MARK = /⟦([a-z-]+)⟧/;

export interface MarkedPlan {
  readonly text: string;
  readonly expected: readonly string[];
}

export function readMarks(marked: string): MarkedPlan {
  let text = marked;
  const places: { readonly code: string; readonly offset: number }[] = [];
  for (let match = MARK.exec(text); match !== null; match = MARK.exec(text)) {
    places.push({ code: match[1] ?? "", offset: match.index });
    text = text.slice(0, match.index) + text.slice(match.index + match[0].length);
  }
  const expected = places.map(({ code, offset }) => {
    const { line, column } = lineColumn(text, offset);
    return `${line}:${column} ${code}`;
  });
  return { text, expected: expected.sort() };
}

/** Compiles the plan and compares what is reported with the marks. Problems inside other files have no mark. */
export function expectMarked(marked: string, options: CompileOptions = {}): CompileResult {
  const { text, expected } = readMarks(marked);
  const result = compile(text, options);
  const found = result.diagnostics.map(({ code, line, column, file }) => {
    return `${file === options.file ? `${line}:${column}` : file} ${code}`;
  });
  expect(found.sort()).toEqual(expected);
  const hasErrors = result.diagnostics.some(({ severity }) => severity === "error");
  expect(result.program === undefined).toBe(hasErrors);
  return result;
}

/** Compiles a plan without marks; nothing may be reported. */
export function expectClean(plan: Json, options: CompileOptions = {}): CompileResult {
  return expectMarked(JSON.stringify(plan, null, 2), options);
}

/** The codes of all problems, sorted. */
export function codesOf(plan: Json | string, options: CompileOptions = {}): string[] {
  return compile(plan, options)
    .diagnostics.map(({ code }) => code)
    .sort();
}
