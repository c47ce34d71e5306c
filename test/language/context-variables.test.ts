import { describe, expect, test } from "vitest";
import { compile } from "../../src/compiler.ts";
import { codesOf, expectClean, expectMarked } from "../marked-plan.ts";

const plan = [{ id: "InterviewAgent", tool: "interview" }];
const derived = (triggers: string) => `{
  "plan": [{ "id": "ask", "tool": "InterviewAgent" }, { "id": "send", "tool": "send_email", "arguments": { "text": "{{PLACEHOLDER_reply}}" } }],
  "context_variables": { "derived_variables": [{ "name": "done", "default": false, "triggers": ${triggers} }] }
}`;

describe("workflows", () => {
  test("hold a plan in any language, and its context variables", () => {
    const context_variables = { runtime_variables: [{ name: "user", type: "string", default: "Ann" }] };
    expectClean({
      name: "w",
      context_variables,
      plan: [{ id: "a", tool: "t", arguments: { x: "{{context.user}}" } }],
    });
    expectClean({ context_variables, plan: { steps: [{ tool: "t", params: { x: "hi ${context.user}" } }] } });
    const instructions = [
      { execution_id: "a", agent_definition_path: "/a.agent", arguments: { x: "REF:context.user" } },
    ];
    expect(expectClean({ context_variables, plan: { instructions } }).program?.dialect).toBe("agent");
  });

  test("may name the file of the plan", () => {
    const source = `{ "context_variables": {}, "plan": ⟦invalid-value⟧"plan.json" }`;
    expectMarked(source);
    const load = (path: string) => (path === "plan.json" ? JSON.stringify(plan) : undefined);
    expectClean({ context_variables: {}, plan: "plan.json" }, { load });
  });

  test("take a context_variables.json beside the plan", () => {
    const contextVariables = { context_variables: { runtime_variables: [{ name: "user" }] } };
    const text = `[{ "id": "a", "tool": "t", "arguments": { "x": "{{context.user}} ⟦unknown-context-variable⟧{{context.usr}}" } }]`;
    expectMarked(text, { contextVariables });
    expectMarked(text, { contextVariables: JSON.stringify(contextVariables) });
  });

  test("other fields are errors", () => {
    expectMarked(
      `{ "plan": [{ "id": "a", "tool": "t" }], "context_variables": {}, ⟦unknown-field⟧"steps": [] }`,
    );
  });
});

describe("context variables", () => {
  test("of three classes", () => {
    expectClean({
      context_variables: {
        defined_variables: [
          {
            name: "mail",
            type: "string",
            default: null,
            required: false,
            description: "",
            database: {
              collection: "users",
              search_by: { id: "REF:arguments.user", kind: 1 },
              field: "mail",
            },
          },
        ],
        runtime_variables: [{ name: "count", type: "number", default: 0 }],
        derived_variables: [{ name: "done", triggers: [] }],
      },
      plan,
    });
  });

  test("a name belongs to one class, once", () => {
    expectMarked(`{ "plan": [{ "id": "a", "tool": "t" }], "context_variables": {
  "runtime_variables": [{ "name": "x" }, { "name": ⟦duplicate-variable⟧"x" }],
  "derived_variables": [{ "name": ⟦duplicate-variable⟧"x", "triggers": [] }]
} }`);
  });

  test("their declarations are checked", () => {
    expectMarked(`{ "plan": [{ "id": "a", "tool": "t" }], "context_variables": {
  ⟦unknown-field⟧"derived_variable": [⟦missing-field⟧{ "name": "a" }, { "name": "b", "triggers": [], "default": ⟦wrong-shape⟧"no" }],
  "runtime_variables": [⟦missing-field⟧{}, { "name": ⟦invalid-id⟧"a b" }, { "name": "c", "type": ⟦unknown-type⟧"nummber" }, ⟦wrong-shape⟧"d", { "name": "e", ⟦unknown-field⟧"valu": 1 }],
  "defined_variables": [
    ⟦missing-field⟧{ "name": "f" },
    { "name": "g", "database": ⟦missing-field⟧⟦missing-field⟧⟦missing-field⟧{} },
    { "name": "h", "database": { "collection": ⟦wrong-shape⟧1, "search_by": ⟦wrong-shape⟧"id", "field": "x" } },
    { "name": "i", "database": { "collection": "c", "search_by": { "id": "⟦misplaced-reference⟧REF:step.x" }, "field": "x" } }
  ]
} }`);
    expectMarked(`{ "plan": [], "context_variables": ⟦wrong-shape⟧[] }`);
  });

  test("references to undeclared ones are errors, in every language and in conditions", () => {
    const context_variables = { runtime_variables: [{ name: "user" }] };
    const conditions = [{ param: "${context.usr}", operator: "exists" }];
    expect(codesOf({ context_variables, plan: { steps: [{ tool: "t", conditions }] } })).toEqual([
      "unknown-context-variable",
    ]);
    const instructions = [
      { execution_id: "a", agent_definition_path: "/a", arguments: { x: "REF:context.usr.name" } },
    ];
    expect(codesOf({ context_variables, instructions })).toEqual(["unknown-context-variable"]);
  });
});

