import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { compile } from "../../src/compiler.ts";
import { expectClean, expectMarked } from "../marked-plan.ts";

const field = (name: string, type_name: string, more: object = {}) => ({ name, type_name, ...more });

const agents: Record<string, Json> = {
  "/list.agent": {
    responses: [field("rows", "list"), field("title", "string")],
    system_event_endpoint: "list",
  },
  "/write.agent": {
    arguments: [field("text", "string"), field("count", "number", { required: false })],
    responses: [field("words", "number"), field("tags", "list", { required: false })],
    system_event_endpoint: "write",
  },
  "/free.agent": { system_event_endpoint: "free" },
};

/** A step `list`, then a step `write` with these further fields. */
function writing(more: string): string {
  return `{
  "arguments": [{ "name": "sep", "type_name": "string" }],
  "instructions": [
    { "execution_id": "list", "agent_definition_path": "/list.agent" },
    { "execution_id": "write", "agent_definition_path": "/write.agent", ${more} }
  ]
}`;
}

describe("transforms that are fine", () => {
  test("make the arguments that the agent needs", () => {
    const { program } = expectMarked(
      writing(`"arguments": { "extra": "REF:list.title" },
      "transform_arguments": {
        "variables": { "parts": ["REF:list.title", "x"], "names": "map(REF:list.rows, item.name)", "dash": " - ", "all": "join(names, dash)" },
        "transforms": { "text": "join(parts, REF:arguments.sep)", "count": "sum(REF:list.rows, item.n)", "third": "extra", "fourth": "third", "five": 5 }
      }`),
      { agents },
    );
    expect(program?.blocks[0].steps[1]?.needs).toMatchObject([{ step: 0, mode: "data" }]);
  });

  test("see what the agent returned, also what it does not declare", () => {
    expectMarked(
      writing(`"arguments": { "text": "x" },
      "transform_results": {
        "variables": { "raw": "REF:response.body", "first": "map(raw, {id: item.id, 'all of it': item})" },
        "transforms": { "words": "REF:response.body.length", "longest": "max(lengths)", "tags": "unique(words_used)" }
      }`),
      { agents },
    );
  });

  test("a string that is no call of a known function is a constant", () => {
    const { program } = expectMarked(
      writing(`"transform_arguments": {
        "variables": { "a": "shout(x)", "b": "join(", "c": "a, b", "d": ["join(a, b)"] },
        "transforms": { "text": "join([a, b, c], '')" }
      }`),
      { agents },
    );
    const variables = program?.blocks[0].steps[1]?.transformArguments?.variables;
    expect(variables?.map(({ value }) => value.kind)).toEqual([
      "template",
      "template",
      "template",
      "template",
    ]);
  });

  test("transform_responses is another spelling", () => {
    const spelled = `"arguments": { "text": "x" }, "transform_responses": { "transforms": { "made": "REF:response.a" } }`;
    const { program } = expectMarked(writing(spelled), { agents });
    expect(program?.blocks[0].steps[1]?.transformResults?.outputs[0]?.name).toBe("made");
  });

  test("what they make can be referred to", () => {
    expectMarked(
      `{ "instructions": [
  { "execution_id": "a", "agent_definition_path": "/write.agent", "arguments": { "text": "x" },
    "transform_results": { "transforms": { "made": "REF:response.a", "sums": "sum([1])" } } },
  { "execution_id": "b", "agent_definition_path": "/free.agent",
    "arguments": { "x": "REF:a.made.deep", "y": "REF:a.words", "z": "⟦unknown-response⟧REF:a.maid", "w": "⟦unknown-attribute⟧REF:a.sums.x" } }
] }`,
      { agents },
    );
  });

  test("a definition's own may read what only the caller knows", () => {
    const own = {
      arguments: [field("text", "string")],
      transform_arguments: { transforms: { text: "join([a, b], ' ')" } },
      system_event_endpoint: "say",
    };
    expectClean(
      { instructions: [{ execution_id: "x", agent_definition: own, arguments: { a: "1", b: "2" } }] },
      { agents },
    );
  });
});

