import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { compile } from "../../src/compiler.ts";
import { codesOf, expectClean, expectMarked } from "../marked-plan.ts";

const free = { system_event_endpoint: "free" };

describe("definitions", () => {
  test("all fields of a definition and an instruction", () => {
    expectClean({
      name: "whole",
      version: "1",
      description: "",
      metadata: {},
      arguments: [{ name: "a", type_name: "list", required: false, default_value: [], description: "" }],
      responses: [{ name: "r", type_name: "any", required: false, metadata: 1 }],
      transform_arguments: { variables: {}, transforms: {} },
      transform_results: {},
      context_variables: { runtime_variables: [] },
      response_reference_map: { r: "REF:x.response.first" },
      instructions: [
        {
          execution_id: "x",
          agent_definition: free,
          arguments: {},
          dependencies: [],
          conditions: [],
          parallel_execution: {
            iterate_over: "REF:arguments.a",
            child_argument_name: "i",
            max_concurrency: 2,
            on_error: "collect",
          },
          transform_arguments: {},
          transform_results: {},
          policy: { retries: 2 },
          requires_confirmation: true,
          description: "",
          metadata: null,
        },
        {
          execution_id: "y",
          agent_definition_path: "/y.agent",
          repeat: { until: [{ param: "REF:y.done", operator: "exists" }], max: 3 },
        },
      ],
    });
  });

  test("others are errors", () => {
    expectMarked(
      `{
  ⟦unknown-field⟧"instuctions": [
    ⟦missing-field⟧{ ⟦unknown-field⟧"executionId": "a", ⟦unknown-field⟧"tool": "t", ⟦unknown-field⟧"params": {} }
  ],
  ⟦unknown-field⟧"outputs": []
}`,
      { dialect: "agent" },
    );
  });

  test("an agent has an endpoint or instructions, never both", () => {
    expectMarked(`⟦conflicting-fields⟧{ "system_event_endpoint": "t", "instructions": [] }`);
    expectMarked(`⟦missing-field⟧{ "arguments": [] }`, { dialect: "agent" });
    expectMarked(`{ "instructions": [{ "execution_id": "a", "agent_definition": ⟦missing-field⟧{} }] }`);
    expectMarked(`{ "system_event_endpoint": ⟦wrong-shape⟧7 }`);
    expectMarked(`{ "instructions": ⟦wrong-shape⟧{} }`);
  });

  test("an instruction has a path or an inline definition, one of them", () => {
    expectMarked(`{ "instructions": [
  ⟦missing-field⟧{ "execution_id": "a" },
  ⟦conflicting-fields⟧{ "execution_id": "b", "agent_definition_path": "/x.agent", "agent_definition": { "system_event_endpoint": "t" } },
  { "execution_id": "c", "agent_definition": ⟦wrong-shape⟧"x" },
  { "execution_id": "d", "agent_definition_path": ⟦wrong-shape⟧{} }
] }`);
  });

  test("other spellings are accepted", () => {
    expectClean(
      { instructions: [{ execution_id: "a", tool_definition_path: "/x.tool" }] },
      { agents: { "/x.tool": free } },
    );
  });

  test("unknown agents and tools are errors, each time they are named", () => {
    expectMarked(
      `{ "instructions": [
  { "execution_id": "a", "agent_definition_path": ⟦unknown-agent⟧"/y.agent" },
  { "execution_id": "b", "agent_definition_path": ⟦unknown-agent⟧"/y.agent" },
  { "execution_id": "c", "agent_definition_path": "x.agent" },
  { "execution_id": "d", "agent_definition": { "system_event_endpoint": ⟦unknown-tool⟧"fre" } }
] }`,
      { agents: { "/x.agent": free }, tools: { free: () => 1 } },
    );
  });

  test("without agents and tools nothing is said of unknown ones", () => {
    expectClean({ instructions: [{ execution_id: "a", agent_definition_path: "/y.agent" }] });
    expectClean({ system_event_endpoint: "t" });
  });

  test("problems of a called agent are reported in its own file", () => {
    const agents = { "/x.agent": `{\n  "instructions": [{ "execution_id": "i", "agent_definition": 5 }]\n}` };
    const plan = { instructions: [{ execution_id: "a", agent_definition_path: "/x.agent" }] };
    expect(compile(plan, { agents }).diagnostics).toMatchObject([
      { code: "wrong-shape", file: "/x.agent", line: 2, column: 63 },
    ]);
  });

  test("a called agent that is no JSON is reported where it is called", () => {
    const plan = `{ "instructions": [{ "execution_id": "a", "agent_definition_path": ⟦invalid-schema⟧"/x.agent" }] }`;
    expectMarked(plan, { agents: { "/x.agent": "{ nonsense" } });
  });

  test("ids are unique, of letters, digits, _ and -, and not reserved", () => {
    const step = (id: string) => `{ "execution_id": ${id}, "agent_definition_path": "/x.agent" }`;
    const ids = ["arguments", "response", "context", "self", "execution", "item"];
    expectMarked(`{ "instructions": [
  ${ids.map((id) => step(`⟦reserved-id⟧"${id}"`)).join(",\n  ")},
  ${step('"a-b_C9"')}, ${step('⟦duplicate-id⟧"a-b_C9"')}, ${step('⟦invalid-id⟧"a b"')}, ${step("⟦wrong-shape⟧1")}
] }`);
  });

  test("composites nest, and may call themselves under a condition", () => {
    const conditions = [{ param: "REF:arguments.n", operator: "greater_than", value: 0 }];
    const agents: Record<string, Json> = {
      "/down.agent": {
        arguments: [{ name: "n", type_name: "number" }],
        instructions: [
          { execution_id: "d", agent_definition_path: "/down.agent", arguments: { n: 1 }, conditions },
        ],
      },
    };
    const plan = {
      instructions: [{ execution_id: "a", agent_definition_path: "/down.agent", arguments: { n: 3 } }],
    };
    expect(expectClean(plan, { agents }).program?.blocks.length).toBe(2);
  });

  test("one that always calls itself gets a warning", () => {
    const agents = {
      "/x.agent": { instructions: [{ execution_id: "x", agent_definition_path: "/x.agent" }] },
    };
    const plan = { instructions: [{ execution_id: "a", agent_definition_path: "/x.agent" }] };
    expect(codesOf(plan, { agents })).toEqual(["endless-recursion"]);
  });
});

