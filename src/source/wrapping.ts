/** What surrounds JSON, or stands in it without belonging there. */
import { BYTE_ORDER_MARK } from "./lines.ts";
import { isOtherQuote } from "./rough-strings.ts";
import { endOfString, isSpace, isWordPart, skipSpace } from "./tokens.ts";

/**
 * Where the JSON begins. Between `from` and `to` there is text that was not meant to be part of it: a model's
 * "Here is the plan:", the fence of a Markdown block. It is only taken for that if a line after it begins with a bracket.
 */
export function startOfJson(text: string): { readonly from: number; readonly to: number } {
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  const from = skipSpace(text, start);
  const c = text.charAt(from);
  const fenced = text.startsWith("```", from);
  if (!fenced && !/[A-Za-z*<>=(.!]/.test(c)) return { from: start, to: start };
  const bracket = /^[ \t]*[{[]/m;
  const found = bracket.exec(text.slice(from));
  if (found === null) return { from: start, to: start };
  return { from, to: from + found.index + found[0].length - 1 };
}

/** `to`, less the white space before it. */
export function endOfTrimmed(text: string, to: number): number {
  let end = to;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

/** The end of the list or object that begins at `at`, by counting brackets outside strings. */
export function endOfPiece(text: string, at: number): number {
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    const c = text.charCodeAt(end);
    if (c === 123 || c === 91) depth++;
    else if (c === 125 || c === 93) {
      if (--depth === 0) return end + 1;
    } else if (c === 34) {
      const close = endOfString(text, end);
      if (close > 0) end = close - 1;
    }
  }
  return text.length;
}

/** The end of the characters from `at` on that begin nothing in JSON; at least one. */
export function endOfUnexpected(text: string, at: number): number {
  let end = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  while (end < text.length && end < at + 64) {
    const c = text.charCodeAt(end);
    if (
      isSpace(c) ||
      isWordPart(c) ||
      c > 127 ||
      isOtherQuote(text[end]) ||
      '{}[],:"/#'.includes(text.charAt(end))
    )
      break;
    end++;
  }
  return end;
}
