import { type Diagnostic, renderDiagnostics } from "../compiler.ts";
import type { Console } from "./console.ts";

/** `documents` are those that diagnostics speak of, by their names there. */
export function showProblems(
  diagnostics: readonly Diagnostic[],
  documents: ReadonlyMap<string | undefined, { readonly text: string }>,
  console: Console,
): void {
  const texts = new Map([...documents].map(([name, { text }]) => [name, text]));
  console.err(renderDiagnostics(diagnostics, texts, { color: console.errColor }));
}