describe("transforms that are not", () => {
  test("do not parse", () => {
    expectMarked(
      writing(`"transform_arguments": { "transforms": {
        "text": "join([])⟦transform-syntax⟧x", "a": "⟦transform-syntax⟧", "b": "map([1], {x: ⟦transform-syntax⟧})", "c": "1 ⟦transform-syntax⟧+ 2", "d": "⟦transform-syntax⟧'open"
      } }`),
      { agents },
    );
  });

  test("name unknown functions or variables", () => {
    const { diagnostics } = expectMarked(
      writing(`"arguments": { "given": 1 },
      "transform_arguments": {
        "variables": { "parts": "REF:list.rows" },
        "transforms": {
          "text": "join(⟦unknown-variable⟧undefined_var, ', ')",
          "a": "⟦unknown-function⟧invalid_function(parts)",
          "b": "join(⟦unknown-function⟧mpa(parts, item.x), ⟦unknown-variable⟧prats)",
          "c": "given",
          "d": "filter(parts, item.a > 1 and ⟦unknown-variable⟧limit < 5)"
        }
      }`),
      { agents },
    );
    expect(new Set(diagnostics.map(({ name }) => name))).toEqual(new Set(["MappingError"]));
    expect(diagnostics.map(({ fix }) => fix?.title)).toContain('call "map"');
    expect(diagnostics.map(({ fix }) => fix?.title)).toContain('use "parts"');
  });

  test("call functions wrongly", () => {
    expectMarked(
      writing(`"transform_arguments": { "transforms": {
        "text": "⟦wrong-call⟧join()", "a": "⟦wrong-call⟧map([1])", "b": "sum([⟦wrong-call⟧length(1, 2)])", "c": "⟦wrong-call⟧join(array=[], sepp=',')"
      } }`),
      { agents },
    );
  });

  test("refer to what isn't there", () => {
    expectMarked(
      writing(`"transform_arguments": {
        "variables": { "a": "⟦unknown-step⟧REF:lsit.rows", "b": ["⟦unknown-argument⟧REF:arguments.x"], "c": "map(⟦unknown-response⟧REF:list.row, item)" },
        "transforms": { "text": "join(⟦unknown-attribute⟧REF:list.rows.size, '')", "count": "⟦misplaced-reference⟧REF:response.x" }
      }`),
      { agents },
    );
  });

  test("make what can never be of the declared type", () => {
    expectMarked(
      writing(`"transform_arguments": {
        "variables": { "rows": "REF:list.rows" },
        "transforms": { "text": ⟦type-mismatch⟧"sum(rows, item.n)", "count": ⟦type-mismatch⟧"rows" }
      },
      "transform_results": { "transforms": { "words": ⟦type-mismatch⟧"join([1], '')", "tags": ⟦type-mismatch⟧7 } }`),
      { agents },
    );
  });

  test("have other fields, or other shapes", () => {
    expectMarked(
      writing(`"arguments": { "text": "x" },
      "transform_arguments": { ⟦unknown-field⟧"varaibles": {}, "transforms": ⟦wrong-shape⟧[] },
      "transform_results": ⟦wrong-shape⟧"x"`),
      { agents },
    );
    expectMarked(
      writing(
        `"arguments": { "text": "x" }, "transform_results": {}, ⟦conflicting-fields⟧"transform_responses": {}`,
      ),
      { agents },
    );
  });

  test("in a definition can refer only to its own arguments", () => {
    const { diagnostics } = compile({
      arguments: [field("a", "string")],
      transform_arguments: { transforms: { b: "REF:arguments.a", c: "REF:step.x", d: "REF:arguments.z" } },
      transform_results: { transforms: { e: "REF:response.x", f: "REF:step.x" } },
      instructions: [{ execution_id: "step", agent_definition_path: "/x.agent" }],
    });
    expect(diagnostics.map(({ code }) => code).sort()).toEqual([
      "misplaced-reference",
      "misplaced-reference",
      "unknown-argument",
    ]);
  });
});
