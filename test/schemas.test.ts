import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { compile, type Diagnostic, type Json } from "../src/compiler.ts";
import * as actions from "../src/dialects/actions/fields.ts";
import * as agent from "../src/dialects/agent/fields.ts";
import { isWorkflow } from "../src/dialects/dialect.ts";
import type { FieldTable } from "../src/dialects/shape.ts";
import * as steps from "../src/dialects/steps/fields.ts";
import { accepted, refused } from "./schema-samples.ts";

type Name = keyof typeof accepted;
const NAMES = Object.keys(accepted) as Name[];

interface SchemaFile {
  readonly $defs: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>;
}

function read(name: Name): SchemaFile {
  return JSON.parse(
    readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), "utf8"),
  ) as SchemaFile;
}

const files = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<Name, SchemaFile>;
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: false });
for (const name of NAMES) ajv.addSchema(files[name], `${name}.schema.json`);

function fits(name: Name, value: Json): boolean {
  return ajv.validate(`${name}.schema.json`, value) === true;
}

/** What the parsers say of fields and shapes; what references mean is not a schema's business. */
const SHAPE_CODES = new Set([
  "unknown-language",
  "wrong-shape",
  "missing-field",
  "unknown-field",
  "invalid-value",
  "invalid-id",
  "reserved-id",
  "unknown-operator",
  "missing-operand",
  "unknown-type",
  "unknown-trigger",
  "ambiguous-agent",
  "conflicting-fields",
]);

function shapeProblems(name: Name, value: Json): string[] {
  const dialect = name === "workflow" ? undefined : name;
  const load = (path: string) => (path === "" ? undefined : `[{ "id": "a", "tool": "x" }]`);
  const { diagnostics } = compile(value, { dialect, load });
  return diagnostics.filter(isAboutShape).map((each) => `${each.pointer}: ${each.message}`);
}

function isAboutShape({ code, pointer, message }: Diagnostic): boolean {
  // Whether a default is one of the allowed values is beyond a schema; that no step has a negative number is not.
  if (code === "unknown-dependency") return message.includes(`called "-`);
  return SHAPE_CODES.has(code) && !pointer.endsWith("/default_value");
}

describe("schemas have the parsers' fields", () => {
  const tables: [Name, string, FieldTable][] = [
    ["agent", "definition", agent.DEFINITION_FIELDS],
    ["agent", "instruction", agent.INSTRUCTION_FIELDS],
    ["agent", "fanOut", agent.FAN_OUT_FIELDS],
    ["agent", "transform", agent.TRANSFORM_FIELDS],
    ["agent", "field", agent.SCHEMA_FIELDS],
    ["steps", "plan", steps.PLAN_FIELDS],
    ["steps", "step", steps.STEP_FIELDS],
    ["actions", "plan", actions.PLAN_FIELDS],
    ["actions", "step", actions.STEP_FIELDS],
  ];
  it.each(tables)("%s: %s", (name, definition, table) => {
    const properties = files[name].$defs[definition]?.properties ?? {};
    expect(Object.keys(properties).sort()).toEqual([...table.keys()].sort());
  });

  it("and say the same of what they share", () => {
    const definitions = new Map<string, unknown>();
    for (const name of NAMES) {
      for (const [key, definition] of Object.entries(files[name].$defs)) {
        if (["plan", "step", "steps"].includes(key)) continue;
        if (definitions.has(key)) expect(definition).toEqual(definitions.get(key));
        definitions.set(key, definition);
      }
    }
  });
});

describe("schemas accept what the parsers accept", () => {
  const samples = NAMES.flatMap((name) => accepted[name].map((value, i) => [name, i, value] as const));
  it.each(samples)("%s %i", (name, _, value) => {
    expect(shapeProblems(name, value)).toEqual([]);
    expect(fits(name, value) || ajv.errorsText()).toBe(true);
  });

  it.each(samples)("%s %i, changed in one place in every way", (name, _, value) => {
    const disagreements: string[] = [];
    for (const { what, changed } of variants(value)) {
      // With anything but a list as its plan it would be a workflow, not an action plan.
      if (name === "actions" && isWorkflow(changed)) continue;
      const problems = shapeProblems(name, changed);
      if (fits(name, changed) === (problems.length === 0)) continue;
      disagreements.push(`${what}: ${problems[0] ?? `only the schema refuses: ${ajv.errorsText()}`}`);
    }
    expect(disagreements).toEqual([]);
  });
});

describe("schemas refuse what the parsers refuse", () => {
  const samples = NAMES.flatMap((name) => refused[name].map((value: Json) => [name, value] as const));
  it.each(samples)("%s %j", (name, value) => {
    expect(shapeProblems(name, value)).not.toEqual([]);
    expect(fits(name, value)).toBe(false);
  });
});

const OTHERS: readonly Json[] = [5, -1, 0.5, "", "some text", null, true, [], [5], {}, { zzz: 1 }];

/** The value with one thing changed: an unknown field, a missing one, another value. */
function* variants(value: Json, path = ""): Generator<{ what: string; changed: Json }> {
  if (path !== "")
    for (const other of OTHERS) yield { what: `${path} = ${JSON.stringify(other)}`, changed: other };
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      for (const { what, changed } of variants(item, `${path}/${i}`))
        yield { what, changed: value.with(i, changed) };
    }
  } else if (typeof value === "object" && value !== null) {
    const object = value as { readonly [key: string]: Json };
    yield { what: `${path} + unknown field`, changed: { ...object, qqqqqqqqqqqq: 1 } };
    for (const [key, item] of Object.entries(object)) {
      const { [key]: _, ...rest } = object;
      yield { what: `${path} without ${key}`, changed: rest };
      for (const { what, changed } of variants(item, `${path}/${key}`))
        yield { what, changed: { ...object, [key]: changed } };
    }
  }
}
