/* Defined context variables: fields of documents, read when a run starts and written back when they are set. */
import { describe, quote, withArticle } from "../base/describe.ts";
import { SequiturError } from "../base/error.ts";
import { equalJson, getOwn, isObject, type Json, type JsonObject, setOwn } from "../base/json.ts";
import { fitsType } from "../context/value-type.ts";
import type { Collections } from "../drivers/driver.ts";
import { walk } from "../expr/path.ts";
import type { ContextDeclarations, DefinedVariable } from "../ir/context-declarations.ts";
import { fillTemplate } from "../ir/fill-template.ts";

export interface DefinedValues {
  readonly values: JsonObject;
  /** Why the run cannot start with these: values that are required, or not of their type. */
  readonly problems: readonly string[];
}

/** What the store has for the variables that nobody gave a value for. */
export function readDefined(
  declarations: ContextDeclarations | undefined,
  args: JsonObject,
  given: JsonObject,
  collections: Collections,
): DefinedValues {
  const values: Record<string, Json> = {};
  const problems: string[] = [];
  for (const variable of declarations?.defined ?? []) {
    if (getOwn(given, variable.name) !== undefined) continue;
    const search = searchOf(variable, args);
    const found = search && collections.find(variable.collection, search)[0];
    const stored = found && fieldOf(found.document, variable.field);
    const value = stored ?? variable.default ?? null;
    const problem = problemOf(variable, value, search);
    if (problem !== undefined) problems.push(problem);
    setOwn(values, variable.name, value);
  }
  return { values, problems };
}

function problemOf(
  variable: DefinedVariable,
  value: Json,
  search: JsonObject | undefined,
): string | undefined {
  const { name, typeName, required, collection, field } = variable;
  const where = `field "${field}" of the collection "${collection}"`;
  if (value === null && required) {
    const looked =
      search === undefined
        ? "what to search by is null"
        : `nothing there for ${quote(JSON.stringify(search))}`;
    return `The context variable "${name}" is required, and ${where} has no value: ${looked}`;
  }
  if (fitsType(value, typeName)) return undefined;
  return `The context variable "${name}" must be ${withArticle(typeName)}, but ${where} is ${describe(value)}`;
}

/** What the document is found by; undefined where a part of it is null, which finds nothing. */
function searchOf({ searchBy }: DefinedVariable, args: JsonObject): JsonObject | undefined {
  const search = fillTemplate(searchBy, args, ({ path }) => walk(args, path) ?? null);
  return isObject(search) && Object.values(search).every((value) => value !== null) ? search : undefined;
}

/** An own key, or else a path: `address.city`. */
function fieldOf(document: JsonObject, field: string): Json | undefined {
  return getOwn(document, field) ?? walk(document, field.split("."));
}

function withField(document: JsonObject, field: string, value: Json): JsonObject {
  const copy: Record<string, Json> = { ...document };
  const [head = "", ...rest] = field.split(".");
  const inner = getOwn(document, head);
  const isPath = rest.length > 0 && getOwn(document, field) === undefined;
  if (!isPath) setOwn(copy, field, value);
  else setOwn(copy, head, withField(isObject(inner) ? inner : {}, rest.join("."), value));
  return copy;
}

/** Somebody else had written the field since this run read or wrote it. */
export interface LostUpdate {
  readonly variable: string;
  readonly collection: string;
  readonly field: string;
  readonly overwritten: Json;
}

/** So often another writer may come in between. */
const TRIES_MAX = 100;

/** Writes one field and leaves the others as they are. The last writer wins; what it overwrites unseen is reported. */
export function writeDefined(
  variable: DefinedVariable,
  args: JsonObject,
  seen: Json,
  value: Json,
  collections: Collections,
): LostUpdate | undefined {
  const { name, collection, field } = variable;
  const search = searchOf(variable, args);
  if (search === undefined) return undefined;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const [found] = collections.find(collection, search);
    if (found === undefined) {
      collections.put(collection, withField(search, field, value));
      return undefined;
    }
    const before = fieldOf(found.document, field) ?? null;
    if (!collections.replace(collection, found, withField(found.document, field, value))) continue;
    const isLost = before !== null && !equalJson(before, seen) && !equalJson(before, value);
    return isLost ? { variable: name, collection, field, overwritten: before } : undefined;
  }
  const message = `"${field}" in the collection "${collection}" is being written by too many at once.`;
  throw new SequiturError("STORE_BUSY", message);
}
