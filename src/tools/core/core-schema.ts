import { type Json, type JsonObject, setOwn } from "../../base/json.ts";
import { jsonTypeOf } from "../../ir/signature.ts";
import type { CoreField } from "./core-agent.ts";

/** Step and action plans call the tools by their names, and are checked against this. */
export function schemaOf(fields: readonly CoreField[]): JsonObject {
  const properties: Record<string, Json> = {};
  for (const field of fields) setOwn(properties, field.name, schemaOfField(field));
  const required = fields.filter((field) => field.required !== false).map((field) => field.name);
  return { type: "object", properties, required };
}

function schemaOfField(field: CoreField): JsonObject {
  const type = jsonTypeOf(field.type_name);
  const optional = field.required === false;
  return {
    description: field.description,
    ...(type !== undefined && { type: optional ? [type, "null"] : type }),
    ...(field.enum !== undefined && { enum: optional ? [...field.enum, null] : field.enum }),
  };
}
