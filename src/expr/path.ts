/*
 * Paths: the one way to reach into a value, for all languages.
 *
 *   path    = { "." key | "." "*" | "[" index "]" | "[" "*" "]" | "[" quoted "]" }
 *   key     = one or more characters, none of . [ ] { } "
 *   index   = "0" | digit from 1 to 9, { digit }
 *   quoted  = a JSON string, for keys that hold one of those characters
 *
 * On a list, `.0` is an index and `length`, `first`, `last` are attributes. On an object every key is a key, so
 * an object's own `length` wins. Own properties only.
 */
import type { Json } from "../base/json.ts";
import { getOwn, isList, isObject, typeOf } from "../base/json.ts";

/** Segments: a string is a key (`"*"` the wildcard), a number is an index in brackets. */
export type Path = readonly (string | number)[];

export const WILDCARD = "*";

/** `message` completes a sentence such as "… is not a path: <message>"; `at` is an offset in the text. */
export interface PathProblem {
  readonly message: string;
  readonly at: number;
}

const DOT = 46;
const OPEN = 91;
const CLOSE = 93;
const ZERO = 48;
const NINE = 57;

const NO_PATH: Path = [];

/** Segments of the path at hand. Paths are many, short and kept, so each gets a list of just its length, made from this. */
const segments: (string | number)[] = [];

/** Parses `text` from `from` up to `to`, which begins with `.` or `[` or is empty. */
export function parsePath(text: string, from: number, to: number): Path | PathProblem {
  if (from === to) return NO_PATH;
  let count = 0;
  let at = from;
  while (at < to) {
    const c = text.charCodeAt(at);
    if (c === DOT) {
      const end = endOfKey(text, at + 1, to);
      if (end === at + 1) return { message: "a key is missing after the dot", at };
      segments[count++] = text.slice(at + 1, end);
      at = end;
    } else if (c === OPEN) {
      const close = closeOfBracket(text, at, to);
      if (close < 0) return { message: `"[" is never closed`, at };
      const segment = bracketSegment(text, at + 1, close);
      if (segment === undefined) {
        return {
          message: `"${text.slice(at, close + 1)}" is not an index (0, 1, 2 …), [*] or a quoted key`,
          at,
        };
      }
      segments[count++] = segment;
      at = close + 1;
    } else {
      return { message: `"${text[at]}" cannot stand here; write "." or "[" before the next part`, at };
    }
  }
  // Nearly all paths are this short, and a literal is made faster than a copy.
  if (count === 1) return single(segments[0] as string | number);
  if (count === 2) return [segments[0] as string | number, segments[1] as string | number];
  return segments.slice(0, count);
}

let recent: Path = [""];

/** Plans ask for the same key again and again: paths of one segment are shared with the last such path. */
function single(segment: string | number): Path {
  if (recent[0] !== segment) recent = [segment];
  return recent;
}

export function isPathProblem(result: Path | PathProblem): result is PathProblem {
  return !isList(result);
}

function endOfKey(text: string, from: number, to: number): number {
  let at = from;
  for (; at < to; at++) {
    const c = text.charCodeAt(at);
    if (c === DOT || c === OPEN || c === CLOSE || c === 123 || c === 125 || c === 34) break;
  }
  return at;
}

