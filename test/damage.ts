import { isList, isObject, type Json, setOwn } from "../src/base/json.ts";

/**
 * The value with one part changed: the choices lead down to the part, and the last one says how. Deterministic, so that
 * fast-check can shrink it.
 */
export function damaged(value: Json, choices: readonly number[], other: Json): Json {
  const [choice = 0, ...rest] = choices;
  if (rest.length === 0) return replaced(value, choice, other);
  if (isList(value) && value.length > 0) {
    const at = choice % value.length;
    return value.map((item, i) => (i === at ? damaged(item, rest, other) : item));
  }
  if (!isObject(value)) return replaced(value, choice, other);
  const keys = Object.keys(value);
  const at = keys[choice % Math.max(1, keys.length)];
  const copy: Record<string, Json> = {};
  for (const key of keys)
    setOwn(copy, key, key === at ? damaged(value[key] as Json, rest, other) : (value[key] as Json));
  return copy;
}

function replaced(value: Json, choice: number, other: Json): Json {
  if (typeof value === "string") return damagedText(value, choice);
  if (isList(value)) return choice % 2 === 0 ? [...value, other] : value.slice(1);
  if (!isObject(value)) return other;
  const entries = Object.entries(value);
  const at = choice % Math.max(1, entries.length);
  if (choice % 3 === 0) entries.splice(at, 1);
  else if (choice % 3 === 1)
    entries[at] = [damagedText(entries[at]?.[0] ?? "", choice), entries[at]?.[1] ?? null];
  else entries[at] = [entries[at]?.[0] ?? "x", other];
  const copy: Record<string, Json> = {};
  for (const [key, item] of entries) setOwn(copy, key, item);
  return copy;
}

/** One character missing, doubled, changed, or swapped with the next. */
export function damagedText(text: string, choice: number): string {
  if (text === "") return "x";
  const at = choice % text.length;
  const before = text.slice(0, at);
  const after = text.slice(at + 1);
  const c = text.charAt(at);
  switch (Math.floor(choice / text.length) % 4) {
    case 0:
      return before + after;
    case 1:
      return before + c + c + after;
    case 2:
      return `${before}{${after}`;
    default:
      return before + after.slice(0, 1) + c + after.slice(1);
  }
}
