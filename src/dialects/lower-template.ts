import { isList, type Json, type JsonObject } from "../base/json.ts";
import { readSecret } from "../ir/secret.ts";
import type { Template } from "../ir/template.ts";
import { type Place, placeAt, type Site } from "../source/place.ts";

/** What a language makes of strings. */
export interface TemplateReader {
  /** The template of a string at `key` below `up`, or at `up` itself; undefined if it has no references. */
  readString(text: string, up: Place, key: Site["key"]): Template | undefined;
  /** A secret was read. */
  sawSecret?(): void;
}

/** Stands for what could not be read, and was reported: of any type, in a plan that will not run. */
export function unreadable(text: string, up: Place, key?: Site["key"]): Template {
  return { kind: "reference", root: { kind: "event" }, path: [], text, up, key };
}

/** Compiles a value of the plan. Keys are never looked at; what holds no reference stays the value it is. */
export function lowerTemplate(value: Json, place: Place, reader: TemplateReader): Template {
  return lowerChanged(value, place, undefined, reader) ?? constant(value, place, undefined);
}

function constant(value: Json, up: Place, key: Site["key"]): Template {
  return { kind: "constant", value, up, key };
}

/** Undefined where nothing in the value is a reference or an escape. */
function lowerChanged(
  value: Json,
  up: Place,
  key: Site["key"],
  reader: TemplateReader,
): Template | undefined {
  if (typeof value === "string") return reader.readString(value, up, key);
  if (typeof value !== "object" || value === null) return undefined;
  const place = placeAt(up, key);
  return isList(value) ? lowerList(value, place, reader) : lowerObject(value, place, reader);
}

function lowerList(list: readonly Json[], place: Place, reader: TemplateReader): Template | undefined {
  let items: Template[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json;
    const lowered = isScalar(item) ? undefined : lowerChanged(item, place, i, reader);
    if (lowered !== undefined && items === undefined) items = constants(list, i, place);
    if (items !== undefined) items[i] = lowered ?? constant(item, place, i);
  }
  return items && { kind: "list", items, place };
}

/** Room for all items of the list; the first of them are constants. */
function constants(list: readonly Json[], count: number, place: Place): Template[] {
  const items = new Array<Template>(list.length);
  for (let i = 0; i < count; i++) items[i] = constant(list[i] as Json, place, i);
  return items;
}

function lowerObject(object: JsonObject, place: Place, reader: TemplateReader): Template | undefined {
  const secret = object.$secret === undefined ? undefined : readSecret(object, place);
  if (secret !== undefined) {
    reader.sawSecret?.();
    return secret;
  }
  const keys = Object.keys(object);
  let values: Template[] | undefined;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const value = object[key] as Json;
    const lowered = isScalar(value) ? undefined : lowerChanged(value, place, key, reader);
    if (lowered !== undefined && values === undefined) values = constantsOf(object, keys, i, place);
    if (values !== undefined) values[i] = lowered ?? constant(value, place, key);
  }
  return values && { kind: "object", keys: shared(keys), values, place };
}

let recent: readonly string[] = [];

/** Steps that call the same tool have the same arguments: they share the list of their names. */
function shared(keys: readonly string[]): readonly string[] {
  let same = 0;
  while (same < keys.length && keys[same] === recent[same]) same++;
  if (same !== keys.length || same !== recent.length) recent = keys;
  return recent;
}

/** Room for all values of the object; the first of them are constants. */
function constantsOf(object: JsonObject, keys: readonly string[], count: number, place: Place): Template[] {
  const values = new Array<Template>(keys.length);
  for (let i = 0; i < count; i++) {
    const key = keys[i] as string;
    values[i] = constant(object[key] as Json, place, key);
  }
  return values;
}

function isScalar(value: Json): boolean {
  return typeof value !== "string" && (typeof value !== "object" || value === null);
}
