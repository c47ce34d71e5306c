/* Document 3 and section 3 of the language, run: plans and values of our own. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { dependencies, PlanError } from "../../src/index.ts";
import { scene, statuses, when } from "../scene.ts";
import { give } from "./short-steps.ts";

const DEPOTS = [
  { id: "D7", name: "Hafenlager", town: "Bremen", beds: 40 },
  { id: "D9", name: "Nordlager", town: "Bremen", beds: 0 },
  { id: "D2", name: "Südlager", town: "Ulm", beds: 12 },
];
const LOADS = [
  { id: "L1", depot: "D7", kilos: 120 },
  { id: "L2", depot: "D9", kilos: 80 },
  { id: "L3", depot: "D7", kilos: 45.5 },
];
const logistics = {
  depots: ({ town }: { town: string }) => DEPOTS.filter((depot) => depot.town === town),
  loads: ({ depot }: { depot: string }) => LOADS.filter((load) => load.depot === depot),
};

const echo = (params: JsonObject, more: JsonObject = {}): JsonObject => ({ tool: "echo", params, ...more });

/** What a step gets whose parameter `x` is `reference`, after a first step that gave `value`. */
async function seen(value: Json, reference: Json): Promise<Json> {
  const stage = await scene({ first: () => value });
  const result = await stage.run({ steps: [{ tool: "first" }, echo({ x: reference })] });
  expect(result.error).toBeUndefined();
  return stage.calls[1]?.params.x ?? null;
}

/** How the second step fails. */
async function failure(value: Json, reference: string): Promise<string | undefined> {
  const stage = await scene();
  const result = await stage.run({ steps: [give(value), echo({ x: reference })] });
  expect(statuses(result)).toEqual({ 0: "completed", 1: "failed" });
  expect(stage.called).toEqual(["0"]);
  return result.steps["1"]?.error?.message;
}

describe("the plan of the document: what lies in a town's depot", () => {
  const plan = {
    steps: [
      { tool: "depots", params: { town: "Bremen" }, dependsOn: [], parallel: false },
      { tool: "loads", params: { depot: "${step[0].data[0].id}" }, dependsOn: [0], parallel: false },
    ],
  };

  test("the second step gets the id that the first one found", async () => {
    const stage = await scene(logistics);
    const { status, execution } = await stage.run(plan);
    expect(status).toBe("completed");
    expect(execution?.results.map(({ success }) => success)).toEqual([true, true]);
    expect(execution?.results[1]).toMatchObject({
      tool: "loads",
      resolvedParams: { depot: "D7" },
      data: [LOADS[0], LOADS[2]],
    });
    expect(stage.calls.map(({ params }) => params)).toEqual([{ town: "Bremen" }, { depot: "D7" }]);
  });

  test("where nothing is found, the second step fails and says what it missed", async () => {
    const stage = await scene(logistics);
    const { status, execution } = await stage.run({
      ...plan,
      steps: [{ ...plan.steps[0], params: { town: "Köln" } }, plan.steps[1]],
    } as Json);
    expect(status).toBe("failed");
    expect(execution?.results[1]).toMatchObject({
      success: false,
      data: null,
      resolvedParams: null,
      error: { code: "EXECUTION_FAILED" },
    });
    expect(execution?.results[1]?.error?.message).toContain("${step[0].data[0].id}");
    expect(stage.called).toEqual(["0"]);
  });

  test("references make dependencies, order alone does not", async () => {
    const stage = await scene(logistics);
    const { program } = stage.engine.compile({ steps: [...plan.steps, give(1)] } as Json);
    expect(program && dependencies(program)).toEqual({ 0: [], 1: ["0"], 2: [] });
  });
});

