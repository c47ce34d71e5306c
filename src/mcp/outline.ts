/* A JSON Schema in the fewest words that a model understands: `{ id: string, tags?: string[] }`. */
import type { Json, JsonObject } from "../index.ts";
import { isRecord } from "./plan-tool.ts";

const DEPTH_MAX = 5;
const PROPERTIES_MAX = 40;

export function outline(schema: Json | undefined): string {
  return isRecord(schema) ? describe(schema, schema, 0) : "any";
}

function describe(schema: Json | undefined, root: JsonObject, depth: number): string {
  if (!isRecord(schema) || depth > DEPTH_MAX) return "any";
  if (typeof schema.$ref === "string") return describe(pointed(schema.$ref, root), root, depth + 1);
  const { enum: choices, const: only, anyOf, oneOf, type } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (isList(choices))
    return choices
      .slice(0, 20)
      .map((value) => JSON.stringify(value))
      .join(" | ");
  const union = anyOf ?? oneOf;
  if (isList(union)) return unique(union.map((part) => describe(part, root, depth + 1)));
  if (isList(type)) return unique(type.map((one) => describe({ ...schema, type: one }, root, depth + 1)));
  if (type === "array") {
    const item = describe(schema.items, root, depth + 1);
    return /[ |]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (type === "object" || isRecord(schema.properties)) return object(schema, root, depth);
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "any";
}

function object(schema: JsonObject, root: JsonObject, depth: number): string {
  if (!isRecord(schema.properties)) return "object";
  const required = isList(schema.required) ? schema.required : [];
  const entries = Object.entries(schema.properties);
  const fields = entries.slice(0, PROPERTIES_MAX).map(([name, property]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${required.includes(name) ? "" : "?"}: ${describe(property, root, depth + 1)}`;
  });
  if (entries.length > PROPERTIES_MAX) fields.push("…");
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function unique(parts: readonly string[]): string {
  return [...new Set(parts)].join(" | ");
}

function pointed(reference: string, root: JsonObject): Json | undefined {
  let value: Json | undefined = root;
  for (const part of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
