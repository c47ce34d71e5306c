import { describe, expect, test } from "vitest";
import { expectMarked } from "../marked-plan.ts";

function agent(conditions: string): string {
  return `{ "arguments": [{ "name": "n", "type_name": "number" }], "instructions": [
  { "execution_id": "a", "agent_definition_path": "/a.agent", "conditions": ${conditions} }
] }`;
}

describe("conditions", () => {
  test.each([
    ["equals"],
    ["not_equals"],
    ["greater_than"],
    ["less_than"],
    ["greater_than_or_equal"],
    ["less_than_or_equal"],
    ["contains"],
    ["not_contains"],
    ["starts_with"],
    ["ends_with"],
  ])("%s compares two values", (operator) => {
    expectMarked(agent(`[{ "param": "REF:arguments.n", "operator": "${operator}", "value": 5 }]`));
    expectMarked(agent(`[⟦missing-operand⟧{ "param": "REF:arguments.n", "operator": "${operator}" }]`));
  });

  test.each([["exists"], ["not_exists"]])("%s looks at one", (operator) => {
    expectMarked(agent(`[{ "param": "REF:arguments.n", "operator": "${operator}" }]`));
  });

  test.each([["in"], ["not_in"]])("%s takes a list", (operator) => {
    expectMarked(agent(`[{ "param": 5, "operator": "${operator}", "value": [5, "REF:arguments.n"] }]`));
    expectMarked(agent(`[{ "param": 5, "operator": "${operator}", "value": ⟦idle-comparison⟧"5" }]`));
  });

  test("unknown operators are errors, with what was meant", () => {
    const { diagnostics } = expectMarked(
      agent(`[
    { "param": 1, "operator": ⟦unknown-operator⟧"equal", "value": 1 },
    { "param": 1, "operator": ⟦unknown-operator⟧"EQUALS", "value": 1 },
    { "param": 1, "operator": ⟦unknown-operator⟧"==", "value": 1 },
    { "param": 1, "operator": ⟦unknown-operator⟧"greaterThan", "value": 1 },
    { "param": 1, "operator": ⟦unknown-operator⟧"resembles", "value": 1 }
  ]`),
    );
    const near = diagnostics.map(({ fix }) =>
      fix?.edits.map((edit) => ("value" in edit ? edit.value : edit.op)),
    );
    expect(near).toEqual([["equals"], ["equals"], ["equals"], ["greater_than"], undefined]);
  });

  test("groups nest, with a logic in any case", () => {
    const { program } = expectMarked(
      agent(`[{ "logic": "or", "conditions": [
    { "param": "REF:arguments.n", "operator": "exists" },
    { "logic": "And", "conditions": [{ "conditions": [] }] }
  ] }]`),
    );
    expect(program?.blocks[0].steps[0]?.conditions).toMatchObject({
      kind: "all",
      conditions: [
        { kind: "any", conditions: [{ kind: "compare" }, { kind: "all", conditions: [{ kind: "all" }] }] },
      ],
    });
  });

  test("what is no condition is an error", () => {
    expectMarked(
      agent(`[
    ⟦missing-field⟧{ "operator": "exists" },
    ⟦missing-field⟧{ "param": 1, "value": 2 },
    ⟦wrong-shape⟧"always",
    { "param": 1, "operator": ⟦wrong-shape⟧7, "value": 1 },
    { "param": 1, "operator": "exists", ⟦unknown-field⟧"valeu": 2 },
    ⟦missing-field⟧{ "logic": "OR" },
    { "logic": ⟦invalid-value⟧"XOR", "conditions": [] },
    { "conditions": ⟦wrong-shape⟧{} },
    { "param": "⟦unknown-argument⟧REF:arguments.m", "operator": "in", "value": ["⟦unknown-step⟧REF:b.x"] }
  ]`),
    );
    expectMarked(agent(`⟦wrong-shape⟧true`));
  });

  test("a step that looks at itself waits for itself", () => {
    expectMarked(`{ "instructions": [
  ⟦cycle⟧{ "execution_id": "a", "agent_definition_path": "/a.agent", "conditions": [{ "param": "REF:a.x", "operator": "exists" }] }
] }`);
  });
});
