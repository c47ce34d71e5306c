import { describe, expect, test } from "vitest";
import { compile } from "../../src/compiler.ts";
import { codesOf, expectClean, expectMarked } from "../marked-plan.ts";

/** A step plan of two steps; the second has these parameters. */
function second(params: string): string {
  return `{
  "steps": [
    { "tool": "list_depots", "params": { "town": "Ulm" } },
    { "tool": "list_trips", "params": ${params} }
  ]
}`;
}

describe("references of step plans", () => {
  test.each([
    ["${step[0].data}"],
    ["${step[0].data[0].id}"],
    ["${step[0].data.0.id}"],
    ["${step[0].data[*].id}"],
    ["${step[0].data.*.id}"],
    ["${step[0].data.rows[0][1]}"],
    ["${ step[0].data.first name }"],
    ["${\tstep[0].data.x\n}"],
    ["from ${step[0].data.a} to ${step[0].data.b}"],
    ["${context.user}"],
  ])("%j refers", (text) => {
    const { program } = expectClean(JSON.parse(second(JSON.stringify({ x: text }))));
    const args = program?.blocks[0].steps[1]?.arguments;
    expect(args?.kind).toBe("object");
  });

  test.each([
    ["${HOME}"],
    ["${stepfather}"],
    ["${steps}"],
    ["${step}"],
    ["${context}"],
    ["${stepX[0].data}"],
    ["$HOME"],
    ["step[0].data"],
    ["${"],
  ])("%j is text", (text) => {
    const { program } = expectClean(JSON.parse(second(JSON.stringify({ x: text }))));
    expect(program?.blocks[0].steps[1]?.arguments).toMatchObject({ kind: "constant", value: { x: text } });
  });

  test.each([
    ["\\${step[0].data}", "${step[0].data}"],
    ["a \\${step[9].x} b", "a ${step[9].x} b"],
    ["\\${step[0}", "${step[0}"],
    ["\\\\\\${step[0].data}", "\\${step[0].data}"],
    ["\\${context.x}", "${context.x}"],
  ])("%j is the text %j", (text, value) => {
    const { program } = expectClean(JSON.parse(second(JSON.stringify({ x: text }))));
    expect(program?.blocks[0].steps[1]?.arguments).toMatchObject({ values: [{ kind: "constant", value }] });
  });

  test("a doubled backslash is one backslash and then a reference", () => {
    const { program } = expectClean(JSON.parse(second(JSON.stringify({ x: "\\\\${step[0].data}" }))));
    expect(program?.blocks[0].steps[1]?.arguments).toMatchObject({
      values: [{ kind: "text", parts: ["\\", { reference: { path: [] } }] }],
    });
  });

  test("a path begins with data", () => {
    expectMarked(
      second(`{
      "id": "⟦missing-root⟧\${step[0].id}",
      "first": "the ⟦missing-root⟧\${step[0][0].id}",
      "all": "⟦missing-root⟧\${step[0]}",
      "error": "⟦missing-root⟧\${step[0].error.message}"
    }`),
    );
    const [problem] = compile(second(`{ "x": "\${step[0].id}" }`)).diagnostics;
    expect(problem?.hints.join()).toContain("${step[0].data.id}");
    expect(problem?.name).toBe("InvalidReferenceError");
  });

  test("a later step, or the step itself, cannot be referred to", () => {
    expectMarked(`{ "steps": [
  { "tool": "a", "params": { "x": "⟦later-step⟧\${step[1].data}", "y": "⟦later-step⟧\${step[0].data}" } },
  { "tool": "b", "params": { "x": ["and ⟦later-step⟧\${step[1].data}", "\${step[0].data}"] } }
] }`);
  });

  test("a step that isn't there cannot be referred to", () => {
    expectMarked(second(`{ "x": "⟦unknown-step⟧\${step[7].data}" }`));
  });

  test("what begins like a reference and is not one is an error", () => {
    expectMarked(
      second(`{
      "a": "⟦malformed-reference⟧\${step[0}",
      "b": "⟦malformed-reference⟧\${step0.data}",
      "c": "⟦malformed-reference⟧\${steps[0].data}",
      "d": "⟦malformed-reference⟧\${step.0.data}",
      "e": "⟦malformed-reference⟧\${step[0].data",
      "f": "⟦malformed-reference⟧\${step[00].data}",
      "g": "⟦malformed-reference⟧\${step[-1].data}",
      "h": "⟦malformed-reference⟧\${step[0].data..x}",
      "i": "⟦malformed-reference⟧\${step[0].data[01]}",
      "j": "⟦malformed-reference⟧\${step[0].data[x]}",
      "k": "⟦malformed-reference⟧\${step[0].}",
      "l": "⟦malformed-reference⟧\${step[]}",
      "m": "⟦malformed-reference⟧\${step[0]data}",
      "n": "⟦malformed-reference⟧\${context.}",
      "o": "⟦malformed-reference⟧\${context..x}",
      "p": "⟦malformed-reference⟧\${steps.0.data}",
      "q": "⟦malformed-reference⟧\${step[\\"0\\"].data}"
    }`),
    );
  });

  test("references in keys are not resolved", () => {
    expectClean({ steps: [{ tool: "a", params: { "${step[9].data}": 1 } }] });
  });
});

