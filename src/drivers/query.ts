import { equalJson, getOwn, type Json, type JsonObject } from "../base/json.ts";

/** Has the document every field of the query, with exactly that value? An empty query asks for all. */
export function matchesQuery(document: JsonObject, query: JsonObject): boolean {
  return Object.keys(query).every((key) => {
    const value = getOwn(document, key);
    return value !== undefined && equalJson(value, query[key] as Json);
  });
}

/** What tells a document apart from all others, where it says so itself. */
export function idOf(document: JsonObject): JsonObject | undefined {
  const id = getOwn(document, "id");
  return typeof id === "string" || typeof id === "number" ? { id } : undefined;
}
