/*
 * JSON Schema, as far as the checker can use it. Whatever says more than a type can is `any` here: the run validates with
 * the whole schema.
 */
import { hasOwn, isList, isObject, type Json, type JsonObject } from "../base/json.ts";
import {
  ANY,
  BOOLEAN,
  common,
  NULL,
  NUMBER,
  nullable,
  STRING,
  type Type,
  type TypeField,
  typeOfValue,
} from "./type.ts";

const DEPTH_MAX = 32;

/** Each definition is read once, and means anything inside itself: schemas may refer in circles, and many times. */
interface Root {
  readonly schema: Json | undefined;
  readonly references: Map<string, Type>;
}

export function typeOfSchema(schema: Json | undefined): Type {
  return readSchema(schema, { schema, references: new Map() }, 0);
}

function readSchema(schema: Json | undefined, root: Root, depth: number): Type {
  if (!isObject(schema) || depth > DEPTH_MAX) return ANY;
  if (typeof schema.$ref === "string") return readReference(schema.$ref, root, depth);
  if (isList(schema.enum)) return { ...common(schema.enum.map(typeOfValue)), allowed: schema.enum };
  if (hasOwn(schema, "const"))
    return { ...typeOfValue(schema.const as Json), allowed: [schema.const as Json] };
  const union = schema.anyOf ?? schema.oneOf;
  if (isList(union)) return common(union.map((part) => readSchema(part, root, depth + 1)));
  if (isList(schema.allOf))
    return schema.allOf.length === 1 ? readSchema(schema.allOf[0], root, depth + 1) : ANY;
  if (isList(schema.type))
    return common(schema.type.map((type) => readSchema({ ...schema, type }, root, depth + 1)));
  const type = plainType(schema, root, depth);
  return schema.nullable === true ? nullable(type) : type;
}

function readReference(reference: string, root: Root, depth: number): Type {
  const known = root.references.get(reference);
  if (known !== undefined) return known;
  root.references.set(reference, ANY);
  const type = readSchema(resolveLocal(reference, root.schema), root, depth + 1);
  root.references.set(reference, type);
  return type;
}

function plainType(schema: JsonObject, root: Root, depth: number): Type {
  switch (schema.type) {
    case "string":
      return typeof schema.pattern === "string" ? { ...STRING, pattern: schema.pattern } : STRING;
    case "number":
    case "integer":
      return NUMBER;
    case "boolean":
      return BOOLEAN;
    case "null":
      return NULL;
    case "array":
      return { kind: "list", nullable: false, of: readSchema(schema.items, root, depth + 1) };
    case "object":
      return objectType(schema, root, depth);
    default:
      return schema.type === undefined && isObject(schema.properties) ? objectType(schema, root, depth) : ANY;
  }
}

/**
 * An object that lists its properties and says nothing of others is taken at its word: referring to any other is an error,
 * as in TypeScript. `additionalProperties: true` (or a schema) opens it.
 */
function objectType(schema: JsonObject, root: Root, depth: number): Type {
  if (!isObject(schema.properties)) return { kind: "object", nullable: false };
  const required = new Set(isList(schema.required) ? schema.required : []);
  const fields = new Map<string, TypeField>();
  for (const [name, property] of Object.entries(schema.properties)) {
    fields.set(name, { type: readSchema(property, root, depth + 1), required: required.has(name) });
  }
  const others = schema.additionalProperties;
  const open = others === true || isObject(others) || isObject(schema.patternProperties);
  return { kind: "object", nullable: false, fields, open, strict: others === false };
}

/** `#/$defs/x` */
function resolveLocal(reference: string, root: Json | undefined): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  let at: Json | undefined = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at = isObject(at) && hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}
