/* JSON Schemas and declared fields as TypeScript types: what a programmer, and a language model, reads with the least effort. */
import { isList, isObject, type Json, type JsonObject } from "../base/json.ts";

const DEPTH_MAX = 12;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** A type in one line. What a schema says beyond types is left out; what it leaves open is `unknown`. */
export function schemaText(schema: Json | undefined, root: Json | undefined = schema, depth = 0): string {
  if (!isObject(schema) || depth > DEPTH_MAX) return "unknown";
  if (typeof schema.$ref === "string") return schemaText(resolveLocal(schema.$ref, root), root, depth + 1);
  if (isList(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const parts = schema.anyOf ?? schema.oneOf;
  if (isList(parts)) return union(parts.map((part) => schemaText(part, root, depth + 1)));
  if (isList(schema.allOf))
    return schema.allOf.map((part) => grouped(schemaText(part, root, depth + 1))).join(" & ") || "unknown";
  if (isList(schema.type))
    return union(schema.type.map((type) => schemaText({ ...schema, type }, root, depth + 1)));
  const text = plainText(schema, root, depth);
  return schema.nullable === true ? union([text, "null"]) : text;
}

function plainText(schema: JsonObject, root: Json | undefined, depth: number): string {
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `${grouped(schemaText(schema.items, root, depth + 1))}[]`;
    default:
      return schema.type === "object" || isObject(schema.properties)
        ? objectText(schema, root, depth)
        : "unknown";
  }
}

function objectText(schema: JsonObject, root: Json | undefined, depth: number): string {
  const { properties, additionalProperties: others } = schema;
  const rest = isObject(others) ? schemaText(others, root, depth + 1) : "unknown";
  if (!isObject(properties)) return `Record<string, ${rest}>`;
  const required = isList(schema.required) ? schema.required : [];
  const fields = Object.entries(properties).map(([name, property]) => {
    return `${keyText(name)}${required.includes(name) ? "" : "?"}: ${schemaText(property, root, depth + 1)}`;
  });
  if (others === true || isObject(others)) fields.push("[key: string]: unknown");
  return fields.length === 0 ? "Record<string, never>" : `{ ${fields.join("; ")} }`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "string",
  file: "string",
  number: "number",
  boolean: "boolean",
  list: "unknown[]",
  object: "Record<string, unknown>",
  any: "unknown",
};

/** The arguments or responses that an agent declares. `isGiven`: for who gives them, those with a default may be left out. */
export function fieldsText(fields: Json | undefined, isGiven: boolean): string {
  if (!isList(fields)) return "Record<string, unknown>";
  const entries = fields.filter(isObject).map((field) => {
    const type = isList(field.enum)
      ? union(field.enum.map((value) => JSON.stringify(value)))
      : (TYPE_NAMES[String(field.type_name)] ?? "unknown");
    const isOptional = field.required === false || (isGiven && field.default_value !== undefined);
    return `${keyText(String(field.name))}${isOptional ? "?" : ""}: ${isOptional ? union([type, "null"]) : type}`;
  });
  return entries.length === 0 ? "Record<string, never>" : `{ ${entries.join("; ")} }`;
}

function keyText(name: string): string {
  return NAME.test(name) ? name : JSON.stringify(name);
}

function union(parts: readonly string[]): string {
  const distinct = [...new Set(parts)];
  return distinct.includes("unknown") ? "unknown" : distinct.join(" | ") || "never";
}

function grouped(text: string): string {
  return / [|&] /.test(text.replace(/\{.*\}/, "")) ? `(${text})` : text;
}

/** `#/$defs/x` */
function resolveLocal(reference: string, root: Json | undefined): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  let at: Json | undefined = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}
