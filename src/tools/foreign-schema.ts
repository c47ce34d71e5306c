/*
 * JSON Schemas that strangers wrote. What is left of one here says the same of a value, and cannot be used to keep the
 * validator busy: no identifiers that clash, nothing that is quadratic in the value, no size without bounds.
 */
import { isList, isObject, type Json, type JsonObject, setOwn } from "../base/json.ts";

const DEPTH_MAX = 64;
const BYTES_MAX = 512 * 1024;

/** Keywords whose values are schemas by name. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords whose values are no schemas. */
const VALUES = new Set(["enum", "const", "default", "examples", "required", "type", "example"]);
/** `$schema` and `$id` name schemas for a whole process; the others cost more than they say. */
const LEFT_OUT = new Set(["$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$async", "uniqueItems"]);
const IN_PLACE = ["allOf", "anyOf", "oneOf"];

/** The schema as it can be used, or a sentence that says why it cannot. */
export function tameSchema(schema: unknown): JsonObject | string {
  if (!isObject(schema as Json)) return "it is not an object";
  const given = schema as JsonObject;
  try {
    if (JSON.stringify(given).length > BYTES_MAX) return `it has more than ${BYTES_MAX} bytes`;
  } catch {
    return "it is nested too deep";
  }
  const problem = { text: undefined as string | undefined };
  const tamed = walk(given, 0, problem) as JsonObject;
  if (problem.text !== undefined) return problem.text;
  if (isRecursive(tamed) && branches(tamed))
    return "it refers to itself inside allOf, anyOf or oneOf, which can take for ever to validate";
  return tamed;
}

function walk(schema: Json, depth: number, problem: { text: string | undefined }): Json {
  if (!isObject(schema)) return schema;
  if (depth > DEPTH_MAX) {
    problem.text = `it is nested deeper than ${DEPTH_MAX} levels`;
    return {};
  }
  const next = (value: Json): Json => walk(value, depth + 1, problem);
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(key)) continue;
    if (VALUES.has(key)) setOwn(copy, key, value);
    else if (NAMED.has(key) && isObject(value)) setOwn(copy, key, mapValues(value, next));
    else setOwn(copy, key, isList(value) ? value.map(next) : next(value));
  }
  return copy;
}

function mapValues(object: JsonObject, map: (value: Json) => Json): JsonObject {
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) setOwn(copy, key, map(value));
  return copy;
}

/** Does a reference lead back to itself, whichever way? */
function isRecursive(root: JsonObject): boolean {
  const done = new Set<string>();
  const visit = (reference: string, path: ReadonlySet<string>): boolean => {
    if (path.has(reference)) return true;
    if (done.has(reference)) return false;
    const inner = new Set([...path, reference]);
    const circular = referencesIn(at(root, reference)).some((next) => visit(next, inner));
    done.add(reference);
    return circular;
  };
  return referencesIn(root).some((reference) => reference === "#" || visit(reference, new Set()));
}

/** Does any of allOf, anyOf, oneOf hold references? Then a value may be looked at more than once at every level. */
function branches(value: Json | undefined): boolean {
  if (isList(value)) return value.some(branches);
  if (!isObject(value)) return false;
  if (IN_PLACE.some((key) => isList(value[key]) && referencesIn(value[key]).length > 1)) return true;
  return Object.values(value).some(branches);
}

function referencesIn(value: Json | undefined): string[] {
  if (isList(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  const own = typeof value.$ref === "string" ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

/** What `#/$defs/x` names. */
function at(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  let value: Json | undefined = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    value = isObject(value) && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
  }
  return value;
}
