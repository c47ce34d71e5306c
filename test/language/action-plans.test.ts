import { describe, expect, test } from "vitest";
import { compile, printProgram } from "../../src/compiler.ts";
import { codesOf, expectClean, expectMarked } from "../marked-plan.ts";

/** Two steps, of which the second has these arguments. */
function plan(args: string): string {
  return `[
  { "id": "find-ann", "tool": "find" },
  { "id": "mail", "tool": "send", "arguments": ${args} }
]`;
}

function argumentsOf(text: string): unknown {
  const { program } = expectClean(JSON.parse(plan(JSON.stringify({ x: text }))));
  return program?.blocks[0].steps[1]?.arguments;
}

describe("references of action plans", () => {
  test.each([
    ["{{find-ann.result}}", []],
    ["{{find-ann.result.data[0].email}}", ["data", 0, "email"]],
    ["{{ find-ann.result.rows.*.id }}", ["rows", "*", "id"]],
    ["{{find-ann.result.m[0][1]}}", ["m", 0, 1]],
    ["{{find-ann.result.full name}}", ["full name"]],
    ['{{find-ann.result["a.b"].c}}', ["a.b", "c"]],
    ['{{find-ann.result["}}"].c["{x}"]}}', ["}}", "c", "{x}"]],
    ["{{find-ann.result.constructor}}", ["constructor"]],
  ])("%j keeps the type of the value", (text, path) => {
    expect(argumentsOf(text)).toMatchObject({
      values: [{ kind: "reference", root: { kind: "result", step: 0 }, path }],
    });
  });

  test("inside a longer string it becomes text", () => {
    expect(argumentsOf("Hi {{find-ann.result.name}}!")).toMatchObject({
      values: [{ kind: "text", parts: ["Hi ", { reference: { path: ["name"] } }, "!"] }],
    });
  });

  test("in three braces the inner pair is the reference", () => {
    expect(argumentsOf("{{{find-ann.result.x}}}")).toMatchObject({
      values: [{ kind: "text", parts: ["{", { reference: { path: ["x"] } }, "}"] }],
    });
  });

  test.each([
    ["\\{{find-ann.result}}", "{{find-ann.result}}"],
    ["\\{{x}}", "{{x}}"],
    ["\\{{PLACEHOLDER_x}}", "{{PLACEHOLDER_x}}"],
    ["a \\{{ b", "a {{ b"],
  ])("%j is the text %j", (text, value) => {
    expect(argumentsOf(text)).toMatchObject({ values: [{ kind: "constant", value }] });
  });

  test("a doubled backslash is one backslash and then a reference", () => {
    expect(argumentsOf("\\\\{{find-ann.result}}")).toMatchObject({
      values: [{ kind: "text", parts: ["\\", { reference: { path: [] } }] }],
    });
  });

  test.each([["{ x }"], ["{find.result}"], ["${HOME}"], ["REF:a.b"], ["}}"], ["{"]])("%j is text", (text) => {
    expect(argumentsOf(text)).toMatchObject({ kind: "constant", value: { x: text } });
  });

  test("the path begins with result", () => {
    expectMarked(
      plan(`{
      "a": "⟦missing-root⟧{{find-ann}}",
      "b": "⟦missing-root⟧{{find-ann.status}}",
      "c": "see ⟦missing-root⟧{{ find-ann.data[0] }}",
      "d": "⟦missing-root⟧{{find-ann[0]}}"
    }`),
    );
    const { diagnostics } = compile(plan(`{ "b": "{{find-ann.status}}" }`));
    expect(diagnostics[0]?.hints.join()).toContain("{{find-ann.result.status}}");
  });

  test("what is no reference between the braces is an error", () => {
    expectMarked(
      plan(`{
      "a": "⟦malformed-reference⟧{{a..b}}",
      "b": "⟦malformed-reference⟧{{}}",
      "c": "⟦malformed-reference⟧{{ }}",
      "d": "⟦malformed-reference⟧{{find-ann.result",
      "e": "⟦malformed-reference⟧{{find-ann.result[01]}}",
      "f": "⟦malformed-reference⟧{{find-ann.result[}}",
      "g": "⟦malformed-reference⟧{{find-ann.result.}}",
      "h": "⟦malformed-reference⟧{{find ann.result}}",
      "i": "⟦malformed-reference⟧{{context}}",
      "j": ["\\u00e9\\n ⟦malformed-reference⟧{{!}} and ⟦malformed-reference⟧{{?}}"]
    }`),
    );
  });

  test("a step that isn't there is an error, with what was meant", () => {
    const { diagnostics } = expectMarked(
      plan(`{ "x": "⟦unknown-step⟧{{find_ann.result}}", "y": "⟦unknown-step⟧{{nobody.result.x}}" }`),
    );
    expect(diagnostics.map((d) => d.hints[0])).toEqual([
      'Did you mean "find-ann"?',
      'Known steps: "find-ann", "mail".',
    ]);
    expect(diagnostics[0]?.message).toContain("Invalid reference");
    expect(diagnostics[0]?.name).toBe("InvalidReferenceError");
  });

  test("steps may stand in any order", () => {
    const { program } = expectClean([
      { id: "b", tool: "t", arguments: { x: "{{a.result}}" } },
      { id: "a", tool: "t" },
    ]);
    expect(program?.blocks[0].steps[0]?.needs).toMatchObject([{ step: 1, mode: "data" }]);
  });
});

