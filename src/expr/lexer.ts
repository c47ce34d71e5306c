/*
 * The words of an expression.
 *
 *   name       = letter or "_", { letter | digit | "_" | "-" }, path      (no white space before the path)
 *   reference  = "REF:", { letter | digit | "_" | "-" }, path
 *   path       = { "." key | "." "*" | "[" index "]" | "[" "*" "]" | "[" quoted "]" }
 *   key        = characters other than white space , ( ) { } [ ] . " ' = < > ! :  and up to the next && or ||
 *   number     = a JSON number, negative ones too
 *   string     = in either quote; escapes \n \t \r \b \f \\ \" \' \/ \uXXXX; a raw line break may stand in it
 *   mark       = ( ) { } [ ] , : = == != < <= > >= ! && ||
 *
 * `nextToken` is a pure function of the text and an offset; every token is read once, so lexing is linear.
 */
import type { Path } from "./path.ts";
import { isPathProblem, parsePath } from "./path.ts";
import { ExpressionSyntaxError, excerpt } from "./syntax-problem.ts";

export type Token = TokenKind & { readonly from: number; readonly to: number };

type TokenKind =
  | { readonly kind: "name"; readonly name: string; readonly path: Path }
  | { readonly kind: "reference"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "mark"; readonly mark: string }
  | { readonly kind: "end" };

/** Words of their own, not names. */
export const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null", "and", "or", "not"]);

const SPACE = /\s*/y;
const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_-]*/uy;
const CONTEXT = /[\p{L}\p{M}\p{N}_-]*/uy;
const KEY = /(?:(?!&&|\|\|)[^\s,(){}[\].'"=<>!:])*/uy;
const UNQUOTED_BRACKET = /[^\s,(){}[\]'"]*/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const AFTER_NUMBER = /[\p{L}\p{M}\p{N}_.-]*/uy;
const MARK = /==|!=|<=|>=|&&|\|\||[(){}[\],:=<>!]/y;

/** The offset after what `pattern`, which is sticky, matches at `at`; `at` itself where it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

export function isName(text: string): boolean {
  return text !== "" && skip(NAME, text, 0) === text.length;
}

/** Whether `.key` says this key, or it needs brackets and quotes. */
export function isPlainKey(key: string): boolean {
  return key !== "" && skip(KEY, key, 0) === key.length;
}

export function nextToken(text: string, at: number): Token {
  const from = skip(SPACE, text, at);
  if (from >= text.length) return { kind: "end", from: text.length, to: text.length };
  const nameEnd = skip(NAME, text, from);
  if (nameEnd > from) {
    return text.startsWith("REF:", from) ? referenceToken(text, from) : nameToken(text, from, nameEnd);
  }
  const first = text[from];
  if (first === '"' || first === "'") return stringToken(text, from);
  const numberEnd = skip(NUMBER, text, from);
  if (numberEnd > from) return numberToken(text, from, numberEnd);
  const markEnd = skip(MARK, text, from);
  if (markEnd > from) return { kind: "mark", mark: text.slice(from, markEnd), from, to: markEnd };
  throw unexpectedCharacter(text, from);
}

function unexpectedCharacter(text: string, at: number): ExpressionSyntaxError {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  let hint = "put text in quotes";
  if (character === ".")
    hint = 'a path follows a name directly; for other values write get_object_property(value, "path")';
  if ("+-*/%".includes(character)) hint = "there is no arithmetic in expressions; sum([a, b]) adds";
  return new ExpressionSyntaxError(`"${character}" cannot stand here; ${hint}`, at, at + character.length);
}

function nameToken(text: string, from: number, nameEnd: number): Token {
  const to = endOfPath(text, nameEnd);
  const path = parsePath(text, nameEnd, to);
  if (!isPathProblem(path)) return { kind: "name", name: text.slice(from, nameEnd), path, from, to };
  throw new ExpressionSyntaxError(
    `"${excerpt(text.slice(from, to))}" is not a path: ${excerpt(path.message, 200)}`,
    path.at,
    to,
  );
}

/** The longest text that can belong to the reference, malformed or not: whoever binds it says what is wrong with it. */
function referenceToken(text: string, from: number): Token {
  const to = endOfPath(text, skip(CONTEXT, text, from + "REF:".length));
  return { kind: "reference", text: text.slice(from, to), from, to };
}

function endOfPath(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === ".") at = skip(KEY, text, at + 1);
    else if (text[at] === "[") at = endOfBracket(text, at);
    else return at;
  }
}

function endOfBracket(text: string, open: number): number {
  let at = open + 1;
  if (text[at] === '"') {
    for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    at = Math.min(at + 1, text.length);
  } else {
    at = skip(UNQUOTED_BRACKET, text, at);
  }
  return text[at] === "]" ? at + 1 : at;
}

function numberToken(text: string, from: number, numberEnd: number): Token {
  const to = skip(AFTER_NUMBER, text, numberEnd);
  const written = text.slice(from, to);
  if (to > numberEnd) {
    throw new ExpressionSyntaxError(`"${excerpt(written)}" is not a number; put text in quotes`, from, to);
  }
  const value = Number(written);
  if (!Number.isFinite(value))
    throw new ExpressionSyntaxError(`${excerpt(written)} is too large a number`, from, to);
  // JSON text has no way back to -0, so there is none here.
  return { kind: "number", value: value + 0, from, to };
}

function stringToken(text: string, from: number): Token {
  const quote = text[from];
  let value = "";
  let chunk = from + 1;
  for (let at = chunk; at < text.length; at++) {
    const c = text[at];
    if (c === quote) return { kind: "string", value: value + text.slice(chunk, at), from, to: at + 1 };
    if (c !== "\\") continue;
    const escaped = escapeAt(text, at);
    if (escaped === undefined) throw unknownEscape(text, at);
    value += text.slice(chunk, at) + escaped;
    chunk = at + escapeLength(text, at);
    at = chunk - 1;
  }
  const message = `the string that begins with ${excerpt(text.slice(from))} is never closed; end it with ${quote}`;
  throw new ExpressionSyntaxError(message, from, text.length);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
  ["/", "/"],
]);
const UNICODE = /[0-9a-fA-F]{4}/y;

function escapeLength(text: string, at: number): number {
  return text[at + 1] === "u" ? 6 : 2;
}

function escapeAt(text: string, at: number): string | undefined {
  const letter = text[at + 1];
  if (letter === undefined) return undefined;
  if (letter !== "u") return ESCAPES.get(letter);
  if (skip(UNICODE, text, at + 2) !== at + 6) return undefined;
  return String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16));
}

function unknownEscape(text: string, at: number): ExpressionSyntaxError {
  const written = text.slice(at, at + 2);
  const message = `"${written}" is not an escape; there are \\n \\t \\r \\b \\f \\\\ \\" \\' \\/ and \\uXXXX (a backslash is \\\\)`;
  return new ExpressionSyntaxError(message, at, Math.min(at + 2, text.length));
}

/** For each character of a string token's value, and for its end, the offset in `text` where it is written. */
export function offsetsInString(text: string, from: number, to: number): readonly number[] {
  const offsets: number[] = [];
  for (let at = from + 1; at < to - 1; at += text[at] === "\\" ? escapeLength(text, at) : 1) offsets.push(at);
  offsets.push(to - 1);
  return offsets;
}
