/* Everything that is wrong is said at once, at the right place; and what has one obvious repair repairs itself. */
import { describe, expect, test } from "vitest";
import type { Json } from "../src/base/json.ts";
import { type CompileOptions, compile } from "../src/compiler.ts";
import { applyFixes } from "../src/source/fix.ts";
import { expectMarked, readMarks } from "./marked-plan.ts";

const text = { type: "string" };
const tools = {
  search: {
    input: { type: "object", properties: { query: text, limit: { type: "number" } }, required: ["query"] },
    output: {
      type: "object",
      properties: { hits: { type: "array", items: { type: "object", properties: { page_id: text } } } },
    },
  },
  write: { input: { type: "object", properties: { title: text, body: text }, required: ["title"] } },
};

const agents: Record<string, Json> = {
  "/search.agent": {
    arguments: [
      { name: "query", type_name: "string" },
      { name: "limit", type_name: "number", required: false },
    ],
    responses: [
      { name: "hits", type_name: "list" },
      { name: "page_count", type_name: "number" },
    ],
    system_event_endpoint: "search",
  },
};

test("an agent with twenty different mistakes", () => {
  const marked = `{
  "arguments": [
    { "name": "topic", "type_name": "string" },
    { "name": "size", "type_name": ⟦unknown-type⟧"nunber" },
    { "name": ⟦duplicate-id⟧"topic", "type_name": "string" },
    { "name": "zip", "type_name": "string", "regex_pattern": ⟦invalid-pattern⟧"[" }
  ],
  ⟦unknown-field⟧"respones": [{ "name": "pages", "type_name": "number" }],
  "instructions": [
    { "execution_id": "first", "agent_definition_path": "/search.agent", "arguments": { "query": "⟦unknown-argument⟧REF:arguments.topik" } },
    { "execution_id": "second", "agent_definition_path": ⟦unknown-agent⟧"/serach.agent" },
    { "execution_id": ⟦reserved-id⟧"item", "agent_definition_path": "/search.agent", "arguments": ⟦missing-argument⟧{ "limit": "⟦unknown-attribute⟧REF:first.hits.size" } },
    { "execution_id": "third", "agent_definition_path": "/search.agent",
      "arguments": { "query": "⟦unknown-step⟧REF:frist.hits", "limit": ⟦type-mismatch⟧"ten", ⟦unexpected-argument⟧"lang": "de" } },
    { "execution_id": "fourth", "agent_definition_path": "/search.agent", "arguments": { "query": "⟦malformed-reference⟧REF:first..hits" },
      "conditions": [{ "param": "⟦unknown-response⟧REF:first.page_cuont", "operator": ⟦unknown-operator⟧"is_about", "value": 3 }],
      "dependencies": [⟦unknown-dependency⟧"zeroth"] },
    ⟦missing-field⟧{ "execution_id": "fifth" },
    ⟦cycle⟧{ "execution_id": "sixth", "agent_definition_path": "/search.agent", "arguments": { "query": "REF:seventh.hits.first" } },
    { "execution_id": "seventh", "agent_definition_path": "/search.agent", "arguments": { "query": "REF:sixth.hits.first" },
      "transform_arguments": { "transforms": { "limit": "⟦unknown-function⟧summ([1])", "x": "join(⟦unknown-variable⟧wrods, ', ')", "y": "(1⟦transform-syntax⟧" } } }
  ],
  "response_reference_map": ⟦missing-response⟧{}
}`;
  const { expected } = readMarks(marked);
  expect(new Set(expected.map((place) => place.split(" ")[1])).size).toBeGreaterThanOrEqual(20);
  expectMarked(marked, { agents, tools });
});