describe("a step that has only the usual fields", () => {
  const tools = { find: () => ({}), send: () => ({}) };

  test.each([
    ["{{find-ann.result}}"],
    ["{{ find-ann.result.x }}"],
    ["Hi {{find-ann.result.name}}, {{find-ann.result.rows[0]}}"],
    ["\\\\{{find-ann.result.x}} \\{{y}}"],
    ["{{find-ann.result.x}}{{nobody.result}}"],
    ["{{{find-ann.result.x}}}"],
    ["{{PLACEHOLDER_NAME}} and {{context.y}}"],
    ["{find-ann.result.x} ${find-ann.x} {{step[0].data.x}}"],
    ["{{find-ann.status}} {{"],
    ["REF:find-ann.x"],
  ])("is read like one that has others: %j", (text) => {
    const step = {
      id: "mail",
      tool: "send",
      intent: "{{PLACEHOLDER_X}}",
      arguments: { a: [1, text], b: {} },
    };
    const [plain, other] = [{}, { dependencies: [] }].map((fields) => {
      const plan = [
        { id: "find-ann", tool: "find", arguments: {} },
        { ...step, ...fields },
      ];
      const { program, diagnostics } = compile(plan, { tools });
      return { printed: program && printProgram(program), questions: program?.questions, diagnostics };
    });
    expect(plain).toEqual(other);
  });
});

describe("cycles", () => {
  test("are reported at their first step, with the way around", () => {
    const { diagnostics } = expectMarked(`[
  { "id": "start", "tool": "t" },
  ⟦cycle⟧{ "id": "a", "tool": "t", "arguments": { "x": "{{c.result}}" } },
  { "id": "b", "tool": "t", "arguments": { "x": ["{{a.result}}", "{{start.result}}"] } },
  { "id": "c", "tool": "t", "arguments": {}, "dependencies": ["b"] },
  { "id": "d", "tool": "t", "arguments": { "x": "{{c.result}}" } }
]`);
    expect(diagnostics[0]?.name).toBe("CircularDependencyError");
    expect(diagnostics[0]?.message).toBe("Circular dependency: a → c → b → a.");
  });

  test("each knot is reported once", () => {
    expectMarked(`[
  ⟦cycle⟧{ "id": "a", "tool": "t", "arguments": { "x": "{{a.result}}" } },
  ⟦cycle⟧{ "id": "b", "tool": "t", "arguments": { "x": "{{c.result}}", "y": "{{c.result}}" } },
  { "id": "c", "tool": "t", "conditions": [{ "param": "{{b.result.ok}}", "operator": "exists" }] }
]`);
  });

  test("an unknown id is no cycle", () => {
    expect(codesOf([{ id: "a", tool: "t", arguments: { x: "{{b.result}}" } }])).toEqual(["unknown-step"]);
  });
});

describe("ids of action plans", () => {
  test("letters, digits, _ and - make one", () => {
    expectMarked(`[
  { "id": "A-1_b", "tool": "t" },
  { "id": "7", "tool": "t" },
  { "id": "größe", "tool": "t" },
  { "id": ⟦invalid-id⟧"a b", "tool": "t" },
  { "id": ⟦invalid-id⟧"a.b", "tool": "t" },
  { "id": ⟦invalid-id⟧"", "tool": "t" },
  { "id": ⟦wrong-shape⟧7, "tool": "t" },
  ⟦missing-field⟧{ "tool": "t" },
  { "id": ⟦duplicate-id⟧"A-1_b", "tool": "t" },
  { "id": ⟦reserved-id⟧"context", "tool": "t" },
  { "id": ⟦reserved-id⟧"PLACEHOLDER_x", "tool": "t" },
  ⟦wrong-shape⟧"step"
]`);
  });

  test("names that every object has are names like any other", () => {
    expectClean([
      { id: "__proto__", tool: "constructor" },
      { id: "constructor", tool: "toString", arguments: { x: "{{__proto__.result.hasOwnProperty}}" } },
      { id: "toString", tool: "t", dependencies: ["constructor", "__proto__"] },
    ]);
    expect(codesOf([{ id: "a", tool: "t", arguments: { x: "{{toString.result}}" } }])).toEqual([
      "unknown-step",
    ]);
    expect(codesOf([{ id: "a", tool: "hasOwnProperty" }], { tools: {} })).toEqual(["unknown-tool"]);
  });
});