describe("triggers", () => {
  test("of every type", () => {
    expectMarked(
      derived(`[
    { "type": "agent_text", "agent": "InterviewAgent", "match": { "equals": "TERMINATE" } },
    { "type": "agent_text", "agent": "ask", "match": { "contains": "bye", "ignore_case": true }, "description": "" },
    { "type": "agent_text", "agent": "ask", "match": { "regex": "^bye" } },
    { "type": "agent_turn_count", "agent": "InterviewAgent", "at_least": 3 },
    { "type": "tool_response", "tool": "send_email", "status": "succeeded", "conditions": [{ "param": "REF:response.ok", "operator": "equals", "value": true }] },
    { "type": "tool_response", "tool": "send_email" },
    { "type": "timer_expired", "after_ms": 1000 },
    { "type": "timer_expired", "at": "2031-01-01T00:00:00Z" },
    { "type": "ui_response", "question": "reply", "conditions": [{ "param": "REF:answer", "operator": "equals", "value": "yes" }] },
    { "type": "function", "source": "(event) => event.kind === 'TurnTaken'" }
  ]`),
    );
  });

  test("unknown types, missing fields and absent agents are errors", () => {
    expectMarked(
      derived(`[
    { "type": ⟦unknown-trigger⟧"agent_txt", "agent": "ask" },
    ⟦missing-field⟧{ "agent": "ask" },
    { "type": ⟦wrong-shape⟧7 },
    ⟦wrong-shape⟧"agent_text",
    ⟦missing-field⟧⟦missing-field⟧{ "type": "agent_text" },
    { "type": "agent_text", "agent": ⟦unknown-trigger-agent⟧"Ghost", "match": { "equals": "x" } },
    { "type": "agent_text", "agent": "ask", "match": ⟦missing-field⟧{ ⟦unknown-field⟧"like": "x" } },
    { "type": "agent_text", "agent": "ask", "match": ⟦conflicting-fields⟧{ "equals": "x", "contains": "y" } },
    { "type": "agent_text", "agent": "ask", "match": { "regex": ⟦invalid-pattern⟧"(" } },
    { "type": "agent_text", "agent": "ask", "match": { "equals": ⟦wrong-shape⟧1 } },
    ⟦missing-field⟧{ "type": "agent_turn_count", "agent": ⟦unknown-trigger-agent⟧"InterviewAgnt" },
    { "type": "agent_turn_count", "agent": "ask", "at_least": ⟦wrong-shape⟧0 },
    { "type": "tool_response", "tool": "send_email", "status": ⟦invalid-value⟧"ok" },
    ⟦missing-field⟧{ "type": "tool_response" },
    ⟦missing-field⟧{ "type": "timer_expired" },
    { "type": "timer_expired", "at": ⟦invalid-value⟧"soon" },
    { "type": "timer_expired", "after_ms": ⟦wrong-shape⟧"1s" },
    ⟦missing-field⟧{ "type": "ui_response" },
    ⟦missing-field⟧{ "type": "function" },
    { "type": "ui_response", "question": "reply", "conditions": [{ "param": "⟦misplaced-reference⟧REF:response.x", "operator": "exists" }] }
  ]`),
    );
  });

  test("that wait for a tool or question which the plan lacks get a warning", () => {
    const { program } = expectMarked(
      derived(
        `[{ "type": "tool_response", "tool": ⟦idle-trigger⟧"send_mail" }, { "type": "ui_response", "question": ⟦idle-trigger⟧"other" }]`,
      ),
    );
    expect(program).toBeDefined();
  });

  test("know the agents inside agents, by the last part of their paths", () => {
    const triggers = [{ type: "agent_text", agent: "inner", match: { equals: "x" } }];
    const agents = {
      "/a/outer.agent": { instructions: [{ execution_id: "i", agent_definition_path: "/a/inner.agent" }] },
      "/a/inner.agent": { system_event_endpoint: "t" },
    };
    const source = {
      context_variables: { derived_variables: [{ name: "x", triggers }] },
      plan: { instructions: [{ execution_id: "o", agent_definition_path: "/a/outer.agent" }] },
    };
    expect(compile(source, { agents }).diagnostics).toEqual([]);
  });
});
