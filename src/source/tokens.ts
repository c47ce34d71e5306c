/*
 * The pieces of JSON text, read strictly where they are right and generously where they are not: a token that is
 * wrong still has an end, and often a repair, so that reading can go on behind it.
 */

import { type Wording, wording } from "./syntax.ts";
import type { TextEdit } from "./text-edits.ts";

/** A token that is not JSON as it stands. */
export interface RoughToken {
  readonly end: number;
  /** The string it was meant to be; a key is found under this name. */
  readonly value: string;
  readonly problems: readonly Mistake[];
}

export interface Mistake {
  readonly wording: Wording;
  readonly from: number;
  readonly to: number;
  readonly edits?: readonly TextEdit[];
}

const QUOTE = 34;
const BACKSLASH = 92;

export function isSpace(c: number): boolean {
  return c === 32 || c === 10 || c === 13 || c === 9;
}

export function skipSpace(text: string, at: number): number {
  let end = at;
  while (isSpace(text.charCodeAt(end))) end++;
  return end;
}

const ODD_SPACE = /[\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\v\f\u0085]+/y;
const LINE_COMMENT = /(?:\/\/|#)[^\r\n]*/y;

/** A comment, or white space that is none in JSON, at `at`. */
export function roughSpace(text: string, at: number): Mistake | undefined {
  const odd = endOfMatch(ODD_SPACE, text, at);
  if (odd > at)
    return { wording: wording.oddSpace(), from: at, to: odd, edits: [{ from: at, to: odd, text: " " }] };
  if (text.startsWith("/*", at)) {
    const close = text.indexOf("*/", at + 2);
    if (close < 0) return { wording: wording.comment(), from: at, to: text.length };
    return {
      wording: wording.comment(),
      from: at,
      to: close + 2,
      edits: [{ from: at, to: close + 2, text: "" }],
    };
  }
  const end = endOfMatch(LINE_COMMENT, text, at);
  if (end === at) return undefined;
  return { wording: wording.comment(), from: at, to: end, edits: [{ from: at, to: end, text: "" }] };
}

/** The end of the string whose opening quote is at `at`, or -1 if it is not a JSON string. */
export function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const c = text.charCodeAt(end);
    if (c === QUOTE) return end + 1;
    if (c < 32) return -1;
    if (c === BACKSLASH) {
      const length = escapeLength(text, end);
      if (length === 0) return -1;
      end += length - 1;
    }
  }
  return -1;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The length of the escape at `at`, 0 if it is not one. */
export function escapeLength(text: string, at: number): number {
  return endOfMatch(ESCAPE, text, at) - at;
}

/** The decoded text of a JSON string from its opening quote to its end. */
export function decodeString(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? String(JSON.parse(text.slice(start, end))) : inner;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;

/** The end of `true`, `false`, `null` or a number at `at`, or -1. */
export function endOfScalar(text: string, at: number): number {
  const c = text.charCodeAt(at);
  if (c === 45 || (c >= 48 && c <= 57)) {
    const end = endOfMatch(NUMBER, text, at);
    return end > at ? end : -1;
  }
  for (const literal of ["true", "false", "null"]) {
    if (text.startsWith(literal, at))
      return isWordPart(text.charCodeAt(at + literal.length)) ? -1 : at + literal.length;
  }
  return -1;
}

/** Letters, digits, `_`, `$`, `-` and everything beyond ASCII that is not punctuation the reader knows. */
export function isWordPart(c: number): boolean {
  return (
    (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 36 || c === 45
  );
}

const WORD = /[\w$-][\w$.-]*/y;
const NUMBER_LIKE = /[-+]?\.?\d[\w.+-]*|[-+]Infinity\b/y;
const PLAIN_TEXT = /[A-Za-z_$@<\u00a1-\uffff][^,:;{}[\]"\r\n“”]*/y;
const MEANT = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["none", "null"],
  ["nil", "null"],
  ["undefined", "null"],
  ["nan", "null"],
  ["infinity", "null"],
]);

/** A bare word or number in the place of a value. */
export function roughScalar(text: string, at: number): RoughToken | undefined {
  const number = endOfMatch(NUMBER_LIKE, text, at);
  if (number > at) return roughNumber(text, at, number);
  const word = endOfMatch(WORD, text, at);
  const meant = MEANT.get(text.slice(at, Math.min(word, at + 16)).toLowerCase());
  if (meant !== undefined)
    return replaced(text, at, word, meant, wording.notLiteral(text.slice(at, word), meant));
  let end = endOfMatch(PLAIN_TEXT, text, at);
  while (end > at && isSpace(text.charCodeAt(end - 1))) end--;
  if (end === at) return undefined;
  const plain = text.slice(at, end);
  return replaced(text, at, end, JSON.stringify(plain), wording.unquotedText(plain));
}

function roughNumber(text: string, at: number, end: number): RoughToken {
  const found = text.slice(at, end);
  const value = Number(found.replaceAll("_", "").replace(/^([-+])(?=0x)/i, ""));
  const zeros = /^[-+]?0\d/.test(found);
  if (!zeros && Number.isFinite(value)) {
    const sign = /^-0x/i.test(found) ? "-" : "";
    return replaced(text, at, end, sign + JSON.stringify(value), wording.badNumber(found));
  }
  if (/Infinity$/.test(found)) return replaced(text, at, end, "null", wording.notLiteral(found, "null"));
  // A date or a version without quotes is text; digits with leading zeros may be either, so a person decides.
  if (zeros && /^[-+\d.]+$/.test(found)) {
    return { end, value: found, problems: [{ wording: wording.badNumber(found), from: at, to: end }] };
  }
  return replaced(text, at, end, JSON.stringify(found), wording.badNumber(found));
}

const BARE_KEY = /[\w$@-][^\s,:;{}[\]"'`“”‘’=/#]*|[^\s!-~“”‘’]+/y;

/** A key without quotes. */
export function roughKey(text: string, at: number): RoughToken | undefined {
  const end = endOfMatch(BARE_KEY, text, at);
  if (end === at) return undefined;
  const key = text.slice(at, end);
  return { ...replaced(text, at, end, JSON.stringify(key), wording.unquotedKey(key)), value: key };
}

function replaced(text: string, from: number, to: number, write: string, said: Wording): RoughToken {
  return {
    end: to,
    value: text.slice(from, to),
    problems: [{ wording: said, from, to, edits: [{ from, to, text: write }] }],
  };
}

/** The end of a sticky match at `at`, or `at` if there is none. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
