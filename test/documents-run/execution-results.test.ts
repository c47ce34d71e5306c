/* What a step plan gives: `ExecutionResults` of document 3, field by field, on a clock that stands still until it is told to go on. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { ToolError } from "../../src/index.ts";
import { BEGIN, scene, statuses } from "../scene.ts";
import { give, wait } from "./short-steps.ts";

const iso = (ms: number): string => new Date(BEGIN + ms).toISOString();
const fail = (more: JsonObject = {}): JsonObject => ({
  tool: "fail",
  params: { message: "no power" },
  ...more,
});

describe("the results of a step plan", () => {
  test("have exactly the document's fields, and notRun", async () => {
    const stage = await scene();
    const { execution } = await stage.run({
      requestId: "order-11",
      steps: [wait(30), fail({ optional: true }), wait(12)],
    });
    expect(execution).toStrictEqual({
      requestId: "order-11",
      results: [
        {
          success: true,
          tool: "wait",
          data: 30,
          error: null,
          metadata: { executionTime: 30, timestamp: iso(30) },
          stepIndex: 0,
          resolvedParams: { ms: 30, value: 30 },
        },
        {
          success: false,
          tool: "fail",
          data: null,
          error: { code: "BROKEN", message: "no power" },
          metadata: { executionTime: 0, timestamp: iso(30) },
          stepIndex: 1,
          resolvedParams: { message: "no power" },
        },
        {
          success: true,
          tool: "wait",
          data: 12,
          error: null,
          metadata: { executionTime: 12, timestamp: iso(42) },
          stepIndex: 2,
          resolvedParams: { ms: 12, value: 12 },
        },
      ],
      notRun: [],
      metadata: { totalDurationMs: 42, successfulSteps: 2, failedSteps: 1, timestamp: iso(42) },
    });
  });

  test("have requestId null where the plan has none", async () => {
    const stage = await scene();
    expect((await stage.run({ steps: [give(1)] })).execution?.requestId).toBeNull();
  });

  test("of an empty plan are empty", async () => {
    const stage = await scene();
    const { status, execution } = await stage.run({ steps: [] });
    expect([status, execution?.results, execution?.notRun]).toEqual(["completed", [], []]);
    expect(execution?.metadata).toMatchObject({ successfulSteps: 0, failedSteps: 0, totalDurationMs: 0 });
  });

  test("are in the plan's order, whichever step ends first", async () => {
    const stage = await scene();
    const { execution } = await stage.run({ steps: [50, 10, 30].map((ms) => wait(ms, { parallel: true })) });
    expect(execution?.results.map(({ stepIndex, data }) => [stepIndex, data])).toEqual([
      [0, 50],
      [1, 10],
      [2, 30],
    ]);
    expect(execution?.results.map(({ metadata }) => metadata.executionTime)).toEqual([50, 10, 30]);
    expect(execution?.metadata.totalDurationMs).toBe(50);
  });

  test("say what the tool gave: nothing is null, and data that is null is a success", async () => {
    const stage = await scene({ nothing: () => undefined });
    const { execution } = await stage.run({ steps: [{ tool: "nothing" }, give(null), give(false)] });
    expect(execution?.results.map(({ success, data }) => [success, data])).toEqual([
      [true, null],
      [true, null],
      [true, false],
    ]);
    expect(execution?.results[0]?.resolvedParams).toEqual({});
  });
});

describe("error codes", () => {
  const tools = {
    own: () => {
      throw new ToolError("shut", { code: "GATE_SHUT" });
    },
    none: () => {
      throw new ToolError("just so");
    },
    plain: () => {
      throw new TypeError("x is not a function");
    },
    system: () => {
      throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    },
    text: () => {
      throw "gone";
    },
    never: () => new Promise(() => {}),
  };

  test.each([
    ["own", "GATE_SHUT", "shut"],
    ["none", "EXECUTION_FAILED", "just so"],
    ["plain", "EXECUTION_FAILED", "x is not a function"],
    ["system", "ENOENT", "no such file"],
    ["text", "EXECUTION_FAILED", "gone"],
    ["never", "TIMEOUT", "never did not answer within 25 ms"],
  ])("%s: %s", async (tool, code, message) => {
    const stage = await scene(tools);
    const { execution, error } = await stage.run({ steps: [{ tool, params: { a: 1 }, timeout: 25 }] });
    expect(execution?.results).toMatchObject([
      { success: false, error: { code, message }, resolvedParams: { a: 1 } },
    ]);
    expect(error?.message).toBe(message);
  });

  test("a reference that leads nowhere, a failed step, an unmet dependency: EXECUTION_FAILED, and no parameters", async () => {
    const stage = await scene();
    const { execution } = await stage.run({
      steps: [
        fail({ optional: true }),
        give("${step[0].data.x}", { optional: true }),
        give(1, { dependsOn: [0], optional: true }),
        give("${step[1].data}", { optional: true }),
      ],
    });
    expect(
      execution?.results.slice(1).map(({ error, resolvedParams }) => ({ ...error, resolvedParams })),
    ).toEqual([
      { code: "EXECUTION_FAILED", message: "Step 0 failed: no power", resolvedParams: null },
      { code: "EXECUTION_FAILED", message: "Dependencies not met for step 2: 0", resolvedParams: null },
      { code: "EXECUTION_FAILED", message: "Step 1 failed: Step 0 failed: no power", resolvedParams: null },
    ]);
    expect(execution?.metadata).toMatchObject({ successfulSteps: 0, failedSteps: 4 });
    expect(execution?.results.slice(1).map(({ metadata }) => metadata.executionTime)).toEqual([0, 0, 0]);
  });

  test("the dependencies are looked at before the references, as in the document", async () => {
    const stage = await scene();
    const { execution } = await stage.run({
      steps: [fail({ optional: true }), give("${step[0].data.x}", { dependsOn: [0] })],
    });
    expect(execution?.results[1]?.error?.message).toBe("Dependencies not met for step 1: 0");
  });
});

describe("what happens after a failure", () => {
  test("nothing new starts, and what never ran is listed with the reason and not counted", async () => {
    const stage = await scene();
    const { status, error, execution } = await stage.run({
      steps: [give(1), fail(), give("${step[1].data}"), give(3)],
    });
    expect(status).toBe("failed");
    expect(error).toMatchObject({ name: "ToolError", code: "BROKEN", message: "no power" });
    expect(stage.called).toEqual(["0", "1"]);
    expect(execution?.results.map(({ stepIndex }) => stepIndex)).toEqual([0, 1]);
    expect(execution?.metadata).toMatchObject({ successfulSteps: 1, failedSteps: 1 });
    expect(execution?.notRun.map(({ stepIndex, tool }) => [stepIndex, tool])).toEqual([
      [2, "give"],
      [3, "give"],
    ]);
    expect(execution?.notRun[0]?.reason).toContain("no power");
    expect(execution?.notRun[1]?.reason).toMatch(/not started.*"1" failed/);
  });

  test("what is under way finishes and is recorded", async () => {
    const stage = await scene();
    const { status, execution } = await stage.run({
      steps: [wait(40, { parallel: true }), fail({ parallel: true }), give(2)],
    });
    expect(status).toBe("failed");
    expect(execution?.results.map(({ success }) => success)).toEqual([true, false]);
    expect(execution?.notRun).toMatchObject([{ stepIndex: 2 }]);
  });

  test("an optional step's failure does not stop the plan, and the run is completed", async () => {
    const stage = await scene();
    const { status, error, execution } = await stage.run({ steps: [fail({ optional: true }), give(1)] });
    expect([status, error]).toEqual(["completed", undefined]);
    expect(execution?.metadata).toMatchObject({ successfulSteps: 1, failedSteps: 1 });
  });

  test("in the continue mode what does not depend on it still runs", async () => {
    const stage = await scene();
    const steps = [
      fail(),
      give("${step[0].data}"),
      give(2),
      give(3, { dependsOn: [0] }),
      give(4, { dependsOn: [2] }),
    ];
    const result = await stage.run({ steps }, { mode: "continue" });
    expect(result.status).toBe("partial_success");
    expect(statuses(result)).toEqual({
      0: "failed",
      1: "failed",
      2: "completed",
      3: "failed",
      4: "completed",
    });
    expect(result.execution?.results.map(({ error }) => error?.message ?? null)).toEqual([
      "no power",
      "Step 0 failed: no power",
      null,
      "Dependencies not met for step 3: 0",
      null,
    ]);
  });
});