describe("fields of action plans", () => {
  test("all of them", () => {
    expectClean({
      name: "mail",
      plan: [
        {
          id: "a",
          tool: "t",
          arguments: { input: {} },
          intent: "say hello",
          dependencies: [],
          conditions: { param: 1, operator: "equals", value: 1 },
          policy: { retries: 1, timeout_ms: 10, optional: true, backoff: {} },
          repeat: { until: [{ param: "{{a.result.done}}", operator: "exists" }], max: 2 },
          requires_confirmation: false,
          description: "",
          metadata: [],
        },
      ],
    });
    expectClean({ steps: [{ id: "a", tool: "t" }] });
  });

  test("records of an earlier run are ignored, with a warning", () => {
    expectMarked(
      `[{ "id": "a", "tool": "t", ⟦recorded-field⟧"status": "completed", ⟦recorded-field⟧"result": { "x": "{{b.y}}" }, ⟦recorded-field⟧"error": null }]`,
    );
  });

  test("others are errors", () => {
    expectMarked(`{ ⟦unknown-field⟧"plans": 1, "plan": [
  ⟦missing-field⟧{ "id": "a", ⟦unknown-field⟧"params": {}, ⟦unknown-field⟧"dependsOn": [] },
  { "id": "b", "tool": "t", "arguments": ⟦wrong-shape⟧"x", "intent": ⟦wrong-shape⟧1, "dependencies": ⟦wrong-shape⟧"a" },
  { "id": "c", "tool": "t", "dependencies": [⟦wrong-shape⟧1, ⟦unknown-dependency⟧"d", "a"] }
] }`);
    expectMarked(`⟦conflicting-fields⟧{ "plan": [], "steps": [] }`);
    expectMarked(`⟦missing-field⟧{}`, { dialect: "actions" });
  });
});

describe("placeholders", () => {
  test("ask a person", () => {
    const { program } = expectClean([
      { id: "a", tool: "t", arguments: { text: "{{PLACEHOLDER_text}}", n: "{{ PLACEHOLDER_n_1 }} pieces" } },
      { id: "b", tool: "t", arguments: { list: ["{{PLACEHOLDER_text}}"] } },
    ]);
    expect(program?.questions.map(({ name, stepIds }) => [name, stepIds])).toEqual([
      ["text", ["a", "b"]],
      ["n_1", ["a"]],
    ]);
  });

  test("their types and descriptions come from the tool", () => {
    const count = { type: "number", description: "How many?" };
    const tools = {
      t: { input: { type: "object", properties: { n: count, all: { type: "array", items: count } } } },
    };
    const ask = { n: "{{PLACEHOLDER_n}}", all: ["{{PLACEHOLDER_m}}"] };
    const { program } = expectClean([{ id: "a", tool: "t", arguments: ask }], { tools });
    expect(program?.questions).toMatchObject([
      { name: "n", schema: count, description: "How many?" },
      { name: "m", schema: count, description: "How many?" },
    ]);
  });

  test("have names of letters, digits and _", () => {
    expectMarked(
      plan(`{
      "a": "⟦invalid-placeholder⟧{{PLACEHOLDER_}}",
      "b": "⟦invalid-placeholder⟧{{PLACEHOLDER_a-b}}",
      "c": "⟦invalid-placeholder⟧{{PLACEHOLDER_a.b}}",
      "d": "x ⟦invalid-placeholder⟧{{PLACEHOLDER_a b}}",
      "e": "⟦malformed-reference⟧{{PLACEHOLDER_a"
    }`),
    );
  });

  test("outside arguments they are text, with a warning", () => {
    const { program } = expectMarked(`[{
  "id": "a", "tool": "t", "intent": "say ⟦placeholder-is-text⟧{{PLACEHOLDER_x}}",
  "conditions": [{ "param": "⟦placeholder-is-text⟧{{PLACEHOLDER_y}}", "operator": "exists" }]
}]`);
    expect(program?.questions).toEqual([]);
  });
});
