import { describe, quote } from "../../base/describe.ts";
import type { Json } from "../../base/json.ts";
import type { Condition } from "../../ir/condition.ts";
import { patternProblem } from "../../ir/pattern.ts";
import type { Field, TypeName } from "../../ir/signature.ts";
import {
  ANY,
  BOOLEAN,
  canFit,
  describeType,
  FILE,
  LIST,
  NUMBER,
  OBJECT,
  STRING,
  type Type,
  typeOfValue,
} from "../../ir/type.ts";
import { below, type Place } from "../../source/place.ts";
import { isId } from "../identifier.ts";
import { readTypeName } from "../read-type-name.ts";
import { expectObject, Shape } from "../shape.ts";
import { SCHEMA_FIELDS } from "./fields.ts";

const TYPES: Record<TypeName, Type> = {
  string: STRING,
  number: NUMBER,
  boolean: BOOLEAN,
  list: LIST,
  object: OBJECT,
  file: FILE,
  any: ANY,
};

/** `arguments` or `responses` of a definition. `lowerConditions` compiles `required_conditions`. */
export function lowerFields(
  definition: Shape,
  name: "arguments" | "responses",
  lowerConditions: (value: Json | undefined, place: Place) => Condition | undefined,
): Field[] | undefined {
  const list = definition.list(name);
  if (list === undefined) return undefined;
  const what = name === "arguments" ? "An argument" : "A response";
  const fields: Field[] = [];
  const seen = new Set<string>();
  for (const [i, item] of list.entries()) {
    const place = below(definition.at(name), i);
    const object = expectObject(item, place, what, definition.findings);
    if (object === undefined) continue;
    const shape = new Shape(object, place, what, SCHEMA_FIELDS, definition.findings);
    const field = lowerField(shape, lowerConditions);
    if (field === undefined) continue;
    if (seen.has(field.name)) {
      shape.findings.report("duplicate-id", shape.at("name"), { id: field.name, what: what.toLowerCase() });
    }
    seen.add(field.name);
    fields.push(field);
  }
  return fields;
}

function lowerField(
  shape: Shape,
  lowerConditions: (value: Json | undefined, place: Place) => Condition | undefined,
): Field | undefined {
  const name = shape.requiredString("name", `"name": "…"`);
  if (name !== undefined && !isId(name)) shape.findings.report("invalid-id", shape.at("name"), { id: name });
  const typeName = readTypeName(shape, "type_name");
  const allowed = shape.list("enum");
  const pattern = shape.string("regex_pattern");
  const problem = pattern === undefined ? undefined : patternProblem(pattern);
  if (pattern !== undefined && problem !== undefined) {
    shape.findings.report("invalid-pattern", shape.at("regex_pattern"), { pattern, why: problem });
  }
  const field: Field = {
    name: name ?? "",
    typeName,
    required: shape.boolean("required") ?? true,
    defaultValue: shape.raw("default_value"),
    allowed,
    pattern: problem === undefined ? pattern : undefined,
    requiredConditions: lowerConditions(shape.raw("required_conditions"), shape.at("required_conditions")),
    description:
      typeof shape.raw("description") === "string" ? (shape.raw("description") as string) : undefined,
    place: shape.place,
  };
  checkValues(field, shape);
  return name === undefined ? undefined : field;
}

function checkValues(field: Field, shape: Shape): void {
  const type = typeOfField(field);
  const values: [Json, Place, string][] = (field.allowed ?? []).map((value, i) => [
    value,
    below(shape.at("enum"), i),
    `A value of "enum"`,
  ]);
  if (field.defaultValue !== undefined && field.defaultValue !== null) {
    values.push([field.defaultValue, shape.at("default_value"), `"default_value"`]);
  }
  for (const [value, place, what] of values) {
    if (canFit(typeOfValue(value), { ...type, nullable: false })) continue;
    shape.findings.report("type-mismatch", place, {
      what,
      expected: describeType({ ...type }),
      got: describe(value),
    });
  }
  const text = field.defaultValue;
  if (typeof text === "string" && field.allowed !== undefined && !field.allowed.includes(text)) {
    const expected = field.allowed.map((value) => JSON.stringify(value)).join(", ");
    shape.findings.report("invalid-value", shape.at("default_value"), {
      what: `"default_value"`,
      got: quote(text),
      expected,
    });
  }
}

function typeOfField(field: Field): Type {
  const base = TYPES[field.typeName];
  if (field.allowed === undefined && field.pattern === undefined) return base;
  return {
    ...base,
    ...(field.allowed && { allowed: field.allowed }),
    ...(field.pattern !== undefined && { pattern: field.pattern }),
  };
}

/** The object that the fields describe. Other keys may be given; only declared ones can be referred to. */
export function typeOfFields(fields: readonly Field[] | undefined): Type | undefined {
  if (fields === undefined) return undefined;
  const entries = fields.map((field) => {
    const required = field.required && field.requiredConditions === undefined;
    const has = field.defaultValue !== undefined && field.defaultValue !== null;
    return [field.name, { type: typeOfField(field), required: required || has }] as const;
  });
  return { kind: "object", nullable: false, fields: new Map(entries), open: false };
}

const namesIn = new WeakMap<readonly Field[], ReadonlySet<string>>();

/** Asked for by every instruction that calls the agent. */
export function namesOf(fields: readonly Field[] | undefined): ReadonlySet<string> | undefined {
  if (fields === undefined) return undefined;
  const known = namesIn.get(fields) ?? new Set(fields.map((field) => field.name));
  namesIn.set(fields, known);
  return known;
}
