import { useEffect, useRef, useState } from "react";
import {
  type CompileOptions,
  compile,
  type Diagnostic,
  type DialectName,
  detectDialect,
  type Explanation,
  explain,
  type Json,
  type Outline,
  outline,
  type Program,
} from "../../../src/compiler.ts";

export interface Checked {
  /** The text that was checked. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly dialect: DialectName | undefined;
  readonly program: Program | undefined;
  /** Of the last text that had no errors. */
  readonly outline: Outline | undefined;
  readonly explanation: Explanation | undefined;
}

const PAUSE_MS = 120;
const NOTHING: Checked = {
  text: "",
  diagnostics: [],
  dialect: undefined,
  program: undefined,
  outline: undefined,
  explanation: undefined,
};

/** The text, compiled in the browser whenever somebody stops typing. */
export function useChecked(text: string, options: CompileOptions): Checked {
  const [checked, setChecked] = useState(NOTHING);
  const isFirst = useRef(true);
  useEffect(() => {
    const timer = setTimeout(
      () => setChecked((before) => check(text, options, before)),
      isFirst.current ? 0 : PAUSE_MS,
    );
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [text, options]);
  return checked;
}

function check(text: string, options: CompileOptions, before: Checked): Checked {
  if (text.trim() === "") return { ...NOTHING, text };
  const { program, diagnostics } = compile(text, options);
  if (program === undefined)
    return { ...before, text, diagnostics, dialect: languageOf(text) ?? before.dialect, program: undefined };
  return {
    text,
    diagnostics,
    dialect: program.dialect,
    program,
    outline: same(outline(program), before.outline),
    explanation: explain(program),
  };
}

/** A graph that has not changed is not laid out again. */
function same(next: Outline, before: Outline | undefined): Outline {
  return before !== undefined && JSON.stringify(next) === JSON.stringify(before) ? before : next;
}

/** As far as it can be told of a plan that has errors. */
function languageOf(text: string): DialectName | undefined {
  try {
    const value = JSON.parse(text) as Json;
    const inner =
      typeof value === "object" && value !== null && "context_variables" in value ? value.plan : undefined;
    return detectDialect(inner ?? value);
  } catch {
    return undefined;
  }
}
