/**
 * Lines and columns of a text. Both count from 1; columns count UTF-16 code units, as editors do. A line ends with
 * `\n`, `\r\n` or a lone `\r`. A byte order mark takes no column: editors do not show it.
 */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Offsets of the first character of every line, in order. */
export type LineStarts = readonly number[];

export const BYTE_ORDER_MARK = 0xfeff;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** One text is remembered, since questions come in runs about the same one; strings cannot be weak keys. */
let latest: { readonly text: string; readonly starts: LineStarts } | undefined;

export function lineStarts(text: string): LineStarts {
  if (latest?.text === text) return latest.starts;
  const starts = [text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0];
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c > CARRIAGE_RETURN) continue;
    if (c === LINE_FEED) starts.push(at + 1);
    else if (c === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED) starts.push(at + 1);
  }
  latest = { text, starts };
  return starts;
}

export function lineColumn(text: string, offset: number): LineColumn {
  return lineColumnIn(lineStarts(text), offset);
}

/** For callers that keep the line starts themselves, because they ask about several texts in turn. */
export function lineColumnIn(starts: LineStarts, offset: number): LineColumn {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(0, offset - (starts[low] ?? 0)) + 1 };
}

/** The text of a line (from 1) without its end, and where it starts. */
export function lineAt(
  text: string,
  line: number,
): { readonly start: number; readonly end: number } | undefined {
  const starts = lineStarts(text);
  const start = starts[line - 1];
  if (start === undefined) return undefined;
  let end = starts[line] ?? text.length;
  while (end > start && isLineEnd(text.charCodeAt(end - 1))) end--;
  return { start, end };
}

function isLineEnd(c: number): boolean {
  return c === LINE_FEED || c === CARRIAGE_RETURN;
}
