import { harmless, widthOf } from "../compiler.ts";

/** A line in pieces, so that it can be cut to a width before it gets its colours. */
export type StyledLine = readonly Piece[];
export type Piece = string | readonly [Style, string];
export type Style = keyof typeof CODES;

const CODES = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;

/** Without `columns` nothing is cut. Nothing in a piece can steer the terminal. */
export function renderLine(line: StyledLine, color: boolean, columns = Number.POSITIVE_INFINITY): string {
  let left = columns;
  let text = "";
  for (const piece of line) {
    const [style, raw] = typeof piece === "string" ? [undefined, piece] : piece;
    const whole = harmless(raw);
    const width = widthOf(whole);
    const part = width <= left ? whole : cut(whole, left);
    text += color && style !== undefined && part !== "" ? `\u001b[${CODES[style]}m${part}\u001b[0m` : part;
    left -= width;
    if (left < 0) break;
  }
  return text.trimEnd();
}

export function lineWidth(line: StyledLine): number {
  return line.reduce(
    (width, piece) => width + widthOf(harmless(typeof piece === "string" ? piece : piece[1])),
    0,
  );
}

/** The beginning of a text, with a sign that there is more. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return "";
  let part = "";
  let width = 1;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    part += character;
  }
  return `${part}…`;
}
