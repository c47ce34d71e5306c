/* Documents 1 and 2: whole agents in our own words, with the agents they call declared. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { expectClean, expectMarked } from "../marked-plan.ts";

const field = (name: string, type_name: string, required = true) => ({ name, type_name, required });
const primitive = (tool: string, args: Json, responses: Json): Json => ({
  system_event_endpoint: tool,
  arguments: args,
  responses,
});

const agents: Record<string, Json> = {
  "/library/sieve.agent": primitive(
    "sieve",
    [field("scans", "list")],
    [field("readable", "list"), field("refused", "list")],
  ),
  "/library/outline.agent": primitive(
    "outline",
    [field("scan", "string")],
    [field("title", "string"), field("pages", "number")],
  ),
  "/library/deep.agent": primitive("deep", [field("scan", "string")], [field("themes", "list")]),
  "/library/merge.agent": primitive(
    "merge",
    [field("outlines", "list"), field("themes", "list", false), field("level", "string")],
    [field("digest", "object")],
  ),
  "/library/print.agent": primitive(
    "print",
    [field("digest", "object"), field("copies", "number")],
    [field("sheet", "file")],
  ),
  "/shop/orders.agent": primitive(
    "orders",
    [field("since", "string")],
    [field("orders", "list"), field("fetched_at", "string")],
  ),
  "/shop/report.agent": primitive(
    "report",
    [
      field("orders", "list"),
      field("total", "number"),
      field("lines", "list"),
      field("count", "number"),
      field("intro", "string"),
    ],
    [field("findings", "list"), field("score", "number"), field("headline", "string", false)],
  ),
};

describe("a composite that fans out, branches and maps its responses", () => {
  const plan = (change: (text: string) => string = (text) => text) =>
    change(`{
  "description": "Reads scanned books",
  "arguments": [
    { "name": "scans", "type_name": "list", "description": "paths", "required": true },
    { "name": "depth", "type_name": "string", "enum": ["quick", "thorough"] }
  ],
  "instructions": [
    { "execution_id": "sieve", "agent_definition_path": "/library/sieve.agent", "arguments": { "scans": "REF:arguments.scans" } },
    { "execution_id": "outline", "agent_definition_path": "/library/outline.agent",
      "parallel_execution": { "iterate_over": "REF:sieve.readable", "child_argument_name": "scan" } },
    { "execution_id": "themes", "agent_definition_path": "/library/deep.agent",
      "conditions": [{ "param": "REF:arguments.depth", "operator": "in", "value": ["thorough"] }],
      "parallel_execution": { "iterate_over": "REF:sieve.readable", "child_argument_name": "scan" } },
    { "execution_id": "merge", "agent_definition_path": "/library/merge.agent", "arguments": {
      "outlines": "REF:outline.response", "themes": "REF:themes.response", "level": "REF:arguments.depth" } },
    { "execution_id": "print", "agent_definition_path": "/library/print.agent", "arguments": {
      "digest": "REF:merge.digest", "copies": "REF:outline.response.length" } }
  ],
  "responses": [
    { "name": "sheet", "type_name": "file" }, { "name": "books", "type_name": "number" }, { "name": "digest", "type_name": "object" }
  ],
  "response_reference_map": {
    "sheet": "REF:print.sheet", "books": "REF:outline.response.length", "digest": "REF:merge.digest"
  }
}`);

  test("is fine, and ordered by its references", () => {
    const { program } = expectMarked(plan(), { agents });
    const needs = program?.blocks[0].steps.map((step) => step.needs.map((need) => need.step));
    expect(needs).toEqual([[], [0], [0], [1, 2], [3, 1]]);
  });

  test.each<[string, string, string]>([
    ["a reference to no execution", "REF:sieve.readable", "⟦unknown-step⟧REF:seive.readable"],
    ["a reference to no response", "REF:merge.digest", "⟦unknown-response⟧REF:merge.digset"],
    [
      "an attribute that its type lacks",
      "REF:outline.response.length",
      "⟦unknown-attribute⟧REF:outline.response.size",
    ],
    ["a key of a fan-out", '"REF:outline.response"', '"⟦unknown-response⟧REF:outline.title"'],
    ["a malformed reference", "REF:arguments.scans", "⟦malformed-reference⟧REF:arguments..scans"],
    [
      "an undeclared argument",
      '"REF:arguments.depth", "operator"',
      '"⟦unknown-argument⟧REF:arguments.deep", "operator"',
    ],
    ["an unknown operator", '"operator": "in"', '"operator": ⟦unknown-operator⟧"one_of"'],
    [
      "a missing argument",
      '"arguments": { "scans": "REF:arguments.scans" }',
      '"arguments": ⟦missing-argument⟧{}',
    ],
    [
      "a wrong type",
      '"copies": "REF:outline.response.length"',
      '"copies": "⟦type-mismatch⟧REF:outline.response"',
    ],
    [
      "a response that is not made",
      '"response_reference_map": {\n    "sheet": "REF:print.sheet",',
      '"response_reference_map": ⟦missing-response⟧{\n   ',
    ],
    ["an agent that isn't there", '"/library/deep.agent"', '⟦unknown-agent⟧"/library/depe.agent"'],
  ])("%s is found", (_, from, to) => {
    const whole = plan((text) => text.replaceAll(from, to));
    expect(whole).toContain(to);
    expectMarked(whole, { agents });
  });

  test("a circle is found", () => {
    const from = `    { "execution_id": "sieve", "agent_definition_path": "/library/sieve.agent",`;
    const to = `    ⟦cycle⟧{ "execution_id": "sieve", "agent_definition_path": "/library/sieve.agent", "dependencies": ["print"],`;
    const { diagnostics } = expectMarked(
      plan((text) => text.replace(from, to)),
      { agents },
    );
    expect(diagnostics[0]?.message).toContain("sieve → print → ");
  });
});

describe("transforms before and after a call", () => {
  test("prepare arguments and pick from responses", () => {
    expectClean(
      {
        arguments: [field("since", "string"), field("greeting", "string")],
        instructions: [
          {
            execution_id: "orders",
            agent_definition_path: "/shop/orders.agent",
            arguments: { since: "REF:arguments.since" },
          },
          {
            execution_id: "report",
            agent_definition_path: "/shop/report.agent",
            arguments: { orders: "REF:orders.orders" },
            transform_arguments: {
              variables: {
                records: "REF:orders.orders",
                parts: ["REF:arguments.greeting", "REF:orders.fetched_at"],
                gap: "\n\n",
                threshold: 100,
              },
              transforms: {
                total: "sum(records, item.price)",
                lines: "map(records, {sku: item.id, price: item.price})",
                count: "REF:orders.orders.length",
                intro: "join(parts, gap)",
              },
            },
            transform_results: {
              variables: { found: "REF:response.findings", good: "map(found, item.ok)", mark: "; " },
              transforms: {
                headline: 'join(map(found, item.text), "\\n")',
                rate: "REF:response.score",
                passed: "sum(good)",
              },
            },
          },
        ],
        response_reference_map: { headline: "REF:report.headline", passed: "REF:report.passed" },
      },
      { agents },
    );
  });

  test("a name that nothing gives, and a function that isn't there, are found", () => {
    expectMarked(
      `{ "instructions": [{ "execution_id": "orders", "agent_definition_path": "/shop/orders.agent", "transform_arguments": {
  "variables": { "known": 1 },
  "transforms": { "since": "join(⟦unknown-variable⟧unheard_of, ', ')", "other": "⟦unknown-function⟧transmogrify(known)" }
} }] }`,
      { agents },
    );
  });
});

describe("handlers and clean-up", () => {
  test("read how a step ended, whatever it declares", () => {
    expectClean(
      {
        arguments: [field("since", "string")],
        instructions: [
          {
            execution_id: "orders",
            agent_definition_path: "/shop/orders.agent",
            arguments: { since: "REF:arguments.since" },
          },
          {
            execution_id: "again",
            agent_definition_path: "/shop/orders.agent",
            conditions: [{ param: "REF:orders.status", operator: "equals", value: "failed" }],
            arguments: { since: "REF:orders.error_message" },
          },
          {
            execution_id: "tidy",
            agent_definition_path: "/library/sieve.agent",
            dependencies: ["orders", "again"],
            arguments: { scans: "REF:orders.orders" },
          },
        ],
      },
      { agents },
    );
  });
});
