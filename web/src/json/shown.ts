/*
 * JSON values as far as they are shown. A value may be a string of ten megabytes, a list of a million items or a nest ten
 * thousand levels deep: what is made of it here is small, and the rest is fetched where somebody looks.
 */
import type { Json } from "../../../src/compiler.ts";

export type Path = readonly (string | number)[];

export type Shown =
  | { readonly kind: "scalar"; readonly value: number | boolean | null }
  /** `text` is the beginning where the string has more characters. */
  | { readonly kind: "string"; readonly text: string; readonly length: number }
  /** `entries` are the first of `length`. */
  | { readonly kind: "list" | "object"; readonly length: number; readonly entries: readonly Entry[] };

export interface Entry {
  readonly key: string | number;
  readonly value: Shown;
}

/** Characters of a string. */
const TEXT_MAX = 300;
/** Entries of one list or object, all entries together, and levels. */
const ENTRIES_MAX = 100;
const BUDGET = 2_000;
const DEPTH_MAX = 8;

export function shown(value: Json, from = 0): Shown {
  return show(value, { left: BUDGET }, 0, from);
}

function show(value: Json, budget: { left: number }, depth: number, from: number): Shown {
  if (typeof value === "string")
    return { kind: "string", text: cutText(value, TEXT_MAX), length: value.length };
  if (typeof value !== "object" || value === null) return { kind: "scalar", value };
  const isList = Array.isArray(value);
  const keys = isList ? undefined : Object.keys(value);
  const length = keys?.length ?? (value as readonly Json[]).length;
  const entries: Entry[] = [];
  const end = depth >= DEPTH_MAX ? from : Math.min(length, from + ENTRIES_MAX);
  for (let i = from; i < end && budget.left > 0; i++) {
    budget.left--;
    const key = keys?.[i] ?? i;
    entries.push({
      key,
      value: show((value as Record<string | number, Json>)[key] as Json, budget, depth + 1, 0),
    });
  }
  return { kind: isList ? "list" : "object", length, entries };
}

/** Never in the middle of a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const code = text.charCodeAt(max - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? max - 1 : max);
}

/** The value at a path; null where there is none. */
export function valueAt(value: Json, path: Path): Json {
  let at: Json = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return null;
    at = (at as Record<string | number, Json>)[key] as Json;
  }
  return at;
}

const FOUND_MAX = 500;

/** Paths of the keys and scalars that hold a text, whatever its case. A list instead of recursion: nests are deep. */
export function pathsWith(value: Json, text: string): Path[] {
  const wanted = text.toLowerCase();
  const found: Path[] = [];
  const stack: { readonly value: Json; readonly path: Path }[] = [{ value, path: [] }];
  for (let at = stack.pop(); at !== undefined && found.length < FOUND_MAX; at = stack.pop()) {
    const { value: here, path } = at;
    const key = path.at(-1);
    const inKey = typeof key === "string" && key.toLowerCase().includes(wanted);
    const isScalar = typeof here !== "object" || here === null;
    if (inKey || (isScalar && String(here).toLowerCase().includes(wanted))) found.push(path);
    if (isScalar) continue;
    const keys = Array.isArray(here) ? [...here.keys()] : Object.keys(here);
    for (const next of keys.reverse())
      stack.push({ value: (here as Record<string | number, Json>)[next] as Json, path: [...path, next] });
  }
  return found;
}

/** As JSON text, or a string as it is. */
export function textOf(value: Json): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return "This value is nested too deep to be written out.";
  }
}
