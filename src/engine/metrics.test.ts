import { describe, expect, test } from "vitest";
import { agent, call, scene } from "../../test/scene.ts";
import type { JsonObject } from "../base/json.ts";
import { BOUNDS_MS, Durations } from "./durations.ts";

const counts = ({ durations: _, ...rest }: { durations: unknown }): object => rest;

describe("durations", () => {
  test("are counted in the bucket whose limit they do not exceed", () => {
    const durations = new Durations();
    for (const ms of [0, 1, 2, 5, 3_600_001]) durations.add(ms);
    const { count, sumMs, maxMs, buckets } = durations.snapshot();
    expect([count, sumMs, maxMs]).toEqual([5, 3_600_009, 3_600_001]);
    expect(buckets.filter((bucket) => bucket.count > 0)).toEqual([
      { leMs: 1, count: 2 },
      { leMs: 5, count: 2 },
      { leMs: null, count: 1 },
    ]);
    expect(buckets).toHaveLength(BOUNDS_MS.length + 1);
  });
});

describe("an engine's metrics", () => {
  test("begin with nothing", async () => {
    const { engine } = await scene();
    expect(counts(engine.metrics().runs)).toEqual({
      started: 0,
      resumed: 0,
      completed: 0,
      failed: 0,
      cancelled: 0,
      partial_success: 0,
    });
    expect(engine.metrics().referenceFailures).toBe(0);
  });

  test("count runs and steps by status, and how long they took", async () => {
    const stage = await scene();
    await stage.run({
      steps: [
        { tool: "wait", params: { ms: 30 } },
        { tool: "fail", optional: true },
        { tool: "echo", params: { x: "${step[1].data}" }, optional: true },
        { tool: "echo", conditions: [{ param: 1, operator: "equals", value: 2 }] },
        { tool: "echo", params: { x: "${step[0].data.nothing}" } },
        { tool: "echo" },
      ],
    });
    const run = await stage.engine.start([{ id: "a", tool: "wait", arguments: { ms: 9 } }]);
    await run.cancel();
    await stage.run(
      [
        { id: "a", tool: "fail" },
        { id: "b", tool: "echo" },
      ],
      { mode: "continue" },
    );
    const { runs, steps, referenceFailures } = stage.engine.metrics();
    expect(counts(runs)).toMatchObject({
      started: 3,
      completed: 0,
      failed: 1,
      cancelled: 1,
      partial_success: 1,
    });
    expect(runs.durations).toMatchObject({ count: 3, sumMs: 30, maxMs: 30 });
    expect(counts(steps)).toEqual({ completed: 2, failed: 4, skipped: 1, blocked: 0, cancelled: 2 });
    expect(steps.durations.maxMs).toBe(30);
    expect(referenceFailures).toBe(2);
  });

  test("count attempts, retries and timeouts as they happen", async () => {
    const stage = await scene({ never: () => new Promise(() => {}) });
    const policy = { backoff: { base_ms: 10, jitter: false } };
    await stage.run({
      steps: [{ tool: "never", timeout: 5, retryCount: 2, policy, optional: true }, { tool: "echo" }],
    });
    expect(stage.engine.metrics().attempts).toEqual({
      started: 4,
      succeeded: 1,
      failed: 3,
      retries: 2,
      timeouts: 3,
    });
  });

  test("count the steps inside composites and items", async () => {
    const stage = await scene();
    const inner = agent([call("i", "echo"), call("j", "fail", {}, { policy: { optional: true } })]);
    const over = { iterate_over: [1, 2, 3], child_argument_name: "n" };
    const fan: JsonObject = { execution_id: "x", agent_definition: inner, parallel_execution: over };
    expect((await stage.run(agent([fan, call("y", "echo")]))).status).toBe("completed");
    const { steps, attempts } = stage.engine.metrics();
    expect(counts(steps)).toEqual({ completed: 5, failed: 3, skipped: 0, blocked: 0, cancelled: 0 });
    expect(attempts).toMatchObject({ started: 7, succeeded: 4, failed: 3 });
  });

  test("count a step once, although its run failed and was gone on with", async () => {
    let broken = true;
    const stage = await scene({
      mend: () => {
        if (broken) throw new Error("not yet");
        return 1;
      },
    });
    const plan = [
      { id: "a", tool: "echo" },
      { id: "b", tool: "mend", dependencies: ["a"] },
      { id: "c", tool: "echo", dependencies: ["b"] },
    ];
    const { id } = await stage.run(plan);
    broken = false;
    const run = await stage.engine.resume(id);
    expect((await stage.play(run.result)).status).toBe("completed");
    const { runs, steps } = stage.engine.metrics();
    expect(counts(runs)).toMatchObject({ started: 1, resumed: 1, failed: 1, completed: 1 });
    // In the first place a completed, b failed and c was blocked; then b and c completed.
    expect(counts(steps)).toEqual({ completed: 3, failed: 1, skipped: 0, blocked: 1, cancelled: 0 });
  });
});
