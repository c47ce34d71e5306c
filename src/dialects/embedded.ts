/*
 * References that stand between marks inside a string: `${…}` in step plans, `{{…}}` in action plans.
 *
 *   A string that is exactly one reference keeps the value's type; inside a longer string the value becomes text.
 *   An odd number of backslashes before the opening mark makes it text; each pair of them is one backslash.
 *   White space at the two ends, inside the marks, is ignored.
 */
import type { Reference } from "../expr/reference.ts";
import type { Template, TextPart } from "../ir/template.ts";
import type { Spot } from "../source/diagnostic.ts";
import { type Place, placeAt, type Site } from "../source/place.ts";
import { unreadable } from "./lower-template.ts";

export interface EmbeddedSyntax {
  readonly open: string;
  readonly close: string;
  /** Does the mark at `at` begin a reference, or something that was meant as one? */
  begins(text: string, at: number): boolean;
  /** Reads the inside, `text.slice(from, to)`, where it is of the usual form and nothing is wrong with it. */
  readPlain(text: string, from: number, to: number, whole: string): Reference | undefined;
  /** Reads any inside; reports what is wrong with it and gives undefined then. */
  read(text: string, from: number, to: number, spot: Spot): Reference | undefined;
  /** The opening mark at the spot is never closed. */
  unclosed(text: string, spot: Spot): void;
}

const BACKSLASH = 92;

/** Undefined for a string that has no reference and no escape in it. */
export function readEmbedded(
  text: string,
  up: Place,
  key: Site["key"],
  syntax: EmbeddedSyntax,
): Template | undefined {
  let at = text.indexOf(syntax.open);
  if (at < 0) return undefined;
  if (at === 0 && text.endsWith(syntax.close)) {
    const whole = readWhole(text, up, key, syntax);
    if (whole !== undefined) return whole;
  }
  const parts: TextPart[] = [];
  let literal = "";
  let done = 0;
  let failed = false;
  for (; at >= 0; at = text.indexOf(syntax.open, at)) {
    const run = at;
    at = innermost(text, at, syntax.open);
    if (!syntax.begins(text, at)) {
      at += syntax.open.length;
      continue;
    }
    const backslashes = backslashesBefore(text, run, done);
    literal += text.slice(done, run - Math.ceil(backslashes / 2));
    if (backslashes % 2 === 1) {
      done = run;
      at += syntax.open.length;
      continue;
    }
    literal += text.slice(run, at);
    const close = findClose(text, at + syntax.open.length, syntax.close);
    if (close < 0) {
      syntax.unclosed(text, { place: placeAt(up, key), from: at, to: text.length });
      failed = true;
      done = at;
      break;
    }
    const end = close + syntax.close.length;
    const reference = read(text, at, end, up, key, syntax);
    if (reference === undefined) failed = true;
    else {
      if (literal !== "") parts.push(literal);
      literal = "";
      parts.push({ reference, from: at, to: end });
    }
    done = at = end;
  }
  literal += text.slice(done);
  if (failed)
    return parts.length > 0 || literal !== "" ? { kind: "text", parts, up, key } : unreadable(text, up, key);
  return assemble(parts, literal, text, up, key);
}

/** The usual case, that the string is one reference and nothing else, without the bookkeeping. */
function readWhole(text: string, up: Place, key: Site["key"], syntax: EmbeddedSyntax): Template | undefined {
  const { open, close } = syntax;
  if (text[open.length] === "{" || !syntax.begins(text, 0)) return undefined;
  if (findClose(text, open.length, close) + close.length !== text.length) return undefined;
  const reference = read(text, 0, text.length, up, key, syntax);
  return reference === undefined ? unreadable(text, up, key) : { kind: "reference", reference, up, key };
}

function assemble(
  parts: TextPart[],
  tail: string,
  text: string,
  up: Place,
  key: Site["key"],
): Template | undefined {
  if (parts.length === 0) return tail === text ? undefined : { kind: "constant", value: tail, up, key };
  const only = parts[0];
  if (parts.length === 1 && tail === "" && typeof only === "object") {
    return { kind: "reference", reference: only.reference, up, key };
  }
  if (tail !== "") parts.push(tail);
  // A list of just its length: programs keep many of these.
  return { kind: "text", parts: parts.slice(), up, key };
}

/** The reference whose marks are around it, at `start` and before `end`. */
function read(
  text: string,
  start: number,
  end: number,
  up: Place,
  key: Site["key"],
  syntax: EmbeddedSyntax,
): Reference | undefined {
  let from = start + syntax.open.length;
  let to = end - syntax.close.length;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (from < to && isSpace(text.charCodeAt(to - 1))) to--;
  const plain = syntax.readPlain(text, from, to, excerpt(text, start, end));
  return plain ?? syntax.read(text, from, to, { place: placeAt(up, key), from: start, to: end });
}

/** In `{{{a}}}` the inner pair is the mark. */
function innermost(text: string, at: number, open: string): number {
  if (open !== "{{") return at;
  let inner = at;
  while (text[inner + 2] === "{") inner++;
  return inner;
}

function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text.charCodeAt(at - count - 1) === BACKSLASH) count++;
  return count;
}

/** Longer quoted keys are not looked for, so that hostile text costs linear time. */
const QUOTED_KEY_MAX = 1_000;

/** The closing mark; one inside a quoted key, `["a}b"]`, does not count. */
function findClose(text: string, from: number, close: string): number {
  const end = text.indexOf(close, from);
  const key = end < 0 ? -1 : quotedKey(text, from, end);
  if (key < 0) return end;
  const closed = text.slice(key, key + QUOTED_KEY_MAX).indexOf('"]');
  return closed >= 0 && key + closed > end ? text.indexOf(close, key + closed) : end;
}

/** Where the first quoted key before `end` begins, behind its quote; -1 where there is none. */
function quotedKey(text: string, from: number, end: number): number {
  for (let at = from; at < end - 1; at++) {
    if (text.charCodeAt(at) === 91 && text.charCodeAt(at + 1) === 34) return at + 2;
  }
  return -1;
}

/** The end of `root` where the path from `from` to `to` begins with it, else -1. */
export function endOfRoot(text: string, from: number, to: number, root: string): number {
  const end = from + root.length;
  if (end > to || !text.startsWith(root, from)) return -1;
  const next = text[end];
  return end === to || next === "." || next === "[" ? end : -1;
}

const EXCERPT_MAX = 120;

/** What stands at the spot, short enough for a message. */
export function excerptAt(text: string, { from = 0, to = text.length }: Spot): string {
  return excerpt(text, from, to);
}

export function excerpt(text: string, from: number, to: number): string {
  if (from === 0 && to === text.length && to <= EXCERPT_MAX) return text;
  return text.slice(from, Math.min(to, from + EXCERPT_MAX));
}

/** The white space that is ignored at the two ends of a reference. */
export function isSpace(c: number): boolean {
  return c === 32 || (c >= 9 && c <= 13) || c === 0xa0 || c === 0xfeff;
}
