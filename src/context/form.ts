/*
 * The form of a declaration, written as JSON Schema, and the check against it. One text says what is allowed to the checker,
 * to editors and to whoever generates declarations. Only the few words of the schema language below are understood.
 */
import { describe, quote } from "../base/describe.ts";
import { isObject, type Json, type JsonObject } from "../base/json.ts";
import { editFix, type Findings } from "../source/findings.ts";
import { below, keysOf, type Place, pointerOf } from "../source/place.ts";

export interface FormSchema {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export type FieldSchema =
  | FormSchema
  | {
      readonly type: "string";
      readonly description?: string;
      readonly minLength?: 1;
      readonly enum?: readonly string[];
      readonly examples: readonly [string];
    }
  | { readonly type: "boolean"; readonly description?: string }
  | {
      readonly type: "integer" | "number";
      readonly description?: string;
      readonly minimum: number;
      readonly examples: readonly [number];
    }
  /** Conditions have been read where the plan was read. */
  | { readonly type: "array"; readonly description?: string };

/** Allowed everywhere, as in plans. */
const ALWAYS_ALLOWED = ["description", "metadata"];

/** Reports everything about the object that does not fit; `extra` are fields that may stand there besides the schema's. */
export function checkForm(
  value: JsonObject,
  place: Place,
  what: string,
  schema: FormSchema,
  findings: Findings,
  extra: readonly string[] = [],
): void {
  const known = [...extra, ...Object.keys(schema.properties), ...ALWAYS_ALLOWED];
  const meant = new Set<string>();
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) meant.add(reportUnknown(value, key, place, what, known, findings) ?? "");
  }
  for (const field of schema.required ?? []) {
    if (value[field] !== undefined || meant.has(field)) continue;
    const example = `"${field}": ${exampleOf(schema.properties[field])}`;
    findings.report("missing-field", place, { what, field, example });
  }
  for (const [field, expected] of Object.entries(schema.properties)) {
    const given = value[field];
    if (given !== undefined) checkField(given, below(place, field), field, what, expected, findings);
  }
}

/** What was meant is clear enough to spare the author the complaint that it is missing. */
function reportUnknown(
  value: JsonObject,
  key: string,
  up: Place,
  what: string,
  known: readonly string[],
  findings: Findings,
): string | undefined {
  const said = findings.suggest(key, known);
  const place = below(up, key);
  const near = said.near !== undefined && value[said.near] === undefined ? said.near : undefined;
  const rename = { op: "rename", pointer: pointerOf(keysOf(place)), key: near ?? "" } as const;
  const fix = near === undefined ? undefined : editFix(`rename "${key}" to "${near}"`, rename);
  findings.report("unknown-field", { place, on: "key" }, { ...said, what }, fix);
  return near;
}

function checkField(
  value: Json,
  place: Place,
  field: string,
  what: string,
  schema: FieldSchema,
  findings: Findings,
): void {
  const wrong = (expected: string) => {
    const of = `"${field}" of ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
    findings.report("wrong-shape", place, { what: of, expected, got: describe(value) });
  };
  switch (schema.type) {
    case "object":
      if (isObject(value)) checkForm(value, place, `"${field}"`, schema, findings);
      else wrong("an object");
      return;
    case "string":
      if (typeof value !== "string") wrong("a string");
      else if (value === "" && schema.minLength !== undefined) wrong("a non-empty string");
      else if (schema.enum !== undefined && !schema.enum.includes(value)) {
        const expected = schema.enum.map((name) => `"${name}"`).join(" or ");
        findings.report("invalid-value", place, { what: `"${field}"`, got: quote(value), expected });
      }
      return;
    case "boolean":
      if (typeof value !== "boolean") wrong("true or false");
      return;
    case "integer":
      if (!Number.isSafeInteger(value) || (value as number) < schema.minimum)
        wrong(`a whole number from ${schema.minimum}`);
      return;
    case "number":
      if (typeof value !== "number" || value < schema.minimum) wrong(`a number from ${schema.minimum}`);
      return;
    case "array":
      return;
  }
}

function exampleOf(schema: FieldSchema | undefined): string {
  if (schema === undefined) return "…";
  if (schema.type === "object") {
    const [first] = Object.entries(schema.properties);
    return first === undefined ? "{}" : `{ "${first[0]}": ${exampleOf(first[1])} }`;
  }
  return "examples" in schema ? JSON.stringify(schema.examples[0]) : "…";
}
