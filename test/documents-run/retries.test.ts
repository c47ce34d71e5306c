/* Retries, backoff, timeouts and deadlines: on a simulated clock, so that the delays are exact and nothing waits. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { type ToolContext, ToolError } from "../../src/index.ts";
import { type Scene, scene, statuses } from "../scene.ts";

/** Fails so many times, then gives how often it was called. */
function flaky(times: number): () => number {
  let calls = 0;
  return () => {
    calls++;
    if (calls <= times) throw new ToolError(`try ${calls}`, { code: "BUSY" });
    return calls;
  };
}

const steady = (more: JsonObject = {}): JsonObject => ({
  base_ms: 100,
  factor: 2,
  cap_ms: 10_000,
  jitter: false,
  ...more,
});
const attempts = (stage: Scene) => stage.calls.map(({ attempt, at }) => [attempt, at]);

describe("retryCount", () => {
  test("2 is up to three calls, and the first success ends it", async () => {
    const stage = await scene({ flaky: flaky(2) });
    const { status, steps, execution } = await stage.run({ steps: [{ tool: "flaky", retryCount: 2 }] });
    expect([status, steps["0"]?.attempts, steps["0"]?.result]).toEqual(["completed", 3, 3]);
    expect(execution?.metadata).toMatchObject({ successfulSteps: 1, failedSteps: 0 });
  });

  test("the last error counts when all calls fail", async () => {
    const stage = await scene({ flaky: flaky(9) });
    const { status, steps, execution } = await stage.run({ steps: [{ tool: "flaky", retryCount: 2 }] });
    expect([status, steps["0"]?.attempts]).toEqual(["failed", 3]);
    expect(execution?.results[0]?.error).toEqual({ code: "BUSY", message: "try 3" });
  });

  test("is 0 where it isn't given", async () => {
    const stage = await scene({ flaky: flaky(1) });
    expect((await stage.run({ steps: [{ tool: "flaky" }] })).status).toBe("failed");
    expect(stage.calls).toHaveLength(1);
  });

  test("an error that is not worth retrying is not retried", async () => {
    const stage = await scene();
    const params = { message: "never", code: "NO", retryable: false };
    const { steps } = await stage.run({ steps: [{ tool: "fail", params, retryCount: 5 }] });
    expect([stage.calls.length, steps["0"]?.attempts, steps["0"]?.error?.code]).toEqual([1, 1, "NO"]);
    expect(stage.now).toBe(0);
  });

  test("nor is a reference that leads nowhere", async () => {
    const stage = await scene();
    const steps = [{ tool: "give" }, { tool: "echo", params: { x: "${step[0].data.y}" }, retryCount: 5 }];
    expect((await stage.run({ steps })).steps["1"]).toMatchObject({ status: "failed", attempts: 0 });
    expect(stage.now).toBe(0);
  });

  test("every attempt has the same idempotency key, another step has another", async () => {
    const stage = await scene({ flaky: flaky(2) });
    await stage.run([
      { id: "a", tool: "flaky", policy: { retries: 2 } },
      { id: "b", tool: "echo", arguments: {} },
    ]);
    const keys = (id: string) =>
      stage.calls.filter(({ stepId }) => stepId === id).map((call) => call.idempotencyKey);
    expect(keys("a")).toHaveLength(3);
    expect(new Set(keys("a")).size).toBe(1);
    expect(keys("b")[0]).not.toBe(keys("a")[0]);
  });
});

