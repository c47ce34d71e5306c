import type { Json } from "../base/json.ts";
import { getOwn, isList, isObject } from "../base/json.ts";

/**
 * Where a value stands in a document: a linked list of keys from the value up to the root, so that walking a
 * plan costs one small object a level and nothing is rendered until there is something to report.
 */
export interface Place {
  readonly up: Place | undefined;
  readonly key: string | number;
  /** The document the place is in. Agents are separate documents of one compilation. */
  readonly document: SourceDocument;
}

/** One text (or parsed value) that takes part in a compilation. `text` is there when positions can be told. */
export interface SourceDocument {
  readonly file: string | undefined;
  readonly text: string | undefined;
  readonly value: Json;
}

export function rootPlace(document: SourceDocument): Place {
  return { up: undefined, key: "", document };
}

export function below(up: Place, key: string | number): Place {
  return { up, key, document: up.document };
}

/**
 * Where a value stands, told by what is around it: at `key` below `up`, or, without a key, at `up` itself.
 * Values are many and few are ever reported, so that most need no place of their own.
 */
export interface Site {
  readonly up: Place;
  readonly key: string | number | undefined;
}

export function placeAt(up: Place, key: Site["key"]): Place {
  return key === undefined ? up : below(up, key);
}

/** The keys from the root down to the place. */
export function keysOf(place: Place): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = place; at.up !== undefined; at = at.up) keys.push(at.key);
  return keys.reverse();
}

/** RFC 6901: `/steps/0/params/a~1b`. */
export function pointerOf(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The value at the place, or undefined where the document has none. */
export function valueAt(place: Place): Json | undefined {
  let value: Json | undefined = place.document.value;
  for (const key of keysOf(place)) {
    if (value === undefined) return undefined;
    if (isList(value)) value = typeof key === "number" ? value[key] : undefined;
    else value = isObject(value) ? getOwn(value, String(key)) : undefined;
  }
  return value;
}
