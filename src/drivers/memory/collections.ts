import { cloneJson, type JsonObject } from "../../base/json.ts";
import type { Collections, StoredDocument } from "../driver.ts";
import { idOf, matchesQuery } from "../query.ts";

/** Documents for as long as the process lives. */
export function memoryCollections(): Collections {
  const collections = new Map<string, Map<number, StoredDocument>>();
  let nextKey = 1;
  const documentsOf = (collection: string): Map<number, StoredDocument> => {
    const known = collections.get(collection) ?? new Map<number, StoredDocument>();
    collections.set(collection, known);
    return known;
  };
  const find = (collection: string, query: JsonObject): StoredDocument[] => {
    const all = [...(collections.get(collection)?.values() ?? [])];
    return all.filter(({ document }) => matchesQuery(document, query));
  };
  return {
    find: (collection, query) =>
      find(collection, query).map((found) => ({ ...found, document: copy(found.document) })),
    put(collection, document) {
      const id = idOf(document);
      const [same] = id === undefined ? [] : find(collection, id);
      const key = same?.key ?? nextKey++;
      documentsOf(collection).set(key, { key, version: (same?.version ?? 0) + 1, document: copy(document) });
    },
    replace(collection, { key, version }, document) {
      if (collections.get(collection)?.get(key)?.version !== version) return false;
      documentsOf(collection).set(key, { key, version: version + 1, document: copy(document) });
      return true;
    },
    remove(collection, query) {
      const found = find(collection, query);
      for (const { key } of found) documentsOf(collection).delete(key);
      return found.length;
    },
  };
}

/** Nobody holds a document that somebody else can change. */
function copy(document: JsonObject): JsonObject {
  return cloneJson(document) as JsonObject;
}