describe("a reference that is the whole string", () => {
  test.each([
    [{ id: "F1", name: "Werk" }, "${step[0].data.id}", "F1"],
    [[{ id: "F1" }, { id: "F2" }], "${step[0].data[0].id}", "F1"],
    [[{ id: "F1" }, { id: "F2" }], "${step[0].data.1.id}", "F2"],
    [[[1, 2], [3]], "${step[0].data[0][1]}", 2],
    [0, "${step[0].data}", 0],
    [false, "${step[0].data}", false],
    [null, "${step[0].data}", null],
    ["", "${step[0].data}", ""],
    [{ x: null }, "${step[0].data.x}", null],
    [[1, { a: "b" }], "${step[0].data}", [1, { a: "b" }]],
    [{ x: 1 }, "${ step[0].data.x }", 1],
    [{ "full name": "Ida" }, "${step[0].data.full name}", "Ida"],
    [[{ id: 1 }, { id: 2 }], "${step[0].data.*.id}", [1, 2]],
    [[{ id: 1 }, {}, { id: null }], "${step[0].data[*].id}", [1, null]],
    [[{ a: 1 }], "${step[0].data.*.id}", []],
    [[], "${step[0].data.*.id}", []],
    [[{ l: [{ n: 1 }, { n: 2 }] }, { l: [{ n: 3 }] }], "${step[0].data.*.l.*.n}", [1, 2, 3]],
    [[5, 6, 7], "${step[0].data.length}", 3],
    [[5, 6, 7], "${step[0].data.first}", 5],
    [[5, 6, 7], "${step[0].data.last}", 7],
    [[], "${step[0].data.first}", null],
    [{ length: "long", first: 1 }, "${step[0].data.length}", "long"],
    [{ constructor: "own" }, "${step[0].data.constructor}", "own"],
  ])("%j: %s is %j", async (value, reference, expected) => {
    expect(await seen(value, reference)).toEqual(expected);
  });
});

describe("a reference inside a longer string becomes text", () => {
  test.each([
    ["ab", "<${step[0].data}>", "<ab>"],
    [7, "<${step[0].data}>", "<7>"],
    [null, "<${step[0].data}>", "<null>"],
    [false, "<${step[0].data}>", "<false>"],
    [{ a: [1, "x"] }, "<${step[0].data}>", '<{"a":[1,"x"]}>'],
    [{ a: 1, b: 2 }, "${step[0].data.a}${step[0].data.b}", "12"],
    ['say "hi" \\ $& ${step[0].data}', "<${step[0].data}>", '<say "hi" \\ $& ${step[0].data}>'],
  ])("%j in %s is %j", async (value, text, expected) => {
    expect(await seen(value, text)).toBe(expected);
  });

  test.each([
    ["\\${step[0].data}", "${step[0].data}"],
    ["\\\\${step[0].data}", "\\5"],
    ["${HOME}", "${HOME}"],
    ["${stepfather}", "${stepfather}"],
    ["{{a.result}} REF:a.b", "{{a.result}} REF:a.b"],
  ])("%j is %j", async (text, expected) => {
    expect(await seen(5, text)).toBe(expected);
  });

  test("at any depth, but not in keys", async () => {
    expect(await seen(5, { a: [{ "${step[0].data}": ["n ${step[0].data}", "${step[0].data}"] }] })).toEqual({
      a: [{ "${step[0].data}": ["n 5", 5] }],
    });
  });
});

describe("a path that leads nowhere fails the step, and nothing is called", () => {
  test.each([
    [{ a: 1 }, "${step[0].data.b}"],
    [[1], "${step[0].data[1]}"],
    [{ a: null }, "${step[0].data.a.b}"],
    [{ a: 1 }, "${step[0].data.a.b}"],
    ["text", "${step[0].data.length}"],
    [{ a: 1 }, "${step[0].data.*}"],
    [{}, "${step[0].data.constructor}"],
    [[], "${step[0].data.__proto__}"],
    [{ a: 1 }, "see ${step[0].data.b}"],
  ])("%j: %s", async (value, reference) => {
    const message = await failure(value, reference);
    expect(message).toContain(reference.slice(reference.indexOf("$")));
    expect(message).not.toContain("undefined");
  });
});

