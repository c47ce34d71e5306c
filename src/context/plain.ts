import { type Json, type JsonObject, setOwn } from "../base/json.ts";
import type { ContextDeclarations } from "../ir/context-declarations.ts";

/** The values that context variables have when a run starts: what was given, or their defaults. */
export function initialValues(declarations: ContextDeclarations | undefined, given: JsonObject): JsonObject {
  const values: Record<string, Json> = {};
  for (const variable of declarations?.defined ?? []) setOwn(values, variable.name, variable.default ?? null);
  for (const variable of declarations?.runtime ?? []) setOwn(values, variable.name, variable.default ?? null);
  for (const variable of declarations?.derived ?? []) setOwn(values, variable.name, variable.default);
  for (const name of Object.keys(given)) setOwn(values, name, given[name] as Json);
  return values;
}

/** Variables without triggers: a table of values. */
export function plainContext(values: JsonObject) {
  const table = new Map<string, Json>(Object.entries(values));
  return {
    get: (name: string): Json | undefined => table.get(name),
    set: (name: string, value: Json) => {
      table.set(name, value);
      return [{ name, value }];
    },
    observe: () => NOTHING,
    values: (): JsonObject => Object.fromEntries(table),
    timers: () => NOTHING,
  };
}

const NOTHING: readonly never[] = [];
