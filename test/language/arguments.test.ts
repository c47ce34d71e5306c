import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { compile } from "../../src/compiler.ts";
import { expectClean, expectMarked } from "../marked-plan.ts";

const field = (name: string, type_name: string, more: object = {}) => ({ name, type_name, ...more });

const agents: Record<string, Json> = {
  "/all.agent": {
    arguments: [
      field("s", "string", { required: false }),
      field("n", "number", { required: false }),
      field("b", "boolean", { required: false }),
      field("l", "list", { required: false }),
      field("o", "object", { required: false }),
      field("f", "file", { required: false }),
      field("e", "string", { required: false, enum: ["low", "high"] }),
    ],
    responses: [
      field("s", "string"),
      field("n", "number"),
      field("b", "boolean"),
      field("l", "list"),
      field("o", "object"),
      field("f", "file"),
      field("any", "any"),
    ],
    system_event_endpoint: "all",
  },
  "/needs.agent": {
    arguments: [
      field("must", "string"),
      field("may", "string", { required: false }),
      field("has", "string", { default_value: "x" }),
    ],
    system_event_endpoint: "needs",
  },
};

function agent(instructions: string): string {
  return `{ "instructions": [
  { "execution_id": "a", "agent_definition_path": "/all.agent" },
  ${instructions}
] }`;
}

describe("arguments of agents", () => {
  test("references and constants must fit the declared types", () => {
    expectMarked(
      agent(`{ "execution_id": "b", "agent_definition_path": "/all.agent", "arguments": {
    "s": "⟦type-mismatch⟧REF:a.n", "n": "⟦type-mismatch⟧REF:a.b", "b": "⟦type-mismatch⟧REF:a.n",
    "l": "⟦type-mismatch⟧REF:a.o", "o": "⟦type-mismatch⟧REF:a.l", "f": "⟦type-mismatch⟧REF:a.n", "e": ⟦type-mismatch⟧"middle"
  } },
  { "execution_id": "c", "agent_definition_path": "/all.agent", "arguments": {
    "s": ⟦type-mismatch⟧5, "n": ⟦type-mismatch⟧"5", "b": ⟦type-mismatch⟧0, "l": ⟦type-mismatch⟧{}, "o": ⟦type-mismatch⟧["REF:a.s"], "f": ⟦type-mismatch⟧true
  } },
  { "execution_id": "d", "agent_definition_path": "/all.agent", "arguments": {
    "s": "REF:a.f", "n": "REF:a.l.length", "b": false, "l": ["REF:a.s"], "o": { "x": "REF:a.n" }, "f": "/a/path.txt", "e": "low"
  } },
  { "execution_id": "e", "agent_definition_path": "/all.agent", "arguments": {
    "s": "REF:a.any", "n": "REF:a.any.x", "b": null, "l": "REF:a.o.rows", "o": "REF:a.l.first", "f": "REF:a.f"
  } }`),
      { agents },
    );
  });

  test("required ones must be there: reported at the object that lacks them", () => {
    expectMarked(
      agent(`⟦missing-argument⟧{ "execution_id": "b", "agent_definition_path": "/needs.agent" },
  { "execution_id": "c", "agent_definition_path": "/needs.agent", "arguments": ⟦missing-argument⟧{ "may": "x" } },
  { "execution_id": "d", "agent_definition_path": "/needs.agent", "arguments": { "must": "REF:a.s" } },
  { "execution_id": "e", "agent_definition_path": "/needs.agent", "arguments": { "must": ⟦type-mismatch⟧null } },
  { "execution_id": "f", "agent_definition_path": "/needs.agent", "transform_arguments": { "transforms": { "must": "REF:a.s" } } },
  { "execution_id": "g", "agent_definition_path": "/needs.agent",
    "parallel_execution": { "iterate_over": "REF:a.l", "child_argument_name": "must" } }`),
      { agents },
    );
  });

  test("undeclared ones are a warning, unless a transform reads them", () => {
    expectMarked(
      agent(`{ "execution_id": "b", "agent_definition_path": "/needs.agent", "arguments": { "must": "x", ⟦unexpected-argument⟧"maay": "y" } },
  { "execution_id": "c", "agent_definition_path": "/needs.agent", "arguments": { "raw": "x" },
    "transform_arguments": { "transforms": { "must": "upper(raw)" } } },
  { "execution_id": "d", "agent_definition_path": "/needs.agent", "arguments": { "must": "x" },
    "parallel_execution": { "iterate_over": [1], "child_argument_name": ⟦unexpected-argument⟧"mus" } }`),
      { agents },
    );
  });

  test("every problem has the kind of error that it is", () => {
    const plan = agent(
      `{ "execution_id": "b", "agent_definition_path": "/needs.agent", "arguments": { "may": 5, "x": 1 } }`,
    );
    const names = compile(plan, { agents }).diagnostics.map(({ name }) => name);
    expect(names).toEqual(["SchemaValidationError", "SchemaValidationError", "SchemaValidationError"]);
  });
});

