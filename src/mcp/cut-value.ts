/*
 * Values for a reader with little room. What does not fit is cut where it is largest, says so in its place, and is listed with
 * the path under which `get_run` gives the rest.
 */
import type { Json, JsonObject } from "../index.ts";

export interface CutValue {
  readonly value: Json;
  readonly cut: readonly Cut[];
}

export interface Cut {
  readonly path: string;
  readonly shown: number;
  readonly of: number;
  readonly unit: "characters" | "items" | "keys";
}

/** How much of a text, and of a list or an object, is shown: what fits first is taken. */
const STEPS = [
  { characters: 2_000, items: 50 },
  { characters: 500, items: 20 },
  { characters: 200, items: 10 },
  { characters: 100, items: 5 },
  { characters: 40, items: 3 },
  { characters: 20, items: 1 },
];
const DEPTH_MAX = 12;

export function cutValue(value: Json, path: string, charactersMax: number): CutValue {
  if (JSON.stringify(value).length <= charactersMax) return { value, cut: [] };
  let last: CutValue = { value: null, cut: [] };
  for (const limits of STEPS) {
    const cut: Cut[] = [];
    last = { value: shorten(value, path, limits, cut, 0), cut };
    if (JSON.stringify(last.value).length <= charactersMax) return last;
  }
  const text = JSON.stringify(value);
  const shown = text.slice(0, charactersMax);
  return { value: `${shown}…`, cut: [{ path, shown: shown.length, of: text.length, unit: "characters" }] };
}

function shorten(
  value: Json,
  path: string,
  limits: { readonly characters: number; readonly items: number },
  cut: Cut[],
  depth: number,
): Json {
  if (typeof value === "string") {
    if (value.length <= limits.characters) return value;
    cut.push({ path, shown: limits.characters, of: value.length, unit: "characters" });
    return `${value.slice(0, limits.characters)}…`;
  }
  if (typeof value !== "object" || value === null) return value;
  const list = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  const entries = list === undefined ? Object.entries(value as JsonObject) : [...list.entries()];
  const most = depth >= DEPTH_MAX ? 0 : list === undefined ? Math.max(limits.items, 20) : limits.items;
  if (entries.length > most)
    cut.push({ path, shown: most, of: entries.length, unit: list === undefined ? "keys" : "items" });
  const shown = entries
    .slice(0, most)
    .map(([key, item]) => [key, shorten(item, join(path, key), limits, cut, depth + 1)] as const);
  if (list === undefined) return Object.fromEntries(shown);
  return shown.map(([, item]) => item);
}

function join(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  const plain = /^[A-Za-z_][\w-]*$/.test(key);
  if (!plain) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The part of a value that a path names: `steps.find.result.items[3]`, `x["a b"]`. Undefined where there is none. */
export function valueAt(root: Json, path: string): Json | undefined {
  let value: Json | undefined = root;
  for (const key of keysOf(path)) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(key)];
    else if (typeof value === "object" && value !== null && Object.hasOwn(value, key))
      value = (value as JsonObject)[key];
    else return undefined;
  }
  return value;
}

function keysOf(path: string): string[] {
  return [...path.matchAll(/\[("(?:[^"\\]|\\.)*"|\d+)\]|([^.[\]]+)/g)].map(([, bracket, plain]) => {
    if (bracket === undefined) return plain ?? "";
    return bracket.startsWith('"') ? (JSON.parse(bracket) as string) : bracket;
  });
}