describe("declared arguments and responses", () => {
  const fields = (list: string) => `{ "system_event_endpoint": "t", "arguments": [${list}] }`;

  test("types, enums, defaults and patterns", () => {
    const types = ["string", "number", "boolean", "list", "object", "file", "any"];
    expectMarked(fields(types.map((type, i) => `{ "name": "a${i}", "type_name": "${type}" }`).join(", ")));
    expectMarked(
      fields(`
    { "name": "a", "type_name": ⟦unknown-type⟧"integer" },
    { "name": "b", "type_name": ⟦unknown-type⟧"String" },
    { "name": "c", "type_name": "number", "default_value": ⟦type-mismatch⟧true },
    { "name": "d", "type_name": "string", "enum": ["x", ⟦type-mismatch⟧1], "default_value": ⟦invalid-value⟧"y" },
    { "name": "e", "type_name": "string", "regex_pattern": ⟦invalid-pattern⟧"(" },
    { "name": "f", "type_name": "string", "required": ⟦wrong-shape⟧"no" },
    { "name": ⟦duplicate-id⟧"f", "type_name": "string" },
    { "name": ⟦invalid-id⟧"a b", "type_name": "string" },
    ⟦missing-field⟧{ "type_name": "string" },
    ⟦wrong-shape⟧"g",
    { "name": "h", "type_name": "string", ⟦unknown-field⟧"typ": 1 },
    { "name": "i", "type_name": "string", "required_conditions": [{ "param": "REF:arguments.a", "operator": "exists" }] },
    { "name": "j", "type_name": "string", "required_conditions": [{ "param": "⟦unknown-argument⟧REF:arguments.z", "operator": ⟦unknown-operator⟧"exist" }] }
  `),
    );
  });

  test("references to arguments must be declared", () => {
    expectMarked(`{ "instructions": [
  { "execution_id": "a", "agent_definition_path": "/x.agent", "arguments": { "x": "⟦unknown-argument⟧REF:arguments.x" } }
] }`);
  });
});

describe("response maps", () => {
  const agents: Record<string, Json> = {
    "/n.agent": {
      responses: [
        { name: "n", type_name: "number" },
        { name: "l", type_name: "list" },
      ],
      system_event_endpoint: "n",
    },
  };
  const mapped = (responses: string, map: string) => `{
  "instructions": [{ "execution_id": "a", "agent_definition_path": "/n.agent" }],
  "responses": [${responses}]${map}
}`;

  test("may hold references, static values and nested structures", () => {
    const map = `, "response_reference_map": { "x": "REF:a.n", "y": { "deep": ["REF:a.l.length", 5] }, "z": "text" }`;
    const responses = ["number", "object", "string"].map(
      (type, i) => `{ "name": "${"xyz"[i]}", "type_name": "${type}" }`,
    );
    expectMarked(mapped(responses.join(), map), { agents });
  });

  test("must make every required response", () => {
    const responses = `{ "name": "x", "type_name": "number" }, { "name": "y", "type_name": "list", "required": false }`;
    expectMarked(mapped(responses, `, "response_reference_map": ⟦missing-response⟧{ "y": [] }`), { agents });
    expectMarked(`⟦missing-response⟧${mapped(responses, "")}`, { agents });
    const made = `, "transform_results": { "transforms": { "x": "sum([1])" } }`;
    expectMarked(mapped(responses, made), { agents });
  });

  test("must fit what is declared", () => {
    const responses = `{ "name": "x", "type_name": "string" }, { "name": "y", "type_name": "boolean" }, { "name": "z", "type_name": "file" }`;
    const map = `, "response_reference_map": { "x": "⟦type-mismatch⟧REF:a.n", "y": ⟦type-mismatch⟧1, "z": "⟦unknown-response⟧REF:a.f", ⟦undeclared-response⟧"w": 1 }`;
    expectMarked(mapped(responses, map), { agents });
  });

  test("give an agent that declares no responses its types", () => {
    const inner = {
      instructions: [{ execution_id: "a", agent_definition_path: "/n.agent" }],
      response_reference_map: { sum: "REF:a.n", text: "fixed" },
    };
    const plan = `{ "instructions": [
  { "execution_id": "in", "agent_definition_path": "/inner.agent" },
  { "execution_id": "b", "agent_definition_path": "/x.agent", "arguments": {
    "s": "REF:in.text", "t": "⟦unknown-response⟧REF:in.txet", "n": "⟦unknown-attribute⟧REF:in.sum.x"
  } }
] }`;
    const x = { system_event_endpoint: "x" };
    expectMarked(plan, { agents: { ...agents, "/inner.agent": inner, "/x.agent": x } });
  });
});