/** The `]` that closes the `[` at `open`; brackets inside a quoted key do not count. */
function closeOfBracket(text: string, open: number, to: number): number {
  let at = open + 1;
  if (text.charCodeAt(at) === 34) {
    for (at++; at < to && text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
  }
  for (; at < to; at++) if (text.charCodeAt(at) === CLOSE) return at;
  return -1;
}

function bracketSegment(text: string, from: number, to: number): string | number | undefined {
  // Nearly all indices are single digits.
  const digit = text.charCodeAt(from) - ZERO;
  if (to === from + 1 && digit >= 0 && digit <= 9) return digit;
  const inside = text.slice(from, to);
  if (inside === WILDCARD) return WILDCARD;
  if (isIndex(inside)) return Number(inside);
  if (!inside.startsWith('"')) return undefined;
  try {
    const key: unknown = JSON.parse(inside);
    return typeof key === "string" && key !== WILDCARD ? key : undefined;
  } catch {
    return undefined;
  }
}

/** `0`, `7`, `10`, but not `01`, `-1`, `1.5`, and nothing past the safe integers. */
export function isIndex(text: string): boolean {
  const n = text.length;
  if (n === 0 || n > 15) return false;
  for (let i = 0; i < n; i++) {
    const c = text.charCodeAt(i);
    if (c < ZERO || c > NINE) return false;
  }
  return n === 1 || text.charCodeAt(0) !== ZERO;
}

export function printPath(path: Path): string {
  let out = "";
  for (const segment of path) {
    if (typeof segment === "number") out += `[${segment}]`;
    else if (segment === WILDCARD) out += "[*]";
    else
      out +=
        /^[^.[\]{}"]+$/.test(segment) && segment.trim() === segment
          ? `.${segment}`
          : `[${JSON.stringify(segment)}]`;
  }
  return out;
}

/** The value at `path` below `value`, or undefined where there is none; `explainMissing` says why. */
export function walk(value: Json, path: Path, start = 0): Json | undefined {
  let at: Json | undefined = value;
  for (let i = start; i < path.length; i++) {
    const segment = path[i] as string | number;
    if (segment === WILDCARD) return isList(at) ? walkEach(at, path, i + 1) : undefined;
    at = step(at, segment);
    if (at === undefined) return undefined;
  }
  return at;
}

function step(value: Json, segment: string | number): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isList(value)) return typeof segment === "number" ? value[segment] : listAttribute(value, segment);
  if (typeof segment !== "string") return undefined;
  const found = value[segment];
  // All that an object inherits is functions, which JSON has none of, and its prototype: asking first would cost twice.
  return typeof found === "function" || segment === "__proto__" ? getOwn(value, segment) : found;
}

function listAttribute(list: readonly Json[], key: string): Json | undefined {
  if (key === "length") return list.length;
  if (key === "first") return list.length === 0 ? null : list[0];
  if (key === "last") return list.length === 0 ? null : list[list.length - 1];
  return isIndex(key) ? list[Number(key)] : undefined;
}

/** What follows a wildcard maps: items that lack it are dropped; a further wildcard flattens. */
function walkEach(items: readonly Json[], path: Path, start: number): Json | undefined {
  let values: readonly Json[] = items;
  for (let i = start; i < path.length; i++) {
    const segment = path[i] as string | number;
    const next: Json[] = [];
    for (const value of values) {
      if (segment === WILDCARD) {
        if (isList(value)) for (const inner of value) next.push(inner);
        else if (value !== null) return undefined;
      } else {
        const found = step(value, segment);
        if (found !== undefined) next.push(found);
      }
    }
    values = next;
  }
  return values.slice();
}

/** Why `walk` found nothing: a sentence that names what was there instead. */
export function explainMissing(value: Json, path: Path): string {
  let at: Json = value;
  for (let i = 0; i < path.length; i++) {
    const segment = path[i] as string | number;
    const here = i === 0 ? "the value" : `"${printPath(path.slice(0, i)).replace(/^\./, "")}"`;
    if (segment === WILDCARD) {
      if (!isList(at)) return `${here} is ${article(at)}, not a list, so "[*]" cannot map over it`;
      return `an item of ${here} is not a list, so the next "[*]" cannot map over it`;
    }
    const next = step(at, segment);
    if (next === undefined) return missingStep(at, segment, here);
    at = next;
  }
  return "nothing is missing";
}

function missingStep(value: Json, segment: string | number, here: string): string {
  if (value === null) return `${here} is null, so there is no "${segment}" in it`;
  if (isList(value)) {
    const wanted = typeof segment === "number" || isIndex(segment);
    if (!wanted)
      return `${here} is a list, which has no "${segment}" (it has length, first, last and indices)`;
    return `index ${segment} is out of bounds: ${here} has ${value.length} item${value.length === 1 ? "" : "s"}`;
  }
  if (isObject(value)) {
    if (typeof segment === "number") return `${here} is an object, not a list, so it has no [${segment}]`;
    const keys = Object.keys(value).slice(0, 8);
    return `${here} has no key "${segment}"${keys.length > 0 ? ` (it has ${keys.join(", ")})` : " (it is empty)"}`;
  }
  return `${here} is ${article(value)}, which has no "${segment}"`;
}

function article(value: Json): string {
  const type = typeOf(value);
  return type === "null" ? "null" : type === "object" ? "an object" : `a ${type}`;
}
