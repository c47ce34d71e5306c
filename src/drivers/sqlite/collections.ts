import type { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "../../base/json.ts";
import type { Collections, StoredDocument } from "../driver.ts";
import { idOf, matchesQuery } from "../query.ts";

const SQL = {
  add: "INSERT INTO documents (collection, version, body) VALUES (?, 1, ?)",
  find: "SELECT id, version, body FROM documents WHERE collection = ?",
  /** Only where nobody has written it since. */
  replace:
    "UPDATE documents SET body = ?, version = version + 1 WHERE id = ? AND collection = ? AND version = ?",
  overwrite: "UPDATE documents SET body = ?, version = version + 1 WHERE id = ?",
  remove: "DELETE FROM documents WHERE id = ?",
} as const;

interface DocumentRow {
  readonly id: number;
  readonly version: number;
  readonly body: string;
}

/** Documents as rows of JSON text. `together` makes what is done inside it one transaction; both explain what fails. */
export function sqliteCollections(
  database: DatabaseSync,
  together: (work: () => void) => void,
  guarded: <T>(read: () => T) => T,
): Collections {
  const find = (collection: string, query: JsonObject): StoredDocument[] => {
    const { sql, parameters } = narrow(query);
    const statement = `${SQL.find}${sql} ORDER BY id`;
    const rows = guarded(() =>
      database.prepare(statement).all(collection, ...parameters),
    ) as unknown as DocumentRow[];
    return rows
      .map(({ id, version, body }) => ({ key: id, version, document: JSON.parse(body) as JsonObject }))
      .filter(({ document }) => matchesQuery(document, query));
  };
  return {
    find,
    put(collection, document) {
      const body = JSON.stringify(document);
      const id = idOf(document);
      together(() => {
        const [same] = id === undefined ? [] : find(collection, id);
        if (same === undefined) database.prepare(SQL.add).run(collection, body);
        else database.prepare(SQL.overwrite).run(body, same.key);
      });
    },
    replace(collection, { key, version }, document) {
      let changes: number | bigint = 0;
      together(() => {
        ({ changes } = database.prepare(SQL.replace).run(JSON.stringify(document), key, collection, version));
      });
      return Number(changes) === 1;
    },
    remove(collection, query) {
      let count = 0;
      together(() => {
        for (const { key } of find(collection, query)) {
          database.prepare(SQL.remove).run(key);
          count++;
        }
      });
      return count;
    },
  };
}

/** The part of a query that the database can tell; what is left is compared document by document. */
function narrow(query: JsonObject): {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
} {
  let sql = "";
  const parameters: (string | number)[] = [];
  for (const [key, value] of Object.entries(query)) {
    const isPlain = typeof value === "string" || typeof value === "number";
    if (
      !isPlain ||
      /["\\\p{Cc}\p{Cs}]/u.test(key) ||
      (typeof value === "string" && /[\0\p{Cs}]/u.test(value))
    )
      continue;
    sql += " AND json_extract(body, ?) = ?";
    parameters.push(`$."${key}"`, value);
  }
  return { sql, parameters };
}
