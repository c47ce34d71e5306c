import { cloneJson, type Json, setOwn } from "../base/json.ts";
import type { Reference } from "../expr/reference.ts";
import type { Template, TextPart } from "./template.ts";

/** What a reference gives, where `scope` is what it is looked up in. */
type LookUp<Scope> = (reference: Reference, scope: Scope) => Json;

/**
 * The value of a template. Nothing of it is the template's own; what `lookUp` gives is taken as it is. The scope is handed
 * through, so that looking up needs no closure: this is done for every step.
 */
export function fillTemplate<Scope>(template: Template, scope: Scope, lookUp: LookUp<Scope>): Json {
  switch (template.kind) {
    case "constant":
      return cloneJson(template.value);
    case "secret":
      return template.marker;
    case "reference":
      return lookUp(template, scope);
    case "text": {
      let text = "";
      const { parts } = template;
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i] as TextPart;
        text += typeof part === "string" ? part : asText(lookUp(part.reference, scope));
      }
      return text;
    }
    case "list": {
      const { items } = template;
      const list = new Array<Json>(items.length);
      for (let i = 0; i < list.length; i++) list[i] = fillTemplate(items[i] as Template, scope, lookUp);
      return list;
    }
    case "object": {
      const { keys, values } = template;
      const object: Record<string, Json> = {};
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i] as string;
        const value = fillTemplate(values[i] as Template, scope, lookUp);
        // Assigned here rather than by `setOwn`, which sees the keys of all objects there are, and so is slow.
        if (key === "__proto__") setOwn(object, key, value);
        else object[key] = value;
      }
      return object;
    }
  }
}

/** Inside a longer string a string stands as it is, anything else as JSON. */
function asText(value: Json): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