describe("the delay between attempts", () => {
  const plan = (backoff?: JsonObject) => [
    { id: "a", tool: "flaky", policy: { retries: 5, ...(backoff && { backoff }) } },
  ];

  test("doubles from 100 ms", async () => {
    const stage = await scene({ flaky: flaky(9) });
    await stage.run(plan(steady()));
    expect(attempts(stage)).toEqual([
      [1, 0],
      [2, 100],
      [3, 300],
      [4, 700],
      [5, 1500],
      [6, 3100],
    ]);
  });

  test("is capped, and grows by its factor", async () => {
    const stage = await scene({ flaky: flaky(9) });
    await stage.run(plan(steady({ base_ms: 10, factor: 3, cap_ms: 50 })));
    expect(attempts(stage).map(([, at]) => at)).toEqual([0, 10, 40, 90, 140, 190]);
  });

  test("with jitter depends on the seed alone, and stays within the delay", async () => {
    const times = async (seed: number): Promise<number[]> => {
      const stage = await scene({ flaky: flaky(9) });
      await stage.run(plan(), { seed });
      return stage.calls.map(({ at }) => at);
    };
    const first = await times(7);
    expect(await times(7)).toEqual(first);
    expect(await times(8)).not.toEqual(first);
    const delays = first.slice(1).map((at, i) => at - (first[i] ?? 0));
    for (const [i, delay] of delays.entries()) {
      expect(delay).toBeGreaterThan(0);
      expect(delay).toBeLessThanOrEqual(100 * 2 ** i);
    }
  });

  test("is the step's own: others go on, and it is running meanwhile", async () => {
    const stage = await scene({ flaky: flaky(1) });
    const run = await stage.engine.start([
      ...plan(steady()),
      { id: "b", tool: "give", arguments: { value: 1 } },
      { id: "c", tool: "echo", arguments: { x: "{{b.result}}" } },
    ]);
    await stage.settle();
    expect(statuses((await stage.engine.get(run.id)) as never)).toEqual({
      a: "running",
      b: "completed",
      c: "completed",
    });
    expect((await stage.engine.get(run.id))?.status).toBe("running");
    expect(stage.now).toBe(0);
    expect((await stage.play(run.result)).status).toBe("completed");
    expect(stage.now).toBe(100);
  });
});

describe("timeout", () => {
  /** Never answers; notes when its signal fires, and with what. */
  function deaf(stage: () => Scene, fired: [number, number, string][]) {
    return (_: JsonObject, { signal, attempt }: ToolContext) =>
      new Promise(() => {
        signal.addEventListener("abort", () =>
          fired.push([attempt, stage().now, (signal.reason as Error).message]),
        );
      });
  }

  test("fires the tool's signal, and counts as an attempt", async () => {
    const fired: [number, number, string][] = [];
    const stage: Scene = await scene({ deaf: deaf(() => stage, fired) });
    const policy = { backoff: steady() };
    const { steps, execution } = await stage.run({
      steps: [{ tool: "deaf", timeout: 40, retryCount: 2, policy }],
    });
    const message = "deaf did not answer within 40 ms";
    expect(fired).toEqual([
      [1, 40, message],
      [2, 180, message],
      [3, 420, message],
    ]);
    expect(steps["0"]).toMatchObject({
      status: "failed",
      attempts: 3,
      error: { name: "TimeoutError", code: "TIMEOUT", message },
    });
    expect(execution?.results[0]).toMatchObject({
      error: { code: "TIMEOUT" },
      metadata: { executionTime: 420 },
    });
  });

  test("is for each attempt: one that answers in time is fine", async () => {
    const stage: Scene = await scene({
      slow: async (_: JsonObject, { attempt }: ToolContext) => {
        await stage.wait(attempt === 1 ? 50 : 30);
        return attempt;
      },
    });
    const { steps } = await stage.run({ steps: [{ tool: "slow", timeout: 40, retryCount: 1 }] });
    expect(steps["0"]).toMatchObject({ status: "completed", result: 2, attempts: 2 });
  });

  test("what a tool answers after it is not looked at", async () => {
    const stage: Scene = await scene({
      late: async () => {
        await stage.wait(50);
        return "late";
      },
    });
    const steps = [
      { tool: "late", timeout: 20, optional: true },
      { tool: "wait", params: { ms: 100 } },
    ];
    const result = await stage.run({ steps });
    expect(result.steps["0"]).toMatchObject({ status: "failed", result: null });
  });

  test("a run-wide deadline fails the run, and signals fire", async () => {
    const fired: [number, number, string][] = [];
    const stage: Scene = await scene({ deaf: deaf(() => stage, fired) });
    const result = await stage.run(
      { steps: [{ tool: "wait", params: { ms: 10 } }, { tool: "deaf" }, { tool: "echo" }] },
      { deadlineMs: 60 },
    );
    expect(result.status).toBe("failed");
    expect(result.error).toMatchObject({ code: "TIMEOUT" });
    expect(fired.map(([, at]) => at)).toEqual([60]);
    expect(statuses(result)).toEqual({ 0: "completed", 1: "cancelled", 2: "cancelled" });
  });
});