describe("fan-outs", () => {
  test("iterate over a reference to a list or a list", () => {
    const fan = (over: string) =>
      `{ "execution_id": "f", "agent_definition_path": "/all.agent", "parallel_execution": { "iterate_over": ${over}, "child_argument_name": "n" } }`;
    for (const over of ['"REF:a.l"', "[]", "[1, 2]", '["REF:a.n"]', '"REF:a.any"', '"REF:a.l.*.x"']) {
      expectMarked(agent(fan(over)), { agents });
    }
    for (const over of [
      '"⟦type-mismatch⟧REF:a.o"',
      '"⟦type-mismatch⟧REF:a.s"',
      '[1, ⟦type-mismatch⟧"2"]',
      '["⟦type-mismatch⟧REF:a.s"]',
    ]) {
      expectMarked(agent(fan(over)), { agents });
    }
    for (const over of ["⟦wrong-shape⟧5", '⟦wrong-shape⟧"a.l"', "⟦wrong-shape⟧{}", "⟦wrong-shape⟧null"]) {
      expectMarked(agent(fan(over)), { agents });
    }
  });

  test("have their own fields", () => {
    expectMarked(
      agent(`{ "execution_id": "f", "agent_definition_path": "/x.agent", "parallel_execution": ⟦missing-field⟧{ "child_argument_name": "n" } },
  { "execution_id": "g", "agent_definition_path": "/x.agent", "parallel_execution": ⟦missing-field⟧{ "iterate_over": [] } },
  { "execution_id": "h", "agent_definition_path": "/x.agent", "parallel_execution": {
    "iterate_over": [], "child_argument_name": "n", "max_concurrency": ⟦wrong-shape⟧0, "on_error": ⟦invalid-value⟧"colect", ⟦unknown-field⟧"limit": 1 } }`),
      { agents: { ...agents, "/x.agent": { system_event_endpoint: "x" } } },
    );
  });
});

const text = { type: "string" };
const number = { type: "number" };
const tools = {
  find: {
    input: { type: "object", properties: { name: text, max: number }, required: ["name"] },
    output: {
      type: "object",
      properties: {
        rows: { type: "array", items: { type: "object", properties: { id: text, age: number } } },
        total: number,
      },
    },
  },
  strict: { input: { type: "object", properties: { id: text }, additionalProperties: false } },
  bare: () => null,
};

describe("arguments of tools with schemas", () => {
  test("in action plans", () => {
    expectMarked(
      `[
  { "id": "f", "tool": "find", "arguments": { "name": "Ann", "max": ⟦type-mismatch⟧"9" } },
  { "id": "g", "tool": "find", "arguments": ⟦missing-argument⟧{ "max": "{{f.result.total}}" } },
  { "id": "h", "tool": "strict", "arguments": { "id": "{{f.result.rows[0].id}}", ⟦forbidden-argument⟧"ids": 1 } },
  { "id": "i", "tool": "find", "arguments": { "name": "⟦type-mismatch⟧{{f.result.rows[0].age}}", "max": ⟦type-mismatch⟧"{{f.result.total}} rows" } },
  { "id": "j", "tool": "bare", "arguments": { "x": "⟦unknown-response⟧{{f.result.row}}", "y": "⟦unknown-attribute⟧{{f.result.rows[0].nmae}}", "z": "{{f.result.rows.*.id}}" } },
  ⟦missing-argument⟧{ "id": "k", "tool": "find" },
  { "id": "l", "tool": ⟦unknown-tool⟧"fnd" },
  { "id": "m", "tool": "find", "arguments": { "name": "x", ⟦unexpected-argument⟧"maxx": 1 } }
]`,
      { tools },
    );
  });

  test("in step plans", () => {
    expectMarked(
      `{ "steps": [
  { "tool": "find", "params": { "name": "Ann" } },
  { "tool": "find", "params": { "name": "\${step[0].data.rows.first.id}", "max": "⟦type-mismatch⟧\${step[0].data.rows.first.id}" } },
  { "tool": "strict", "params": { "id": "⟦unknown-response⟧\${step[1].data.id}" } },
  { "tool": ⟦unknown-tool⟧"Find" }
] }`,
      { tools },
    );
  });

  test("in agents, whose definitions may say less than their tools", () => {
    expectMarked(
      `{ "instructions": [
  { "execution_id": "f", "agent_definition": { "system_event_endpoint": "find" }, "arguments": { "name": "x" } },
  { "execution_id": "g", "agent_definition": { "system_event_endpoint": "strict" }, "arguments": { "id": "⟦type-mismatch⟧REF:f.total" } },
  { "execution_id": "h", "agent_definition": { "system_event_endpoint": "bare" }, "arguments": { "id": "⟦unknown-response⟧REF:f.totl" } }
] }`,
      { tools },
    );
  });

  test("nested objects and lists are looked into", () => {
    const schema = {
      type: "object",
      properties: {
        to: { type: "array", items: { type: "object", properties: { mail: text }, required: ["mail"] } },
      },
    };
    expectMarked(
      `[{ "id": "a", "tool": "send", "arguments": { "to": [{ "mail": "x" }, ⟦missing-argument⟧{}, { "mail": ⟦type-mismatch⟧1 }, ⟦type-mismatch⟧"x"] } }]`,
      { tools: { send: { input: schema } } },
    );
  });

  test("constants beside references are looked at where they stand", () => {
    const send = { input: { type: "object", properties: { to: { type: "array", items: text } } } };
    expectMarked(
      `[{ "id": "f", "tool": "bare" }, { "id": "a", "tool": "send", "arguments": { "to": [⟦type-mismatch⟧1, "{{f.result}}", "x", ⟦type-mismatch⟧2] } }]`,
      { tools: { ...tools, send } },
    );
  });

  test("what a schema leaves open is silent", () => {
    const open = {
      type: "object",
      properties: { a: { anyOf: [text, number] }, b: { type: ["string", "null"] }, c: {} },
    };
    expectClean([{ id: "a", tool: "t", arguments: { a: 1, b: null, c: [] } }], {
      tools: { t: { input: open } },
    });
  });
});
