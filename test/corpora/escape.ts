import { isList, type Json, setOwn } from "../../src/base/json.ts";

/** Rewrites every string inside a value, keys excepted. */
export function mapStrings(value: Json, change: (text: string) => Json): Json {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item) => mapStrings(item, change));
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setOwn(copy, key, mapStrings(item, change));
  return copy;
}

/** Text that means itself in an action plan, whatever it looks like. */
export function literalInActions(text: string): string {
  return text.replace(/(\\*)\{\{/g, (_, slashes: string) => `${slashes}${slashes}\\{{`);
}

/** Text that means itself in a step plan. */
export function literalInSteps(text: string): string {
  return text.replace(/(\\*)\$\{/g, (_, slashes: string) => `${slashes}${slashes}\\\${`);
}
