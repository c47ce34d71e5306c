import { isList, type Json } from "../base/json.ts";
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
    if (typeof item !== "string" && (typeof item !== "object" || item === null)) {
      items?.push({ kind: "constant", value: item, place });
      continue;
    }
    const lowered = lowerChanged(item, below(place, i), readString);
    if (lowered !== undefined && items === undefined) items = constants(list, i, place);
    items?.push(lowered ?? { kind: "constant", value: item, place: below(place, i) });
  }
  return items && { kind: "list", items, place };
}

function constants(list: readonly Json[], count: number, place: Place): Template[] {
  return list.slice(0, count).map((value, i) => ({ kind: "constant", value, place: below(place, i) }));
}

function lowerObject(
  object: { readonly [key: string]: Json },
  place: Place,
  readString: StringReader,
): Template | undefined {
  const keys = Object.keys(object);
  const values = new Array<Template>(keys.length);
  let changed = false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const value = object[key] as Json;
    const at = below(place, key);
    const lowered = lowerChanged(value, at, readString);
    if (lowered !== undefined) changed = true;
    values[i] = lowered ?? { kind: "constant", value, place: at };
  }
  return changed ? { kind: "object", keys, values, place } : undefined;
}
