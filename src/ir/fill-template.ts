import { type Json, setOwn } from "../base/json.ts";
import type { Reference } from "../expr/reference.ts";
import type { Template } from "./template.ts";

/** The value of a template, its references looked up. Constants are shared; whoever hands them out copies. */
export function fillTemplate(template: Template, lookUp: (reference: Reference) => Json): Json {
  switch (template.kind) {
    case "constant":
      return template.value;
    case "secret":
      return template.marker;
    case "reference":
      return lookUp(template.reference);
    case "text":
      return template.parts
        .map((part) => (typeof part === "string" ? part : asText(lookUp(part.reference))))
        .join("");
    case "list":
      return template.items.map((item) => fillTemplate(item, lookUp));
    case "object": {
      const object: Record<string, Json> = {};
      for (const [i, key] of template.keys.entries()) {
        setOwn(object, key, fillTemplate(template.values[i] as Template, lookUp));
      }
      return object;
    }
  }
}

/** Inside a longer string a string stands as it is, anything else as JSON. */
export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
