/*
 * Strings that are not JSON: in other quotes, never closed, with raw line breaks, with escapes that do not exist,
 * with quotes inside. A guess is made of where they were meant to end.
 */

import { PROBLEMS_MAX, wording } from "./syntax.ts";
import type { TextEdit } from "./text-edits.ts";
import { escapeLength, isSpace, isWordPart, type Mistake, type RoughToken, skipSpace } from "./tokens.ts";

const QUOTE = 34;
const BACKSLASH = 92;

/** A string so broken that it needs more edits than this is not repaired. */
const EDITS_MAX = 1000;

/** How far the end of a string with quotes inside is looked for. */
const INNER_QUOTES_MAX = 10_000;

/** Quotes that people and programs use in the place of `"`, with what ends them. */
const OTHER_QUOTES = new Map([
  ["'", { close: "'", name: "single quotes" }],
  ["`", { close: "`", name: "backticks" }],
  ["“", { close: "”", name: "typographic quotes" }],
  ["”", { close: "”", name: "typographic quotes" }],
  ["‘", { close: "’", name: "typographic quotes" }],
  ["’", { close: "’", name: "typographic quotes" }],
]);

export function isOtherQuote(character: string | undefined): boolean {
  return character !== undefined && OTHER_QUOTES.has(character);
}

/** A string in quotes other than `"`, which ends on its line. */
export function otherString(text: string, at: number): RoughToken {
  const quotes = OTHER_QUOTES.get(text.charAt(at)) ?? { close: "'", name: "single quotes" };
  let end = at + 1;
  while (end < text.length && text[end] !== quotes.close && !isLineBreak(text.charCodeAt(end))) {
    end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  }
  end = Math.min(end, text.length);
  const value = unescaped(text.slice(at + 1, end));
  if (text[end] !== quotes.close) {
    return { end, value, problems: [{ wording: wording.unclosedString(), from: at, to: end }] };
  }
  const mistake = { wording: wording.wrongQuotes(quotes.name), from: at, to: end + 1 };
  const edits = [{ from: at, to: end + 1, text: JSON.stringify(value) }];
  return { end: end + 1, value, problems: [end - at > UNESCAPED_MAX ? mistake : { ...mistake, edits }] };
}

const UNESCAPED_MAX = 100_000;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function unescaped(inner: string): string {
  // It is wanted as the name of a key and for a repair; neither is worth it at this length.
  if (inner.length > UNESCAPED_MAX) return inner;
  return inner.replace(
    /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g,
    (_, hex: string | undefined, c: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      return ESCAPED[c ?? ""] ?? c ?? "";
    },
  );
}

/** A string that begins with `"` and is not JSON. */
export function roughString(text: string, at: number, isKey: boolean): RoughToken {
  const mistakes: Mistake[] = [];
  const raw: TextEdit[] = [];
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) !== QUOTE) {
    const c = text.charCodeAt(end);
    if (c === BACKSLASH) {
      const length = escapeLength(text, end);
      if (length === 0 && mistakes.length < PROBLEMS_MAX) mistakes.push(badEscape(text, end));
      end += length === 0 ? escapeWidth(text, end) : length;
    } else if (isLineBreak(c)) {
      if (endsWithLine(text, at, end)) return unclosed(text, at, end, isKey, mistakes, raw);
      end = takeRaw(text, end, skipSpace(text, end), raw);
    } else {
      end = c < 32 ? takeRaw(text, end, end + 1, raw) : end + 1;
    }
  }
  if (end >= text.length) return unclosed(text, at, text.length, isKey, mistakes, raw);
  return rough(text, end + 1, text.slice(at + 1, end), mistakes, raw);
}

function rough(
  text: string,
  end: number,
  value: string,
  mistakes: readonly Mistake[],
  raw: readonly TextEdit[],
): RoughToken {
  const problems = [...mistakes];
  const first = raw[0];
  if (first !== undefined) {
    const edits = raw.length > EDITS_MAX ? {} : { edits: raw };
    problems.push({ wording: wording.controlCharacter(), from: first.from, to: first.to, ...edits });
  }
  return {
    end: Math.min(end, text.length),
    value: unescaped(value),
    problems: problems.sort((a, b) => a.from - b.from),
  };
}

function badEscape(text: string, at: number): Mistake {
  const found = text.slice(at, at + 2);
  const to = Math.min(at + 2, text.length);
  const write = found === "\\'" ? "'" : `\\${found.slice(0, 1)}`;
  const edit = { from: at, to: found === "\\'" ? to : at + 1, text: write };
  return { wording: wording.badEscape(found), from: at, to, edits: [edit] };
}

