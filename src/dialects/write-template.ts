import { isList, isObject, type Json, setOwn } from "../base/json.ts";
import type { Reference } from "../expr/reference.ts";
import type { Template, TextPart } from "../ir/template.ts";

/** How a language writes what a string can hold; the other way round than its `StringReader`. */
export interface Spelling {
  /** A string that is one reference and nothing else. */
  reference(reference: Reference): string;
  /** References inside a longer text. */
  text(parts: readonly TextPart[]): string;
  /** Text, with a mark of its own before whatever would be read as a reference. */
  constant(text: string): string;
}

/** The value that `lowerTemplate` makes this template of. */
export function writeTemplate(template: Template, spelling: Spelling): Json {
  switch (template.kind) {
    case "constant":
      return writeConstant(template.value, spelling);
    case "secret":
      return template.marker;
    case "reference":
      return spelling.reference(template);
    case "text":
      return spelling.text(template.parts);
    case "list":
      return template.items.map((item) => writeTemplate(item, spelling));
    case "object": {
      const object: Record<string, Json> = {};
      for (const [i, key] of template.keys.entries()) {
        setOwn(object, key, writeTemplate(template.values[i] as Template, spelling));
      }
      return object;
    }
  }
}

function writeConstant(value: Json, spelling: Spelling): Json {
  if (typeof value === "string") return spelling.constant(value);
  if (isList(value)) return value.map((item) => writeConstant(item, spelling));
  if (!isObject(value)) return value;
  const object: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(object, key, writeConstant(value[key] as Json, spelling));
  return object;
}
