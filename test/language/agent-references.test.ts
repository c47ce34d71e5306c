import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { compile } from "../../src/compiler.ts";
import { expectClean, expectMarked } from "../marked-plan.ts";

const field = (name: string, type_name: string, more: object = {}) => ({ name, type_name, ...more });

const agents: Record<string, Json> = {
  "/lookup.agent": {
    arguments: [field("query", "string"), field("limit", "number", { required: false })],
    responses: [
      field("rows", "list"),
      field("owner", "object"),
      field("count", "number"),
      field("report", "file"),
      field("note", "string", { required: false }),
      field("anything", "any"),
    ],
    system_event_endpoint: "lookup",
  },
  "/free.agent": { arguments: [field("x", "any", { required: false })], system_event_endpoint: "free" },
};

/** An agent with one argument `town`, a step `find` and a step `use` whose argument `x` is given. */
function using(x: string): string {
  return `{
  "arguments": [{ "name": "town", "type_name": "string" }, { "name": "tags", "type_name": "list", "required": false }],
  "instructions": [
    { "execution_id": "find", "agent_definition_path": "/lookup.agent", "arguments": { "query": "REF:arguments.town" } },
    { "execution_id": "each", "agent_definition_path": "/lookup.agent",
      "parallel_execution": { "iterate_over": "REF:find.rows", "child_argument_name": "query" } },
    { "execution_id": "use", "agent_definition_path": "/free.agent", "arguments": { "x": ${x} } }
  ]
}`;
}

describe("references of agents", () => {
  test.each([
    ["REF:arguments.town"],
    ["REF:arguments.tags.first"],
    ["REF:find.rows"],
    ["REF:find.rows.length"],
    ["REF:find.rows.0.name"],
    ["REF:find.rows[0].name"],
    ["REF:find.rows.*.name"],
    ["REF:find.rows.last.anything.at.all"],
    ["REF:find.owner.address.zip code"],
    ["REF:find.report"],
    ["REF:find.report.path"],
    ["REF:find.report.file_name"],
    ["REF:find.report.parent_directory"],
    ["REF:find.status"],
    ["REF:find.error_message"],
    ["REF:find.error.code"],
    ["REF:find.anything.goes[3]"],
    ["REF:each.response"],
    ["REF:each.response.length"],
    ["REF:each.response.first.rows"],
    ["REF:each.response.0.count"],
    ["REF:each.response.*.owner.name"],
    ["REF:each.status"],
    ["REF:context.user"],
  ])("%s refers", (text) => {
    const { program } = expectMarked(using(JSON.stringify(text)), { agents });
    expect(program?.blocks[0].steps[2]?.arguments).toMatchObject({ values: [{ kind: "reference" }] });
  });

  test.each([["Hi REF:find.rows"], ["see REF:arguments.town"], ["ref"], ["REFERENCE"], ["references: a.b"]])(
    "%j is text: a reference is the whole string",
    (text) => {
      const { program } = expectMarked(using(JSON.stringify(text)), { agents });
      expect(program?.blocks[0].steps[2]?.arguments).toMatchObject({ kind: "constant", value: { x: text } });
    },
  );

  test("a backslash makes it text", () => {
    const { program } = expectMarked(using(JSON.stringify("\\REF:x")), { agents });
    expect(program?.blocks[0].steps[2]?.arguments).toMatchObject({ values: [{ value: "REF:x" }] });
  });

  test("what is no reference is an error", () => {
    expectMarked(
      using(`[
      "⟦unknown-step⟧REF:x", "⟦missing-key⟧REF:find", "⟦missing-key⟧REF:arguments", "⟦missing-key⟧REF:context",
      "⟦malformed-reference⟧REF:", "⟦malformed-reference⟧REF:.x", "⟦malformed-reference⟧REF:find..rows", "⟦malformed-reference⟧REF:find.rows.",
      "⟦malformed-reference⟧REF:find.rows[01]", "⟦malformed-reference⟧REF:find.rows[", "⟦malformed-reference⟧REF:fi nd.rows", "⟦malformed-reference⟧REF:find.rows "
    ]`),
      { agents },
    );
  });

  test("what isn't there is an error", () => {
    expectMarked(
      using(`{
      "a": "⟦unknown-step⟧REF:fnid.rows",
      "b": "⟦unknown-argument⟧REF:arguments.twon",
      "c": "⟦unknown-response⟧REF:find.row",
      "d": "⟦unknown-response⟧REF:each.rows",
      "e": "⟦unknown-response⟧REF:find.response",
      "f": { "deep": ["⟦unknown-attribute⟧REF:each.response.first.row"] }
    }`),
      { agents },
    );
  });

  test("attributes that a declared type does not have are errors", () => {
    expectMarked(
      using(`[
      "⟦unknown-attribute⟧REF:arguments.town.length", "⟦unknown-attribute⟧REF:find.rows.size", "⟦unknown-attribute⟧REF:find.rows.name",
      "⟦unknown-attribute⟧REF:find.count.first", "⟦unknown-attribute⟧REF:find.count[0]", "⟦unknown-attribute⟧REF:find.report.size",
      "⟦unknown-attribute⟧REF:find.status.text", "⟦unknown-attribute⟧REF:find.error.stack", "⟦unknown-attribute⟧REF:find.owner[0]",
      "⟦unknown-attribute⟧REF:find.owner.*", "⟦unknown-attribute⟧REF:find.note.x", "⟦unknown-attribute⟧REF:each.response.rows"
    ]`),
      { agents },
    );
  });

  test("response stands only in transform_results, self only where a step repeats", () => {
    expectMarked(
      using(
        `["⟦misplaced-reference⟧REF:response.x", "⟦misplaced-reference⟧REF:self.previous", "⟦misplaced-reference⟧REF:item.x"]`,
      ),
      { agents },
    );
  });

  test("every problem has the kind of error that it is", () => {
    const marked = using(
      `["REF:fnid.rows", "REF:x", "REF:find.row", "REF:find.rows.size", "REF:arguments.a"]`,
    );
    const names = compile(marked, { agents }).diagnostics.map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(["InvalidReferenceError"]));
  });
});

describe("steps that may be skipped", () => {
  test("are nullable, and fit where their type fits", () => {
    expectClean(
      {
        instructions: [
          {
            execution_id: "maybe",
            agent_definition_path: "/lookup.agent",
            arguments: { query: "q" },
            conditions: [{ param: 1, operator: "equals", value: 2 }],
          },
          {
            execution_id: "after",
            agent_definition_path: "/lookup.agent",
            arguments: { query: "REF:maybe.note", limit: "REF:maybe.count" },
          },
        ],
      },
      { agents },
    );
  });
});

describe("handlers", () => {
  test("are steps whose conditions read how another ended", () => {
    const { program } = expectClean(
      {
        instructions: [
          { execution_id: "task", agent_definition_path: "/free.agent" },
          {
            execution_id: "handler",
            agent_definition_path: "/free.agent",
            conditions: [{ param: "REF:task.status", operator: "equals", value: "failed" }],
            arguments: { x: "REF:task.error_message" },
          },
          {
            execution_id: "cleanup",
            agent_definition_path: "/free.agent",
            dependencies: ["task", "handler"],
          },
        ],
      },
      { agents },
    );
    const needs = program?.blocks[0].steps.map((step) => step.needs);
    expect(needs?.[1]).toContainEqual({ step: 0, mode: "handles" });
    expect(needs?.[2]).toEqual([
      { step: 0, mode: "settled" },
      { step: 1, mode: "settled" },
    ]);
  });
});
