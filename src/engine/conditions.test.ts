import { describe, expect, test } from "vitest";
import { agent, call, field, scene, when } from "../../test/scene.ts";
import type { Json } from "../base/json.ts";

/** Do the conditions hold for this value? All cases of a table run in one plan. */
async function outcomes(cases: readonly (readonly [Json, string, Json | undefined])[]): Promise<boolean[]> {
  const stage = await scene();
  const values = cases.map(([value]) => value);
  const steps = cases.map(([, operator, operand], i) =>
    call(`s${i}`, "echo", {}, { conditions: [when(`REF:arguments.values[${i}]`, operator, operand)] }),
  );
  const result = await stage.run(agent(steps, { arguments: [field("values", "list")] }), {
    arguments: { values },
  });
  expect(result.status).toBe("completed");
  return cases.map((_, i) => result.steps[`s${i}`]?.status === "completed");
}

async function expectOutcomes(cases: readonly (readonly [boolean, Json, string, Json?])[]): Promise<void> {
  const found = await outcomes(cases.map(([, value, operator, operand]) => [value, operator, operand]));
  expect(cases.map(([, ...written], i) => [found[i], ...written])).toEqual(cases);
}

describe("operators", () => {
  test("equals and not_equals are exact JSON equality", () =>
    expectOutcomes([
      [true, 1, "equals", 1],
      [true, 1, "equals", 1.0],
      [false, 1, "equals", true],
      [false, "5", "equals", 5],
      [false, 0, "equals", null],
      [false, "", "equals", null],
      [true, null, "equals", null],
      [true, { a: 1, b: [2] }, "equals", { b: [2], a: 1 }],
      [false, [1, 2], "equals", [2, 1]],
      [false, { a: 1 }, "equals", { a: 1, b: null }],
      [true, "A", "not_equals", "a"],
      [true, 1, "not_equals", "1"],
      [false, [], "not_equals", []],
    ]));

  test("exists and not_exists look for null", () =>
    expectOutcomes([
      [true, 0, "exists"],
      [true, "", "exists"],
      [true, false, "exists"],
      [true, [], "exists"],
      [false, null, "exists"],
      [true, null, "not_exists"],
      [false, 0, "not_exists"],
    ]));

  test("ordering is for numbers; ordering anything else is false", () =>
    expectOutcomes([
      [true, 2, "greater_than", 1],
      [false, 1, "greater_than", 1],
      [true, 1, "greater_than_or_equal", 1],
      [true, 0.1, "less_than", 0.2],
      [false, 1, "less_than", 1],
      [true, 1, "less_than_or_equal", 1],
      [false, "2", "greater_than", 1],
      [false, 2, "greater_than", "1"],
      [false, "b", "greater_than", "a"],
      [false, true, "greater_than", 0],
      [false, null, "less_than", 1],
      [false, null, "less_than_or_equal", null],
    ]));

  test("contains looks into text, lists and the keys of objects; null contains nothing", () =>
    expectOutcomes([
      [true, "urgent mail", "contains", "urgent"],
      [true, "abc", "contains", ""],
      [false, "12", "contains", 1],
      [true, [1, "a", { x: 1 }], "contains", { x: 1 }],
      [false, [1], "contains", true],
      [false, ["1"], "contains", 1],
      [true, { key: null }, "contains", "key"],
      [false, { key: "value" }, "contains", "value"],
      [false, {}, "contains", "toString"],
      [false, {}, "contains", "__proto__"],
      [false, null, "contains", null],
      [false, 5, "contains", 5],
      [true, null, "not_contains", "x"],
      [false, "x", "not_contains", "x"],
      [true, { a: 1 }, "not_contains", "b"],
    ]));

  test("in takes lists only", () =>
    expectOutcomes([
      [true, 200, "in", [200, 201]],
      [false, "200", "in", [200, 201]],
      [true, null, "in", [null]],
      [true, { a: [1] }, "in", [{ a: [1] }]],
      [true, 5, "not_in", [1, 2]],
      [false, 1, "not_in", [1, 2]],
    ]));

  test("in something that is no list holds never, not_in always", async () => {
    const stage = await scene();
    const steps = ["in", "not_in"].map((operator) =>
      call(operator, "echo", {}, { conditions: [when("a", operator, "REF:arguments.text")] }),
    );
    const result = await stage.run(agent(steps, { arguments: [field("text", "any")] }), {
      arguments: { text: "abc" },
    });
    expect([result.steps.in?.status, result.steps.not_in?.status]).toEqual(["skipped", "completed"]);
  });

  test("starts_with and ends_with are for text", () =>
    expectOutcomes([
      [true, "report_1", "starts_with", "report_"],
      [false, "Report_1", "starts_with", "report_"],
      [false, 12, "starts_with", "1"],
      [true, "a.pdf", "ends_with", ".pdf"],
      [false, ["a"], "ends_with", "a"],
      [false, null, "starts_with", ""],
    ]));
});

