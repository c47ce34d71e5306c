/** A JSON value. Everything a plan holds, a tool returns or a person answers is one of these. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray`, which does not narrow readonly lists by itself. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

const ownProperty = Object.prototype.hasOwnProperty;

/** Own properties only: the prototype of a value is never data. */
export function hasOwn(value: object, key: string): boolean {
  return ownProperty.call(value, key);
}

export function getOwn(value: JsonObject, key: string): Json | undefined {
  return ownProperty.call(value, key) ? value[key] : undefined;
}

/** Sets an own property, also for `__proto__`, which plain assignment would take for the prototype. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** A deep copy that shares nothing with the original. `undefined` and functions do not occur in JSON. */
export function cloneJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const copy = new Array<Json>(value.length);
    for (let i = 0; i < copy.length; i++) copy[i] = cloneJson(value[i] as Json);
    return copy;
  }
  // A spread copies all keys at once, `__proto__` like any other; then only what is nested is left to do.
  const copy: Record<string, Json> = { ...value };
  for (const key in copy) {
    const item = copy[key] as Json;
    if (typeof item === "object" && item !== null) setOwn(copy, key, cloneJson(item));
  }
  return copy;
}

/** Exact equality of JSON values: 1 is not true, "5" is not 5; the order of keys does not matter. */
export function equalJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i] as Json));
  }
  if (isList(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => hasOwn(b, key) && equalJson(a[key] as Json, b[key] as Json));
}

/** JSON text with sorted keys: equal values print equal bytes. */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`);
  return `{${entries.join(",")}}`;
}

/** What a value is called in messages. */
export function typeOf(value: Json): "null" | "boolean" | "number" | "string" | "list" | "object" {
  if (value === null) return "null";
  if (isList(value)) return "list";
  return typeof value as "boolean" | "number" | "string" | "object";
}
