import { isList, type Json, type JsonObject } from "../base/json.ts";
import { readSecret } from "../ir/secret.ts";
import type { Template } from "../ir/template.ts";
import { below, type Place } from "../source/place.ts";

/** What a language makes of one string: a template, or undefined for a string without references. */
export type StringReader = (text: string, place: Place) => Template | undefined;

/** Stands for what could not be read, and was reported: of any type, in a plan that will not run. */
export function unreadable(text: string, place: Place): Template {
  return { kind: "reference", reference: { root: { kind: "event" }, path: [], text }, spot: { place } };
}

/** Compiles a value of the plan. Keys are never looked at; what holds no reference stays the value it is. */
export function lowerTemplate(value: Json, place: Place, readString: StringReader): Template {
  return lowerChanged(value, place, readString) ?? { kind: "constant", value, place };
}

/** Undefined where nothing in the value is a reference or an escape. */
function lowerChanged(value: Json, place: Place, readString: StringReader): Template | undefined {
  if (typeof value === "string") return readString(value, place);
  if (typeof value !== "object" || value === null) return undefined;
  return isList(value) ? lowerList(value, place, readString) : lowerObject(value, place, readString);
}

function lowerList(list: readonly Json[], place: Place, readString: StringReader): Template | undefined {
  let items: Template[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as Json;
    if (items === undefined && isScalar(item)) continue;
    const at = below(place, i);
    const lowered = lowerChanged(item, at, readString);
    if (lowered !== undefined && items === undefined) items = constants(list, i, place);
    items?.push(lowered ?? { kind: "constant", value: item, place: at });
  }
  return items && { kind: "list", items, place };
}

function constants(list: readonly Json[], count: number, place: Place): Template[] {
  return list.slice(0, count).map((value, i) => ({ kind: "constant", value, place: below(place, i) }));
}

function lowerObject(object: JsonObject, place: Place, readString: StringReader): Template | undefined {
  const secret = readSecret(object, place);
  if (secret !== undefined) return secret;
  const keys = Object.keys(object);
  let values: Template[] | undefined;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const value = object[key] as Json;
    if (values === undefined && isScalar(value)) continue;
    const at = below(place, key);
    const lowered = lowerChanged(value, at, readString);
    if (lowered !== undefined && values === undefined) values = constantsOf(object, keys, i, place);
    if (values !== undefined) values[i] = lowered ?? { kind: "constant", value, place: at };
  }
  return values && { kind: "object", keys, values, place };
}

/** Room for all values of the object; the first of them are constants. */
function constantsOf(object: JsonObject, keys: readonly string[], count: number, place: Place): Template[] {
  const values = new Array<Template>(keys.length);
  for (let i = 0; i < count; i++) {
    const key = keys[i] as string;
    values[i] = { kind: "constant", value: object[key] as Json, place: below(place, key) };
  }
  return values;
}

function isScalar(value: Json): boolean {
  return typeof value !== "string" && (typeof value !== "object" || value === null);
}
