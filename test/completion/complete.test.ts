/* What is offered while a plan is being written. ▮ is the cursor; the text around it is as broken as typing leaves it. */
import { describe, expect, test } from "vitest";
import { type CompletionOptions, complete } from "../../src/compiler.ts";

const tools = {
  find_person: {
    description: "finds people",
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "all or part of it" },
        limit: { type: "number" },
        order: { enum: ["asc", "desc"] },
        exact: { type: "boolean" },
      },
      required: ["name"],
    },
    output: {
      type: "object",
      properties: {
        people: {
          type: "array",
          items: { type: "object", properties: { email: { type: "string" }, age: { type: "number" } } },
        },
        total: { type: "number" },
      },
    },
  },
  send: { input: { type: "object", properties: { to: { type: "string" }, body: { type: "string" } } } },
} as const satisfies CompletionOptions["tools"];

const agents = {
  "/people/find.agent": {
    description: "looks people up",
    system_event_endpoint: "find_person",
    arguments: [{ name: "name", type_name: "string" }],
    responses: [
      { name: "people", type_name: "list" },
      { name: "total", type_name: "number" },
    ],
  },
};

function offered(marked: string, options: CompletionOptions = {}) {
  const offset = marked.indexOf("▮");
  const text = marked.replace("▮", "");
  return complete(text, offset, { tools, agents, builtIns: { tools: {}, agents: {} }, ...options }).map(
    (item) => {
      const { from, to, text: insert } = item.edit;
      const caret = item.caret ?? insert.length;
      const edited = `${text.slice(0, from)}${insert.slice(0, caret)}▮${insert.slice(caret)}${text.slice(to)}`;
      return { ...item, edited };
    },
  );
}

const labels = (marked: string, options?: CompletionOptions) =>
  offered(marked, options).map(({ label }) => label);
/** What the text becomes when the offer of that name is taken. */
const taken = (marked: string, label: string) => offered(marked).find((item) => item.label === label)?.edited;

const find = `{ "id": "find", "tool": "find_person", "arguments": { "name": "Jo" } }`;

describe("action plans", () => {
  test("fields of a step, those that are not there yet", () => {
    expect(labels(`[{ "id": "a", ▮ }]`)).toEqual([
      "tool",
      "arguments",
      "intent",
      "dependencies",
      "conditions",
      "policy",
      "repeat",
      "requires_confirmation",
      "description",
      "metadata",
    ]);
    expect(taken(`[{ "id": "a", "arg▮`, "arguments")).toBe(`[{ "id": "a", "arguments": {▮}`);
    expect(taken(`[{ "id": "a", "to▮": "x" }]`, "tool")).toBe(`[{ "id": "a", "tool"▮: "x" }]`);
    expect(taken(`[{ "id": "a", ▮ }]`, "requires_confirmation")).toBe(
      `[{ "id": "a", "requires_confirmation": ▮ }]`,
    );
  });

  test("tools, with what they do", () => {
    expect(offered(`[{ "id": "a", "tool": "▮" }]`)).toMatchObject([
      {
        label: "find_person",
        kind: "tool",
        detail: "finds people",
        edited: `[{ "id": "a", "tool": "find_person"▮ }]`,
      },
      { label: "send" },
    ]);
    expect(taken(`[{ "id": "a", "tool": se▮`, "send")).toBe(`[{ "id": "a", "tool": "send"▮`);
    expect(taken(`[{ "id": "a", "tool": "person▮\n}]`, "find_person")).toBe(
      `[{ "id": "a", "tool": "find_person"▮\n}]`,
    );
  });

  test("arguments that the tool declares, wherever the tool is named", () => {
    expect(offered(`[{ "id": "a", "arguments": { "name": "x", ▮ }, "tool": "find_person" }]`)).toMatchObject([
      { label: "limit", detail: "a number, optional" },
      { label: "order" },
      { label: "exact" },
    ]);
    expect(offered(`[{ "tool": "find_person", "arguments": { "na▮`)).toMatchObject([
      { label: "name", detail: "a string · all or part of it" },
    ]);
    expect(labels(`[{ "tool": "find_person", "arguments": { "order": "▮" } }]`)).toContain("desc");
    expect(labels(`[{ "tool": "find_person", "arguments": { "exact": ▮ } }]`)).toEqual([
      "true",
      "false",
      "{{PLACEHOLDER_…}}",
    ]);
  });

  test("steps, and the keys of their results", () => {
    expect(
      taken(`[${find}, { "id": "b", "tool": "send", "arguments": { "to": "▮" } }]`, "{{find.result}}"),
    ).toBe(`[${find}, { "id": "b", "tool": "send", "arguments": { "to": "{{find.result▮}}" } }]`);
    const at = (text: string) => `[${find}, { "id": "b", "tool": "send", "arguments": { "to": "${text}`;
    expect(labels(at("Dear {{fi▮"))).toEqual(["find.result"]);
    expect(labels(at('{{find.▮}}" } }]'))).toEqual(["result"]);
    expect(labels(at('{{find.result.▮}}" } }]'))).toEqual(["people", "total"]);
    expect(labels(at("{{find.result.people.▮"))).toEqual(["length", "first", "last", "*"]);
    expect(labels(at("{{find.result.people[▮"))).toEqual(["0", "*"]);
    expect(labels(at("{{find.result.people[0].▮"))).toEqual(["email", "age"]);
    expect(labels(at("{{find.result.people[*].e▮"))).toEqual(["email", "age"]);
    expect(labels(at('{{find.result.total}} ▮" } }]'))).toEqual([]);
    expect(taken(at('{{find.result.pe▮op}}" } }]'), "people")).toBe(at('{{find.result.people▮}}" } }]'));
  });

  test("conditions and dependencies", () => {
    const at = (text: string) => `[${find}, { "id": "b", "tool": "send", ${text}`;
    expect(labels(at(`"conditions": [{ "param": "{{find.result.total}}", "operator": "great▮`))).toEqual([
      "greater_than",
      "greater_than_or_equal",
    ]);
    expect(labels(at(`"dependencies": ["▮"] }]`))).toEqual(["find"]);
    expect(labels(at(`"conditions": [{ "logic": ▮`))).toEqual(["AND", "OR"]);
  });

  test("context variables of a workflow", () => {
    const workflow = `{ "context_variables": { "runtime_variables": [{ "name": "city" }] }, "plan": [{ "id": "a", "tool": "send", "arguments": { "to": "{{con▮`;
    expect(labels(workflow)).toEqual(["context.city"]);
  });
});