describe("dependsOn", () => {
  test("names earlier steps", () => {
    expectMarked(`{ "steps": [
  { "tool": "a", "dependsOn": [⟦later-step⟧0, ⟦later-step⟧1, ⟦unknown-dependency⟧2, ⟦unknown-dependency⟧-1] },
  { "tool": "b", "dependsOn": [0, ⟦wrong-shape⟧"0", ⟦wrong-shape⟧0.5, ⟦wrong-shape⟧null] }
] }`);
    expectMarked(`{ "steps": [{ "tool": "a" }, { "tool": "b", "dependsOn": ⟦wrong-shape⟧0 }] }`);
  });

  test("has another spelling", () => {
    const { program } = expectClean({
      steps: [{ tool: "a" }, { tool: "b", depends_on: [0], retry_count: 2 }],
    });
    const step = program?.blocks[0].steps[1];
    expect(step?.needs).toContainEqual({ step: 0, mode: "succeeded" });
    expect(step?.policy.retries).toBe(2);
  });
});

describe("fields of step plans", () => {
  test("all of them", () => {
    const conditions = [{ param: "${step[0].data.ok}", operator: "equals", value: true }];
    expectClean({
      requestId: "r-1",
      steps: [
        { tool: "a" },
        {
          tool: "b",
          params: {},
          dependsOn: [0],
          parallel: true,
          optional: true,
          retryCount: 1,
          timeout: 500,
          conditions,
          policy: { backoff: { base_ms: 1, factor: 1, cap_ms: 9, jitter: false } },
          repeat: { until: [{ param: "${step[1].data.done}", operator: "equals", value: true }], max: 3 },
          requires_confirmation: true,
          description: "the second",
          metadata: { anything: 1 },
        },
      ],
      description: "two steps",
      metadata: {},
    });
  });

  test("others are errors", () => {
    expectMarked(`{
  ⟦unknown-field⟧"requestIt": "r",
  "steps": [⟦missing-field⟧{ ⟦unknown-field⟧"id_": 0 }, { "tool": "a", ⟦unknown-field⟧"arguments": {}, ⟦unknown-field⟧"parralel": true }]
}`);
  });

  test("their values have types", () => {
    expectMarked(`{ "steps": [
  { "tool": ⟦wrong-shape⟧5 },
  { "tool": ⟦wrong-shape⟧"" },
  { "tool": "a", "params": ⟦wrong-shape⟧[] },
  { "tool": "a", "parallel": ⟦wrong-shape⟧"yes" },
  { "tool": "a", "optional": ⟦wrong-shape⟧1 },
  { "tool": "a", "retryCount": ⟦wrong-shape⟧-1 },
  { "tool": "a", "retryCount": ⟦wrong-shape⟧1.5 },
  { "tool": "a", "timeout": ⟦wrong-shape⟧0 },
  { "tool": "a", "timeout": ⟦wrong-shape⟧"1s" },
  { "tool": "a", "conditions": ⟦wrong-shape⟧"always" },
  { "tool": "a", "policy": { "retries": ⟦wrong-shape⟧true, ⟦unknown-field⟧"timeout": 5 } },
  { "tool": "a", "repeat": ⟦missing-field⟧{ "until": [] } },
  { "tool": "a", "requires_confirmation": ⟦wrong-shape⟧"yes" },
  ⟦wrong-shape⟧null,
  { "tool": "a", "params": { "x": "\${step[13].data}", "y": "\${step[0].data.x}" } }
] }`);
    expectMarked(`{ "steps": ⟦wrong-shape⟧{ "tool": "a" } }`, { dialect: "steps" });
    expectMarked(`⟦missing-field⟧{ "requestId": "r" }`, { dialect: "steps" });
  });
});

describe("step plans as a whole", () => {
  test("an empty one is a warning", () => {
    expectMarked(`{ "steps": ⟦empty-plan⟧[] }`);
  });

  test("adjacent parallel steps wait for what is before them, not for each other", () => {
    const parallel = true;
    const { program } = expectClean({
      steps: [{ tool: "a" }, { tool: "b", parallel }, { tool: "c", parallel }, { tool: "d" }, { tool: "e" }],
    });
    const needs = program?.blocks[0].steps.map((step) => step.needs.map((need) => need.step));
    expect(needs).toEqual([[], [0], [0], [1, 2], [3]]);
  });

  test("plans that use references are refused when these are switched off", () => {
    const plan = `{ "steps": [
  { "tool": "a" },
  { "tool": "b", "params": { "x": "⟦references-disabled⟧\${step[0].data}" },
    "conditions": [{ "param": "⟦references-disabled⟧\${step[0].data}", "operator": "exists" }] }
] }`;
    expectMarked(plan, { stepReferences: false });
    expect(codesOf({ steps: [{ tool: "a", params: { x: "${HOME}" } }] }, { stepReferences: false })).toEqual(
      [],
    );
  });
});
