/**
 * Diagnostics for a terminal:
 *
 *     error[unknown-step]: There is no step called "fetch_dat".
 *        ┌─ plan.json:12:21
 *        │
 *     12 │         "data": "REF:fetch_dat.items"
 *        │                      ^^^^^^^^^
 *        = help: Did you mean "fetch_data"?
 *        = fix: Write "fetch_data", applied by `sequitur check --fix`
 */
import type { Diagnostic, Severity } from "./diagnostic.ts";
import { harmless } from "./display.ts";
import { type Snippet, snippetOf } from "./snippet.ts";

export interface RenderOptions {
  readonly color: boolean;
}

type Paint = (text: string) => string;

const BOLD = "1";
const BLUE = "1;34";
const COLORS: Readonly<Record<Severity, string>> = { error: "1;31", warning: "1;33", info: "1;36" };

export function renderDiagnostic(d: Diagnostic, text: string | undefined, options: RenderOptions): string {
  const strong = painter(COLORS[d.severity], options);
  const bold = painter(BOLD, options);
  const edge = painter(BLUE, options);
  const snippet = text === undefined ? undefined : snippetIn(text, d);
  const number = snippet === undefined ? "" : String(d.line);
  const gutter = " ".repeat(Math.max(2, number.length + 1));
  const lines = [strong(`${d.severity}[${harmless(d.code)}]`) + bold(`: ${harmless(d.message)}`)];
  lines.push(`${gutter}${edge("┌─")} ${locationOf(d)}`);
  if (snippet !== undefined) {
    const carets = " ".repeat(snippet.indent) + strong("^".repeat(snippet.carets));
    lines.push(gutter + edge("│"));
    lines.push(`${edge(`${number.padEnd(gutter.length)}│`)} ${snippet.source}`);
    lines.push(`${gutter}${edge("│")} ${carets}`);
  }
  for (const hint of d.hints) lines.push(note(gutter, edge, bold, "help", harmless(hint)));
  if (d.fix !== undefined) {
    const title = harmless(d.fix.title).replace(/\.$/, "");
    lines.push(note(gutter, edge, bold, "fix", `${title}, applied by \`sequitur check --fix\``));
  }
  return lines.join("\n");
}

/** All of them, and a line that counts them. `texts` has the texts by file; `undefined` is the plan without a file. */
export function renderDiagnostics(
  list: readonly Diagnostic[],
  texts: ReadonlyMap<string | undefined, string>,
  options: RenderOptions,
): string {
  const rendered = list.map((d) => renderDiagnostic(d, texts.get(d.file), options));
  return [...rendered, painter(BOLD, options)(summaryOf(list))].join("\n\n");
}

/** "2 errors, 1 warning". */
export function summaryOf(list: readonly Diagnostic[]): string {
  const count = (severity: Severity) => list.filter((d) => d.severity === severity).length;
  const parts = [
    counted(count("error"), "error", "errors"),
    counted(count("warning"), "warning", "warnings"),
    counted(count("info"), "note", "notes"),
  ];
  return parts.filter((part) => part !== "").join(", ") || "no problems";
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
}

function snippetIn(text: string, { line, column, endLine, endColumn }: Diagnostic): Snippet | undefined {
  if (line === undefined || column === undefined) return undefined;
  return snippetOf(text, { line, column, endLine, endColumn });
}

function locationOf(d: Diagnostic): string {
  const file = d.file === undefined ? undefined : harmless(d.file);
  if (d.line !== undefined) {
    const column = d.column ?? 1;
    return file === undefined ? `line ${d.line}, column ${column}` : `${file}:${d.line}:${column}`;
  }
  const pointer = d.pointer === "" ? "the whole plan" : harmless(d.pointer);
  return file === undefined ? pointer : `${file}: ${pointer}`;
}

function note(gutter: string, edge: Paint, bold: Paint, label: string, text: string): string {
  return `${gutter}${edge("=")} ${bold(`${label}:`)} ${text}`;
}

function painter(code: string, options: RenderOptions): Paint {
  return options.color ? (text) => `\u001b[${code}m${text}\u001b[0m` : (text) => text;
}
