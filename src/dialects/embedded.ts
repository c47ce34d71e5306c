/*
 * References that stand between marks inside a string: `${…}` in step plans, `{{…}}` in action plans.
 *
 *   A string that is exactly one reference keeps the value's type; inside a longer string the value becomes text.
 *   An odd number of backslashes before the opening mark makes it text; each pair of them is one backslash.
 *   White space at the two ends, inside the marks, is ignored.
 */
import type { Reference } from "../expr/reference.ts";
import { type ReferenceTemplate, referenceTemplate, type Template, type TextPart } from "../ir/template.ts";
import type { Spot } from "../source/diagnostic.ts";
import { type Place, placeAt, type Site } from "../source/place.ts";
import { unreadable } from "./lower-template.ts";

export interface EmbeddedSyntax {
  readonly open: string;
  readonly close: string;
  /** Does the mark at `at` begin a reference, or something that was meant as one? */
  begins(text: string, at: number): boolean;
  /** Reads the inside, `text.slice(from, to)`, where it is of the usual form and nothing is wrong with it. */
  readPlain(
    text: string,
    from: number,
    to: number,
    whole: string,
    up: Place,
    key: Site["key"],
  ): ReferenceTemplate | undefined;
  /** Reads any inside; reports what is wrong with it and gives undefined then. */
  read(text: string, from: number, to: number, spot: Spot): Reference | undefined;
  /** The opening mark at the spot is never closed. */
  unclosed(text: string, spot: Spot): void;
}

const BACKSLASH = 92;
const DOT = 46;
const BRACKET = 91;
const BRACE = 123;

/** Parts of the text at hand. Texts are many and kept, so that each gets a list of just its length. */
const parts: TextPart[] = [];

/** Undefined for a string that has no reference and no escape in it. */
export function readEmbedded(
  text: string,
  up: Place,
  key: Site["key"],
  syntax: EmbeddedSyntax,
): Template | undefined {
  const first = text.indexOf(syntax.open);
  if (first < 0) return undefined;
  return readPlainText(text, first, up, key, syntax) ?? readCarefully(text, first, up, key, syntax);
}

/** A text with plain references in it; undefined for any other. */
function readPlainText(
  text: string,
  first: number,
  up: Place,
  key: Site["key"],
  syntax: EmbeddedSyntax,
): Template | undefined {
  let count = 0;
  let done = 0;
  for (let at = first; at >= 0; at = text.indexOf(syntax.open, done)) {
    const close = text.indexOf(syntax.close, at);
    if (close < 0 || (at > 0 && text.charCodeAt(at - 1) === BACKSLASH)) return undefined;
    const end = close + syntax.close.length;
    const reference = readInside(text, at, end, up, key, syntax);
    if (reference === undefined) return undefined;
    if (at > done) parts[count++] = text.slice(done, at);
    parts[count++] = { reference, from: at, to: end };
    done = end;
  }
  if (done < text.length) parts[count++] = text.slice(done);
  return textOf(count, up, key);
}

/** The same for all texts, with what can be wrong with them. */
function readCarefully(
  text: string,
  first: number,
  up: Place,
  key: Site["key"],
  syntax: EmbeddedSyntax,
): Template | undefined {
  let count = 0;
  let literal = "";
  let done = 0;
  let failed = false;
  for (let at = first; at >= 0; at = text.indexOf(syntax.open, at)) {
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
    const end = close < 0 ? text.length : close + syntax.close.length;
    const spot = { place: placeAt(up, key), from: at, to: end };
    if (close < 0) {
      syntax.unclosed(text, spot);
      failed = true;
      done = at;
      break;
    }
    const reference = readInside(text, at, end, up, key, syntax, spot);
    if (reference === undefined) failed = true;
    else {
      if (literal !== "") parts[count++] = literal;
      literal = "";
      parts[count++] = { reference, from: at, to: end };
    }
    done = at = end;
  }
  literal += text.slice(done);
  if (failed && count === 0 && literal === "") return unreadable(text, up, key);
  if (failed) return { kind: "text", parts: parts.slice(0, count), up, key };
  if (count === 0) return literal === text ? undefined : { kind: "constant", value: literal, up, key };
  if (literal !== "") parts[count++] = literal;
  return textOf(count, up, key);
}

function textOf(count: number, up: Place, key: Site["key"]): Template {
  const first = parts[0];
  if (count === 1 && typeof first === "object") return first.reference;
  return { kind: "text", parts: parts.slice(0, count), up, key };
}

/** The reference between the marks at `start` and before `end`; without a spot, only a plain one. */
function readInside(
  text: string,
  start: number,
  end: number,
  up: Place,
  key: Site["key"],
  syntax: EmbeddedSyntax,
  spot?: Spot,
): ReferenceTemplate | undefined {
  let from = start + syntax.open.length;
  let to = end - syntax.close.length;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (from < to && isSpace(text.charCodeAt(to - 1))) to--;
  const plain = syntax.readPlain(text, from, to, excerpt(text, start, end), up, key);
  if (plain !== undefined || spot === undefined) return plain;
  const reference = syntax.read(text, from, to, spot);
  return reference && referenceTemplate(reference, up, key);
}

/** In `{{{a}}}` the inner pair is the mark. */
function innermost(text: string, at: number, open: string): number {
  if (open !== "{{") return at;
  let inner = at;
  while (text.charCodeAt(inner + 2) === BRACE) inner++;
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
  const next = text.charCodeAt(end);
  return end === to || next === DOT || next === BRACKET ? end : -1;
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