describe("a plan that is wrong does not start", () => {
  test.each([
    ["${step[0].id}", /\$\{step\[0\]\.data\.id\}/],
    ["${step[1].data}", /step 1/i],
    ["${step[2].data}", /step 2/i],
    ["${step[9].data}", /9/],
    ["${step[0}", /\$\{step\[0/],
    ["${step0.data}", /\$\{step0\.data\}/],
    ["${step[00].data}", /\$\{step\[00\]/],
  ])("%s", async (reference, named) => {
    const stage = await scene();
    const plan = { steps: [give(1), echo({ x: reference }), give(2)] };
    const error = await stage.engine.run(plan).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlanError);
    const [first] = (error as PlanError).diagnostics;
    expect([first?.message, ...(first?.hints ?? [])].join("\n")).toMatch(named);
    expect(stage.calls).toEqual([]);
  });

  test("a dependency on a later step, on itself, on none, and an unknown tool, all at once", async () => {
    const stage = await scene();
    const steps = [give(1, { dependsOn: [1, 0, 7] }), { tool: "gave" }, give(1, { retries: 1 })];
    const error = await stage.engine.run({ steps } as Json).catch((thrown: unknown) => thrown);
    expect((error as PlanError).diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(5);
    expect(stage.calls).toEqual([]);
  });
});

describe("ENABLE_STEP_REFERENCES", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(["false", "0"])("%s refuses plans with references before anything runs", async (value) => {
    vi.stubEnv("ENABLE_STEP_REFERENCES", value);
    const stage = await scene();
    const plan = { steps: [give(1), echo({ x: "${step[0].data}", y: "and ${step[0].data}" })] };
    const error = await stage.engine.run(plan).catch((thrown: unknown) => thrown);
    const { diagnostics } = error as PlanError;
    expect(diagnostics.map(({ code }) => code)).toEqual(["references-disabled", "references-disabled"]);
    expect(diagnostics[0]?.hints.join()).toContain("ENABLE_STEP_REFERENCES");
    expect(stage.calls).toEqual([]);
    const plain = await stage.run({
      steps: [give(1), echo({ x: "${HOME} \\${step[0].data}" }, { dependsOn: [0] })],
    });
    expect(plain.status).toBe("completed");
  });

  test.each(["true", "1", ""])("%j allows them", async (value) => {
    vi.stubEnv("ENABLE_STEP_REFERENCES", value);
    expect(await seen(3, "${step[0].data}")).toBe(3);
  });
});

describe("conditions on steps", () => {
  const steps = (flag: Json): JsonObject[] => [
    give({ flag }),
    give("ran", { conditions: [when("${step[0].data.flag}", "equals", true)] }),
    echo(
      { whole: "${step[1].data}", deep: "${step[1].data.a.b}", text: "<${step[1].data.a}>" },
      { dependsOn: [1] },
    ),
  ];

  test("a step whose conditions do not hold is skipped: null to others, and no dependency is unmet", async () => {
    const stage = await scene();
    const result = await stage.run({ steps: steps(false) });
    expect(statuses(result)).toEqual({ 0: "completed", 1: "skipped", 2: "completed" });
    expect(stage.calls[1]?.params).toEqual({ whole: null, deep: null, text: "<null>" });
    expect(result.execution?.results.map(({ stepIndex }) => stepIndex)).toEqual([0, 2]);
    expect(result.execution?.notRun).toMatchObject([{ stepIndex: 1, tool: "give" }]);
    expect(result.execution?.notRun[0]?.reason).toContain("${step[0].data.flag} equals true");
    expect(result.execution?.metadata).toMatchObject({ successfulSteps: 2, failedSteps: 0 });
  });

  test("a step whose conditions hold runs", async () => {
    const stage = await scene();
    const result = await stage.run({ steps: [...steps(true).slice(0, 2), echo({ x: "${step[1].data}" })] });
    expect(statuses(result)).toEqual({ 0: "completed", 1: "completed", 2: "completed" });
    expect(stage.calls[2]?.params).toEqual({ x: "ran" });
  });
});
