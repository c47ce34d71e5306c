import { describe, expect, test } from "vitest";
import { agent, call, scene, statuses } from "../../test/scene.ts";
import { Suspension, ToolError } from "../index.ts";

function failing(times: number, options: { retryable?: boolean } = {}) {
  let calls = 0;
  return () => {
    calls++;
    if (calls <= times) throw new ToolError(`no. ${calls}`, { code: "FLAKY", ...options });
    return { calls };
  };
}

const plain = { backoff: { base_ms: 100, factor: 2, cap_ms: 300, jitter: false } };

describe("retries", () => {
  test("retries: 2 is up to 3 calls, all with the same idempotency key", async () => {
    const stage = await scene({ flaky: failing(2) });
    const result = await stage.run(
      agent([call("a", "flaky", { x: 1 }, { policy: { retries: 2, ...plain } })]),
      {
        runId: "r1",
      },
    );
    expect(result.steps.a).toMatchObject({ status: "completed", attempts: 3, result: { calls: 3 } });
    expect(stage.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(stage.calls.map(({ idempotencyKey }) => idempotencyKey))).toEqual(new Set(["r1/a"]));
  });

  test("the delay grows by the factor up to the cap", async () => {
    const stage = await scene({ flaky: failing(4) });
    await stage.run(agent([call("a", "flaky", {}, { policy: { retries: 4, ...plain } })]));
    expect(stage.calls.map(({ at }) => at)).toEqual([0, 100, 300, 600, 900]);
  });

  test("jitter takes up to half of the delay away, by the run's seed", async () => {
    const stage = await scene({ flaky: failing(1) });
    await stage.run(agent([call("a", "flaky", {}, { policy: { retries: 1, backoff: { base_ms: 1000 } } })]));
    expect(stage.calls[1]?.at).toBeGreaterThanOrEqual(500);
    expect(stage.calls[1]?.at).toBeLessThanOrEqual(1000);
  });

  test("the default is no retry", async () => {
    const stage = await scene();
    const result = await stage.run(agent([call("a", "fail")]));
    expect(result).toMatchObject({
      status: "failed",
      error: { name: "ToolError", code: "BROKEN", message: "it broke" },
      steps: { a: { status: "failed", attempts: 1 } },
    });
  });

  test("the last error is the step's error", async () => {
    const stage = await scene({ flaky: failing(9) });
    const result = await stage.run({ steps: [{ tool: "flaky", retryCount: 2 }] });
    expect(result.steps["0"]).toMatchObject({ attempts: 3, error: { code: "FLAKY", message: "no. 3" } });
    expect(result.execution?.results[0]?.error).toEqual({ code: "FLAKY", message: "no. 3" });
  });

  test("a tool may mark an error as not worth retrying", async () => {
    const stage = await scene({ flaky: failing(2, { retryable: false }) });
    const result = await stage.run(agent([call("a", "flaky", {}, { policy: { retries: 5 } })]));
    expect(result.steps.a).toMatchObject({ status: "failed", attempts: 1 });
  });

  test("a step between two attempts is running, and so is the run", async () => {
    const stage = await scene({ flaky: failing(1) });
    const run = await stage.start(agent([call("a", "flaky", {}, { policy: { retries: 1, ...plain } })]));
    await stage.settle();
    expect(await stage.engine.get(run.id)).toMatchObject({
      status: "running",
      steps: { a: { status: "running" } },
    });
    expect((await stage.play(run.result)).status).toBe("completed");
  });

  test("arguments that do not fit are not tried again", async () => {
    const stage = await scene();
    const definition = { arguments: [{ name: "n", type_name: "number" }] };
    const result = await stage.run(
      agent([
        call("g", "give", { value: { n: "five" } }),
        call("a", "echo", { n: "REF:g.n" }, { definition, policy: { retries: 3 } }),
      ]),
    );
    expect(result.steps.a).toMatchObject({
      status: "failed",
      attempts: 0,
      error: { name: "SchemaValidationError" },
    });
    expect(stage.called).toEqual(["g"]);
  });

  test("each item of a fan-out has its own attempts", async () => {
    const tries = new Map<number, number>();
    const stage = await scene({
      flaky: ({ n }: { n: number }) => {
        tries.set(n, (tries.get(n) ?? 0) + 1);
        if ((tries.get(n) ?? 0) <= n) throw new Error("again");
        return { n };
      },
    });
    const result = await stage.run(
      agent([
        call(
          "a",
          "flaky",
          {},
          {
            policy: { retries: 2, ...plain },
            parallel_execution: { iterate_over: [0, 1, 2], child_argument_name: "n" },
          },
        ),
      ]),
    );
    expect(result.steps.a?.result).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    expect(["a[0]", "a[1]", "a[2]"].map((id) => result.steps[id]?.attempts)).toEqual([1, 2, 3]);
  });

  test("a composite is tried again as a whole", async () => {
    const stage = await scene({ flaky: failing(1) });
    const inner = agent([call("x", "echo", { a: 1 }), call("y", "flaky", { b: "REF:x.a" })], {
      response_reference_map: { calls: "REF:y.calls" },
    });
    const result = await stage.run(
      agent([{ execution_id: "c", agent_definition: inner, policy: { retries: 1, ...plain } }]),
    );
    expect(result.steps.c).toMatchObject({ status: "completed", result: { calls: 2 }, attempts: 2 });
    expect(stage.called).toEqual(["c.x", "c.y", "c.x", "c.y"]);
  });
});

