/*
 * Schemas of an OpenAPI document as JSON Schemas that stand on their own: what they refer to comes along under `$defs`, each
 * once, so that circles stay circles. The words of 3.0 that JSON Schema does not have are said in its own.
 */
import { isList, isObject, type Json, type JsonObject, setOwn } from "../../base/json.ts";
import { tameSchema } from "../foreign-schema.ts";
import { pointed } from "./document.ts";

const DROPPED = new Set([
  "nullable",
  "discriminator",
  "xml",
  "externalDocs",
  "example",
  "readOnly",
  "writeOnly",
]);
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** A schema that stands on its own, or a sentence that says why there is none. */
export function standaloneSchema(document: JsonObject, schema: Json): JsonObject | string {
  const definitions = new Map<string, Json>();
  const converted = new Converter(document, definitions).convert(schema);
  if (!isObject(converted)) return "it is not an object";
  const whole = definitions.size === 0 ? converted : { ...converted, $defs: Object.fromEntries(definitions) };
  return tameSchema(whole);
}

class Converter {
  readonly #document: JsonObject;
  readonly #definitions: Map<string, Json>;
  readonly #names = new Map<string, string>();

  constructor(document: JsonObject, definitions: Map<string, Json>) {
    this.#document = document;
    this.#definitions = definitions;
  }

  convert(schema: Json): Json {
    if (isList(schema)) return schema.map((item) => this.convert(item));
    if (!isObject(schema)) return schema;
    if (typeof schema.$ref === "string") return { $ref: `#/$defs/${this.#definition(schema.$ref)}` };
    const copy: Record<string, Json> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (DROPPED.has(key) || key.startsWith("x-")) continue;
      if (key === "enum" || key === "const" || key === "default" || key === "required")
        setOwn(copy, key, value);
      else if (NAMED.has(key) && isObject(value)) setOwn(copy, key, this.#properties(value));
      else setOwn(copy, key, this.convert(value));
    }
    limits(copy);
    return schema.nullable === true ? orNull(copy) : copy;
  }

  #properties(properties: JsonObject): JsonObject {
    const copy: Record<string, Json> = {};
    for (const [name, schema] of Object.entries(properties)) setOwn(copy, name, this.convert(schema));
    return copy;
  }

  #definition(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const last =
      reference
        .split("/")
        .at(-1)
        ?.replace(/[^\w.-]/g, "_") || "schema";
    const taken = new Set(this.#names.values());
    let name = last;
    for (let i = 2; taken.has(name); i++) name = `${last}_${i}`;
    this.#names.set(reference, name);
    // What leads nowhere, or out of the document, may be anything.
    this.#definitions.set(name, this.convert(pointed(this.#document, reference) ?? {}));
    return name;
  }
}

/** In 3.0, `exclusiveMinimum: true` changes what `minimum` means. */
function limits(schema: Record<string, Json>): void {
  for (const [limit, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue;
    const isExclusive = schema[exclusive];
    delete schema[exclusive];
    if (isExclusive && schema[limit] !== undefined) {
      schema[exclusive] = schema[limit];
      delete schema[limit];
    }
  }
}

function orNull(schema: JsonObject): JsonObject {
  if (typeof schema.type === "string") {
    const allowed =
      isList(schema.enum) && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {};
    return { ...schema, ...allowed, type: [schema.type, "null"] };
  }
  return { anyOf: [schema, { type: "null" }] };
}