/** A backslash before a line break or at the end leaves what follows to the reader. */
function escapeWidth(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  return Number.isNaN(next) || next < 32 ? 1 : 2;
}

/** Collects the edits for the control characters between `from` and `to`; gives `to`. */
function takeRaw(text: string, from: number, to: number, raw: TextEdit[]): number {
  for (let at = from; at < to && raw.length <= EDITS_MAX; at++) {
    if (text.charCodeAt(at) >= 32) continue;
    const length = text.startsWith("\r\n", at) ? 2 : 1;
    const write = length === 2 ? "\\n" : JSON.stringify(text.charAt(at)).slice(1, -1);
    raw.push({ from: at, to: at + length, text: write });
    at += length - 1;
  }
  return to;
}

/**
 * Whether a string that reaches the end of its line was meant to end there: the next line begins as one that
 * follows a finished string. Otherwise the line break was meant to be part of it.
 */
function endsWithLine(text: string, start: number, lineEnd: number): boolean {
  const next = text[skipSpace(text, lineEnd)];
  if (next === undefined || next === '"' || next === "}" || next === "]") return true;
  return (next === "{" || next === "[") && text.charAt(trimmed(text, start + 1, lineEnd) - 1) === ",";
}

function unclosed(
  text: string,
  at: number,
  lineEnd: number,
  isKey: boolean,
  mistakes: readonly Mistake[],
  raw: readonly TextEdit[],
): RoughToken {
  const end = isKey ? endOfKey(text, at, lineEnd) : endOfText(text, at, lineEnd);
  const problem = {
    wording: wording.unclosedString(),
    from: at,
    to: end,
    edits: [{ from: end, to: end, text: '"' }],
  };
  const inside = mistakes.filter((mistake) => mistake.to <= end);
  return rough(
    text,
    end,
    text.slice(at + 1, end),
    [problem, ...inside],
    raw.filter((edit) => edit.to <= end),
  );
}

function endOfKey(text: string, at: number, lineEnd: number): number {
  const colon = text.indexOf(":", at);
  return colon > at && colon < lineEnd ? trimmed(text, at + 1, colon) : endOfText(text, at, lineEnd);
}

/** Before the comma and the brackets at the end of the line that have no partner inside the string. */
function endOfText(text: string, at: number, lineEnd: number): number {
  const inner = text.slice(at + 1, lineEnd);
  const outside = `,${inner.includes("{") ? "" : "}"}${inner.includes("[") ? "" : "]"}`;
  let end = trimmed(text, at + 1, lineEnd);
  while (end > at + 1 && outside.includes(text.charAt(end - 1))) end = trimmed(text, at + 1, end - 1);
  return end;
}

function trimmed(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

function isLineBreak(c: number): boolean {
  return c === 10 || c === 13;
}

/**
 * A string that was ended by a quote meant as part of it (`"he said "hi" to me"`): `quote` is the offset of that
 * quote. Gives the end of the whole, if on the same line a quote follows that stands where strings end.
 */
export function innerQuotes(
  text: string,
  quote: number,
): { readonly end: number; readonly mistake: Mistake } | undefined {
  const edits: TextEdit[] = [{ from: quote, to: quote, text: "\\" }];
  const limit = Math.min(text.length, quote + INNER_QUOTES_MAX);
  for (let at = quote + 1; at < limit && !isLineBreak(text.charCodeAt(at)); at++) {
    const c = text.charCodeAt(at);
    if (c === BACKSLASH) at++;
    if (c !== QUOTE) continue;
    const next = text[skipSpace(text, at + 1)];
    if (next === undefined || next === "," || next === "}" || next === "]") {
      const kept = edits.length > EDITS_MAX ? {} : { edits };
      return {
        end: at + 1,
        mistake: { wording: wording.innerQuotes(), from: quote, to: quote + 1, ...kept },
      };
    }
    if (edits.length <= EDITS_MAX) edits.push({ from: at, to: at, text: "\\" });
  }
  return undefined;
}

/** Whether a key or value may begin like this, so that what is missing before it is a comma. */
export function startsEntry(c: string): boolean {
  return (
    c === "{" || c === "[" || c === '"' || isOtherQuote(c) || isWordPart(c.charCodeAt(0)) || c > "\u007f"
  );
}