describe("timeouts", () => {
  test("a timeout is per attempt, has the code TIMEOUT, and fires the tool's signal", async () => {
    const fired: unknown[] = [];
    const stage = await scene({
      hang: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            fired.push(signal.reason);
            reject(new Error("too late to matter"));
          });
        }),
    });
    const result = await stage.run(
      agent([call("a", "hang", {}, { policy: { retries: 1, timeout_ms: 50, ...plain } })]),
    );
    expect(result).toMatchObject({
      status: "failed",
      error: { name: "TimeoutError", code: "TIMEOUT" },
      steps: { a: { attempts: 2 } },
    });
    expect(fired).toHaveLength(2);
    expect(stage.now).toBe(200);
  });

  test("a tool that ignores its signal does not hold the run up, and its late answer is not looked at", async () => {
    const stage = await scene();
    const result = await stage.run({
      steps: [{ tool: "wait", params: { ms: 1000, value: 1 }, timeout: 10, optional: true }],
    });
    expect(result.status).toBe("completed");
    expect(stage.now).toBe(10);
    expect(result.execution?.results[0]).toMatchObject({ success: false, error: { code: "TIMEOUT" } });
  });

  test("a composite that runs out of time is given up with everything inside it", async () => {
    const aborted: string[] = [];
    const stage = await scene({
      hang: (_: unknown, { signal, stepId }: { signal: AbortSignal; stepId: string }) =>
        new Promise(() => signal.addEventListener("abort", () => aborted.push(stepId))),
    });
    const inner = agent([
      call("x", "hang"),
      call("y", "wait", { ms: 70 }),
      call("z", "echo", { a: "REF:y.ms" }),
      call("f", "fail", {}, { policy: { retries: 5, backoff: { base_ms: 1000 } } }),
    ]);
    const result = await stage.run(
      agent([
        { execution_id: "c", agent_definition: inner, policy: { timeout_ms: 50, retries: 1, ...plain } },
        call("after", "echo", { s: "REF:c.status" }, { dependencies: ["c"] }),
      ]),
    );
    expect(result).toMatchObject({ status: "failed", error: { code: "TIMEOUT" } });
    expect(stage.now).toBe(200);
    expect(aborted).toEqual(["c.x", "c.x"]);
    expect(statuses(result)).toEqual({
      c: "failed",
      "c.x": "cancelled",
      "c.y": "cancelled",
      "c.z": "cancelled",
      "c.f": "cancelled",
      after: "completed",
    });
    expect(result.steps.after?.result).toEqual({ s: "failed" });
  });

  test("a composite that is in time is not disturbed by its timer", async () => {
    const stage = await scene();
    const inner = agent([call("x", "wait", { ms: 10 })]);
    const result = await stage.run(
      agent([
        { execution_id: "c", agent_definition: inner, policy: { timeout_ms: 50 } },
        call("later", "wait", { ms: 500 }, { dependencies: ["c"] }),
      ]),
    );
    expect(result.status).toBe("completed");
  });

  test("a run that passes its deadline fails, and what was under way is cancelled", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "wait", { ms: 10 }),
        call("b", "wait", { ms: 1000, value: "REF:a.ms" }),
        call("c", "echo", { x: "REF:b" + ".x" }),
      ]),
      { deadlineMs: 100 },
    );
    expect(result).toMatchObject({ status: "failed", error: { name: "TimeoutError", code: "TIMEOUT" } });
    expect(stage.now).toBe(100);
    expect(statuses(result)).toEqual({ a: "completed", b: "cancelled", c: "cancelled" });
  });

  test("a run that waits for a person can pass its deadline, too", async () => {
    const stage = await scene();
    const run = await stage.start([{ id: "a", tool: "echo", arguments: { x: "{{PLACEHOLDER_x}}" } }], {
      deadlineMs: 100,
    });
    const result = await stage.play(run.result);
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "TIMEOUT" },
      steps: { a: { status: "cancelled" } },
    });
    expect(stage.calls).toEqual([]);
  });
});

describe("optional", () => {
  test("a run in which only optional steps failed is completed", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "fail", {}, { policy: { optional: true } }),
        call("b", "echo", { x: "REF:a.anything.deep", y: 1 }),
        call("c", "wait", { ms: 5 }),
      ]),
    );
    expect(result.status).toBe("completed");
    expect(result.steps.b?.result).toEqual({ x: null, y: 1 });
    expect(result.steps.a).toMatchObject({ status: "failed", error: { code: "BROKEN" } });
  });

  test("what needs a failed optional step in an action plan is blocked, naming it; the rest runs", async () => {
    const stage = await scene();
    const result = await stage.run([
      { id: "a", tool: "fail", policy: { optional: true } },
      { id: "b", tool: "echo", arguments: { x: "{{a.result.x}}" } },
      { id: "c", tool: "echo" },
    ]);
    expect(statuses(result)).toEqual({ a: "failed", b: "blocked", c: "completed" });
    expect(result.steps.b?.reason).toContain('"a" failed');
  });
});

test("a suspended tool makes the step and the run wait, and gives its result when its time has come", async () => {
  const stage = await scene({ nap: () => new Suspension(stage.clock.now() + 500, { slept: true }) });
  const run = await stage.start(agent([call("a", "nap"), call("b", "echo", { s: "REF:a.slept" })]));
  await stage.settle();
  expect(await stage.engine.get(run.id)).toMatchObject({
    status: "waiting",
    steps: { a: { status: "waiting" } },
  });
  const result = await stage.play(run.result);
  expect(result.steps.b?.result).toEqual({ s: true });
  expect(stage.now).toBe(500);
});