describe("groups", () => {
  const yes = when(1, "equals", 1);
  const no = when(1, "equals", 2);
  test.each<[boolean, Json]>([
    [true, []],
    [true, [yes, yes]],
    [false, [yes, no]],
    [true, [{ logic: "OR", conditions: [no, yes] }]],
    [false, [{ logic: "or", conditions: [no, no] }]],
    [
      true,
      [{ logic: "And", conditions: [yes, { logic: "oR", conditions: [no, { conditions: [yes, yes] }] }] }],
    ],
    [false, [{ conditions: [yes, no] }]],
    [true, { logic: "OR", conditions: [no, yes] }],
    [false, [yes, { logic: "OR", conditions: [no, { logic: "AND", conditions: [yes, no] }] }]],
  ])("%s: %j", async (holds, conditions) => {
    const stage = await scene();
    const result = await stage.run(agent([call("a", "echo", {}, { conditions })]));
    expect(result.steps.a?.status).toBe(holds ? "completed" : "skipped");
  });
});

test("param and value may both be references or literals", async () => {
  const stage = await scene();
  const result = await stage.run(
    agent([
      call("a", "give", { value: { n: 3, list: [1, 2, 3] } }),
      call(
        "b",
        "echo",
        {},
        {
          conditions: [
            when("REF:a.n", "in", "REF:a.list"),
            when(3, "equals", "REF:a.n"),
            when("REF:a.list.length", "equals", 3),
          ],
        },
      ),
      call(
        "c",
        "echo",
        {},
        { conditions: [when("x", "equals", "x"), when("REF:a.list", "equals", [1, 2, "REF:a.n"])] },
      ),
    ]),
  );
  expect([result.steps.b?.status, result.steps.c?.status]).toEqual(["completed", "completed"]);
});

test("a path that is not there is null in conditions", async () => {
  const stage = await scene();
  const result = await stage.run(
    agent([
      call("a", "give", { value: { n: 3, none: null, list: [] } }),
      call(
        "b",
        "echo",
        {},
        {
          conditions: [
            "REF:a.missing",
            "REF:a.missing.deep[0].x",
            "REF:a.none.below",
            "REF:a.list[7]",
            "REF:a.n.attribute",
            "REF:a.n[*].x",
          ].map((param) => when(param, "not_exists")),
        },
      ),
    ]),
  );
  expect(result.steps.b?.status).toBe("completed");
});

test("a skipped step says which comparison did not hold, and what it saw", async () => {
  const stage = await scene();
  const result = await stage.run(
    agent([
      call("a", "give", { value: { n: 3 } }),
      call("b", "echo", {}, { conditions: [when("REF:a.n", "exists"), when("REF:a.n", "greater_than", 5)] }),
    ]),
  );
  expect(result.steps.b?.reason).toBe("REF:a.n greater_than 5 did not hold (it is 3)");
});

test("conditions stand on steps of the other two languages, too", async () => {
  const stage = await scene();
  const steps = await stage.run({
    steps: [
      { tool: "give", params: { value: { n: 3 } } },
      { tool: "echo", conditions: [when("${step[0].data.n}", "equals", 4)] },
      { tool: "echo", params: { x: "${step[1].data.x}" }, dependsOn: [1] },
    ],
  });
  expect(steps.status).toBe("completed");
  expect(steps.execution?.notRun).toEqual([
    { stepIndex: 1, tool: "echo", reason: expect.stringContaining("equals 4 did not hold") },
  ]);
  expect(steps.execution?.results.map(({ stepIndex, data }) => [stepIndex, data])).toEqual([
    [0, { n: 3 }],
    [2, { x: null }],
  ]);
  const actions = await stage.run([
    { id: "a", tool: "give", arguments: { value: 3 } },
    { id: "b", tool: "echo", conditions: [when("{{a.result}}", "equals", 4)] },
    { id: "c", tool: "echo", arguments: { t: "{{b.result.x}}!" } },
  ]);
  expect(actions.steps.b?.status).toBe("skipped");
  expect(actions.steps.c?.result).toEqual({ t: "null!" });
});
