import type { Json, JsonObject } from "../base/json.ts";
import type { Reference } from "../expr/reference.ts";
import type { Spot } from "../source/diagnostic.ts";
import { type Place, placeAt, type Site, valueAt } from "../source/place.ts";

/**
 * A value of a plan with its references compiled. What holds no reference is one `constant`, however deep it is, so
 * that data stays data and costs nothing at run time.
 */
export type Template =
  | (Site & { readonly kind: "constant"; readonly value: Json })
  | ReferenceTemplate
  | TextTemplate
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

/** A string that is exactly one reference: the value, with its type. Plans are full of these, so it is the reference itself. */
export interface ReferenceTemplate extends Reference, Site {
  readonly kind: "reference";
}

export function referenceTemplate(
  { root, path, text }: Reference,
  up: Place,
  key: Site["key"],
): ReferenceTemplate {
  return { kind: "reference", root, path, text, up, key };
}

/** References inside a longer string become text. */
export interface TextTemplate extends Site {
  readonly kind: "text";
  readonly parts: readonly TextPart[];
}

export type TextPart = string | ReferencePart;

/** A reference that is the characters `from` to `to` of its string. */
export interface ReferencePart {
  readonly reference: ReferenceTemplate;
  readonly from: number;
  readonly to: number;
}

export function placeOf(template: Template): Place {
  return "place" in template ? template.place : placeAt(template.up, template.key);
}

/** Where a reference stands: as the whole of a string, or as a part of one. */
export function spotOf(template: ReferenceTemplate | TextTemplate, part?: ReferencePart): Spot {
  const place = placeAt(template.up, template.key);
  if (part !== undefined) return { place, from: part.from, to: part.to };
  const text = valueAt(place);
  return typeof text === "string" ? { place, from: 0, to: text.length } : { place };
}

/** `template` and `part` are what `spotOf` takes: the spot is made by who has something to say. */
type VisitReference = (
  reference: Reference,
  template: ReferenceTemplate | TextTemplate,
  part?: ReferencePart,
) => void;

/** Every reference of the template, in the order of the text. */
export function forEachReference(template: Template, visit: VisitReference): void {
  switch (template.kind) {
    case "constant":
    case "secret":
      return;
    case "reference":
      visit(template, template);
      return;
    case "text":
      for (const part of template.parts) if (typeof part !== "string") visit(part.reference, template, part);
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
