import type { Json, JsonObject } from "../base/json.ts";
import type { Reference } from "../expr/reference.ts";
import type { Spot } from "../source/diagnostic.ts";
import type { Place } from "../source/place.ts";

/**
 * A value of a plan with its references compiled. What holds no reference is one `constant`, however deep it is, so
 * that data stays data and costs nothing at run time.
 */
export type Template =
  | { readonly kind: "constant"; readonly value: Json; readonly place: Place }
  /** A string that is exactly one reference: the value, with its type. */
  | { readonly kind: "reference"; readonly reference: Reference; readonly spot: Spot }
  /** References inside a longer string become text. */
  | { readonly kind: "text"; readonly parts: readonly TextPart[]; readonly place: Place }
  /** Given to the tool alone. `name` is undefined for what is no secret, which the checks report. */
  | {
      readonly kind: "secret";
      readonly name: string | undefined;
      readonly marker: JsonObject;
      readonly place: Place;
    }
  | { readonly kind: "list"; readonly items: readonly Template[]; readonly place: Place }
  | {
      readonly kind: "object";
      readonly keys: readonly string[];
      readonly values: readonly Template[];
      readonly place: Place;
    };

export type TextPart = string | { readonly reference: Reference; readonly spot: Spot };

export function placeOf(template: Template): Place {
  return template.kind === "reference" ? template.spot.place : template.place;
}

/** Every reference of the template, in the order of the text. */
export function forEachReference(
  template: Template,
  visit: (reference: Reference, spot: Spot) => void,
): void {
  switch (template.kind) {
    case "constant":
    case "secret":
      return;
    case "reference":
      visit(template.reference, template.spot);
      return;
    case "text":
      for (const part of template.parts) if (typeof part !== "string") visit(part.reference, part.spot);
      return;
    case "list":
      for (const item of template.items) forEachReference(item, visit);
      return;
    case "object":
      for (const value of template.values) forEachReference(value, visit);
      return;
  }
}

/** The template of one key of an object template or constant object, or undefined where it has none. */
export function entryOf(template: Template, key: string): Template | undefined {
  if (template.kind !== "object") return undefined;
  const at = template.keys.indexOf(key);
  return at < 0 ? undefined : template.values[at];
}
