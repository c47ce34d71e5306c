/* Which widget a JSON Schema asks for. What it says beyond that is for the server to check. */
import type { Json, JsonObject } from "../../../src/compiler.ts";

export type Widget =
  | { readonly kind: "text" | "number" | "boolean" | "file" | "any" }
  | { readonly kind: "choice"; readonly choices: readonly Json[] }
  | { readonly kind: "list"; readonly of: Json }
  | { readonly kind: "object"; readonly fields: readonly ObjectField[] };

export interface ObjectField {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function widgetOf(schema: Json | null | undefined): Widget {
  if (!isObject(schema)) return { kind: "any" };
  if (Array.isArray(schema.enum)) return { kind: "choice", choices: schema.enum as readonly Json[] };
  if (
    schema.format === "binary" ||
    schema.contentEncoding !== undefined ||
    schema.contentMediaType !== undefined
  )
    return { kind: "file" };
  switch (typeOf(schema)) {
    case "string":
      return { kind: "text" };
    case "number":
    case "integer":
      return { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
    case "array":
      return { kind: "list", of: schema.items ?? {} };
    case "object":
      return isObject(schema.properties) ? { kind: "object", fields: fieldsOf(schema) } : { kind: "any" };
    default:
      return { kind: "any" };
  }
}

/** `["string", "null"]` is a string that may be left out. */
function typeOf({ type }: JsonObject): Json | undefined {
  return Array.isArray(type) ? type.find((name) => name !== "null") : type;
}

export function fieldsOf(schema: JsonObject): ObjectField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, property]) => {
    return { name, schema: property, isRequired: required.includes(name) };
  });
}

export function descriptionOf(schema: Json | null | undefined): string | undefined {
  return isObject(schema) && typeof schema.description === "string" ? schema.description : undefined;
}

const TYPES: Readonly<Record<string, string>> = { list: "array", file: "string", any: "" };

/** A declared argument of an agent, as JSON Schema. */
export function schemaOfArgument(field: {
  readonly typeName: string;
  readonly allowed?: readonly Json[] | undefined;
  readonly description?: string | undefined;
  readonly defaultValue?: Json | undefined;
}): JsonObject {
  const type = TYPES[field.typeName] ?? field.typeName;
  return {
    ...(type !== "" && { type }),
    ...(field.allowed !== undefined && { enum: field.allowed }),
    ...(field.description !== undefined && { description: field.description }),
    ...(field.defaultValue !== undefined && { default: field.defaultValue }),
  };
}