describe("step plans", () => {
  const at = (text: string) =>
    `{ "steps": [{ "tool": "find_person", "params": {} }, { "tool": "send", "params": { "to": "${text}`;

  test("refer to earlier steps by number", () => {
    expect(labels(at('▮" } }, { "tool": "send" }] }'))).toEqual(["${step[0].data}"]);
    expect(labels(at("${st▮"))).toEqual(["step[0].data"]);
    expect(labels(at("${step[0].▮"))).toEqual(["data"]);
    expect(labels(at("${step[0].data.people[0].▮"))).toEqual(["email", "age"]);
    expect(labels(`{ "steps": [{ "tool": "send" }, { "tool": "send", "dependsOn": [▮] }] }`)).toEqual(["0"]);
  });
});

describe("agents", () => {
  const head = `{ "arguments": [{ "name": "who", "type_name": "string" }], "instructions": [{ "execution_id": "find", "agent_definition_path": "/people/find.agent" }, `;
  const at = (text: string) =>
    `${head}{ "execution_id": "b", "agent_definition_path": "/people/find.agent", ${text}`;

  test("agents by path, and what they take and give", () => {
    expect(offered(`${head}{ "agent_definition_path": "▮" }] }`)).toMatchObject([
      { label: "/people/find.agent", detail: "looks people up" },
    ]);
    expect(labels(at(`"arguments": { ▮`))).toEqual(["name"]);
    expect(labels(at(`"arguments": { "name": "▮" } }] }`))).toEqual(["REF:find", "REF:arguments.who"]);
    expect(labels(at(`"arguments": { "name": "REF:find.▮`))).toEqual([
      "people",
      "total",
      "status",
      "error",
      "error_message",
    ]);
    expect(labels(at(`"arguments": { "name": "REF:arg▮`))).toEqual(["arguments.who"]);
    expect(labels(at(`"parallel_execution": { "on_error": "▮`))).toEqual(["fail", "collect"]);
  });

  test("a definition inside a definition has steps of its own", () => {
    const inner = `"agent_definition": { "instructions": [{ "execution_id": "deep", "agent_definition": { "system_event_endpoint": "send" } }, { "execution_id": "e", "agent_definition": { "system_event_endpoint": "send" }, "arguments": { "to": "REF:▮`;
    expect(labels(`${head}{ "execution_id": "c", ${inner}`)).toEqual(["deep"]);
  });

  test("functions and names in transforms", () => {
    const results = (text: string) => at(`"transform_results": { "transforms": { "x": "${text}`);
    expect(taken(results('so▮" } } }] }'), "sort")).toBe(results('sort(▮)" } } }] }'));
    expect(offered(results("sor▮"))).toMatchObject([
      { kind: "function", detail: expect.stringContaining("sort(array") },
    ]);
    expect(labels(results("length(pe▮"))).toContain("people");
    expect(labels(results("map(REF:find.▮"))).toContain("people");
  });
});

test("at the very beginning of a plan", () => {
  expect(labels("{ ▮")).toEqual(
    expect.arrayContaining(["plan", "steps", "instructions", "context_variables"]),
  );
  expect(labels("▮")).toEqual(["action plan", "step plan", "agent"]);
  expect(taken("st▮", "step plan")).toContain('"tool": "▮"');
});
