import { SequiturError } from "../base/error.ts";
import { isObject, type JsonObject } from "../base/json.ts";
import type { Collections } from "../drivers/driver.ts";
import { normaliseResult } from "../tools/normalise.ts";

/** Documents of the engine's store, to which defined context variables refer. */
export class Collection {
  readonly name: string;
  readonly #collections: Collections;

  constructor(name: string, collections: Collections) {
    if (typeof name !== "string" || name === "") {
      throw new SequiturError("INVALID_COLLECTION", "A collection needs a name.");
    }
    this.name = name;
    this.#collections = collections;
  }

  /** Adds a document; one with an `id` takes the place of the one that has that `id`. */
  async put(document: JsonObject): Promise<void> {
    this.#collections.put(this.name, objectOf(document, "A document"));
  }

  /** The documents that have exactly these fields, among others; without a query, all. */
  async find(query: JsonObject = {}): Promise<JsonObject[]> {
    return this.#collections.find(this.name, objectOf(query, "A query")).map(({ document }) => document);
  }

  /** How many were removed. To remove all, say so: `remove({})`. */
  async remove(query: JsonObject): Promise<number> {
    return this.#collections.remove(this.name, objectOf(query, "A query"));
  }
}

function objectOf(value: unknown, what: string): JsonObject {
  const object = isObject(value) ? normaliseResult(value) : undefined;
  if (isObject(object)) return object;
  throw new SequiturError("INVALID_DOCUMENT", `${what} must be an object.`);
}