test("an action plan with twenty different mistakes", () => {
  const marked = `{
  ⟦unknown-field⟧"nane": "mail",
  "plan": [
    { "id": "find", "tool": "search", "arguments": { "query": "x", ⟦unexpected-argument⟧"qery": "y", "limit": ⟦type-mismatch⟧"9" } },
    { "id": ⟦duplicate-id⟧"find", "tool": ⟦unknown-tool⟧"sreach" },
    { "id": ⟦reserved-id⟧"context", "tool": "write", "arguments": ⟦missing-argument⟧{} },
    { "id": ⟦invalid-id⟧"a b", "tool": "write", "arguments": { "title": "⟦missing-root⟧{{find.hits}}" } },
    { "id": "c", "tool": "write", "arguments": { "title": "⟦unknown-step⟧{{fnid.result}}", "body": "⟦looks-like-reference⟧{find.result.hits}" } },
    { "id": "d", "tool": "write", "arguments": { "title": "⟦malformed-reference⟧{{find.result.}}", "body": "⟦invalid-placeholder⟧{{PLACEHOLDER_a-b}}" } },
    ⟦missing-field⟧{ "id": "e", "intent": "⟦placeholder-is-text⟧{{PLACEHOLDER_x}}", ⟦recorded-field⟧"status": "failed" },
    { "id": "f", "tool": "write", "arguments": { "title": "⟦unknown-response⟧{{find.result.hit}}", "body": "⟦unknown-attribute⟧{{find.result.hits[0].pageId}}" },
      "dependencies": [⟦unknown-dependency⟧"zz"], "conditions": [⟦missing-operand⟧{ "param": 1, "operator": "equals" }, { "param": 1, "operator": "in", "value": ⟦idle-comparison⟧1 }],
      "policy": { "retries": ⟦wrong-shape⟧-1 } },
    ⟦cycle⟧{ "id": "g", "tool": "write", "arguments": { "title": "{{g.result}}" } },
    { "id": "h", "tool": "write", "arguments": { "title": "x" }, "conditions": [{ "param": 1, "operator": ⟦unknown-operator⟧"equal", "value": 1 }] }
  ]
}`;
  const { expected } = readMarks(marked);
  expect(new Set(expected.map((place) => place.split(" ")[1])).size).toBeGreaterThanOrEqual(20);
  expectMarked(marked, { tools });
});

/** Applies every fix there is, as `check --fix` does, until there are none. */
function repaired(plan: string, options: CompileOptions): string {
  let fixed = plan;
  for (let round = 0; round < 5; round++) {
    const fixes = compile(fixed, options).diagnostics.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
    if (fixes.length === 0) break;
    fixed = applyFixes(fixed, fixes).text;
  }
  return fixed;
}

describe("fixes make a plan that checks clean", () => {
  test("of an agent", () => {
    const plan = `{
  "arguments": [{ "name": "topic", "type_name": "String" }],
  "instructions": [
    { "execution_id": "find", "agentDefinitionPath": "/saerch.agent", "arguments": { "query": "{{arguments.topic}}" } },
    { "execution_id": "use", "agent_definition_path": "/search.agent",
      "arguments": { "query": "REF:fnid.hits.first", "limit": "REF:find.pageCount" },
      "conditions": [{ "param": "REF:find.hits.lenght", "operator": "greaterThan", "value": 0 }],
      "dependencies": ["fin"] },
    { "execution_id": "each", "agent_definition_path": "/search.agent",
      "parallel_execution": { "iterate_over": ["REF:arguments.topik"], "child_argument_name": "qeury", "on_error": "colect" } },
    { "execution_id": "more", "agent_definition_path": "/search.agent", "arguments": { "querry": "\${each.status}" },
      "transform_arguments": { "variables": { "list": [1] }, "transforms": { "limit": "summ(lsit)" } } }
  ],
  "response_reference_map": { "titles": "REF:each.hits" }
}`;
    expect(compile(plan, { agents }).diagnostics.length).toBeGreaterThan(14);
    expect(compile(repaired(plan, { agents }), { agents }).diagnostics).toEqual([]);
  });

  test("of a step plan", () => {
    const plan = `{ "steps": [
  { "tool": "serch", "parms": { "qurey": "cats", "limit": 3 } },
  { "tool": "write", "params": { "title": "\${step[0].hits[0].page_id}", "body": "{step[0].data.hits} and {{step[0].data.hits}} and $step[0].data.hits" } },
  { "tool": "write", "params": { "title": "\${steps[0].data.hits[0].pageId}", "body": "\${step0.data.hits[0].page_id} \${step.0.data}" },
    "depends_On": [1], "Optional": true, "conditions": [{ "param": 1, "operator": "==", "value": 1 }] }
] }`;
    const fixed = repaired(plan, { tools });
    expect(compile(fixed, { tools }).diagnostics).toEqual([]);
    expect(fixed).toContain(
      '"body": "${step[0].data.hits} and ${step[0].data.hits} and ${step[0].data.hits}"',
    );
  });

  test("of an action plan", () => {
    const plan = `[
  { "id": "find", "Tool": "Search", "arguments": { "Query": "cats" }, "status": "completed" },
  { "id": "note", "tool": "write", "arguments": { "title": "{{find.hits[0].pageID}}", "body": "{find.result.hits} \${find.result.hits}, {{fid.result.hits}}" }, "dependancies": ["fnd"] },
  { "ID": "end", "tool": "write", "arguments": { "title": "{{note.result}}" }, "conditions": [{ "param": "{{find.result.hits.lengt}}", "operator": "exist" }] }
]`;
    const fixed = repaired(plan, { tools });
    expect(compile(fixed, { tools }).diagnostics).toEqual([]);
    expect(fixed).toContain('"{{find.result.hits}} {{find.result.hits}}, {{find.result.hits}}"');
  });
});
