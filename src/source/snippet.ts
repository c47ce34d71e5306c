/** The line of the source that a diagnostic is about, with carets under what is wrong. */
import { shown, widthOf } from "./display.ts";
import { lineAt } from "./lines.ts";

/** Longer lines (a plan in one line of a megabyte) are cut around the caret. */
const LENGTH_MAX = 100;
/** How much of a cut line is shown in front of the caret. */
const BEFORE_CARET = 40;
const CUT = "…";

export interface Range {
  readonly line: number;
  readonly column: number;
  readonly endLine: number | undefined;
  readonly endColumn: number | undefined;
}

export interface Snippet {
  readonly source: string;
  /** Spaces in front of the carets, and how many carets. */
  readonly indent: number;
  readonly carets: number;
}

export function snippetOf(text: string, range: Range): Snippet | undefined {
  const line = lineAt(text, range.line);
  if (line === undefined) return undefined;
  const at = Math.min(line.start + range.column - 1, line.end);
  const view = cut(text, line.start, line.end, at);
  const to = Math.min(endOf(line, range), view.to);
  const front = view.from > line.start ? CUT : "";
  const back = view.to < line.end ? CUT : "";
  return {
    source: front + shown(text.slice(view.from, view.to)) + back,
    indent: front.length + widthOf(text.slice(view.from, at)),
    carets: Math.max(1, to > at ? widthOf(text.slice(at, to)) : 1),
  };
}

/** A value of several lines is underlined in its first. */
function endOf(line: { readonly start: number; readonly end: number }, range: Range): number {
  if (range.endLine === undefined || range.endColumn === undefined) return line.start + range.column;
  return range.endLine > range.line ? line.end : Math.min(line.start + range.endColumn - 1, line.end);
}

function cut(
  text: string,
  start: number,
  end: number,
  at: number,
): { readonly from: number; readonly to: number } {
  if (end - start <= LENGTH_MAX) return { from: start, to: end };
  const to = Math.min(end, Math.max(start, at - BEFORE_CARET) + LENGTH_MAX);
  const from = Math.max(start, to - LENGTH_MAX);
  return { from: from - splitPair(text, from), to: to - splitPair(text, to) };
}

/** 1 where a cut would go through a pair of surrogates, which are one character. */
function splitPair(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLow && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? 1 : 0;
}
