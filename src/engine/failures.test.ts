import { describe, expect, test } from "vitest";
import { agent, call, scene, statuses, when } from "../../test/scene.ts";

describe("after a failure", () => {
  test("nothing new starts, what is under way finishes and is recorded, and the run fails", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("bad", "wait", { ms: 10 }, { transform_results: { transforms: { x: "map(ms, item)" } } }),
        call("long", "wait", { ms: 50 }),
        call("after_long", "echo", { x: "REF:long.ms" }),
        call("after_bad", "echo", { x: "REF:bad.x" }),
      ]),
    );
    expect(result).toMatchObject({ status: "failed", error: { name: "MappingError", code: "MAPPING" } });
    expect(result.response).toBeUndefined();
    expect(stage.called).toEqual(["bad", "long"]);
    expect(statuses(result)).toEqual({
      bad: "failed",
      long: "completed",
      after_long: "cancelled",
      after_bad: "blocked",
    });
    expect(result.steps.after_bad?.reason).toContain('"bad" failed');
    expect(result.steps.after_long?.reason).toContain('"bad" failed');
  });

  test("steps that would have used what failed are blocked, however far below and in whatever order, naming it", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("d", "echo", { x: "REF:c.x" }),
        call("c", "echo", { x: "REF:b.x", y: "REF:late.ms" }),
        call("b", "echo", { x: "REF:a.x", y: "REF:late.ms" }),
        call("a", "fail"),
        call("late", "wait", { ms: 5, value: "REF:slow.ms" }),
        call("slow", "wait", { ms: 50 }),
      ]),
    );
    expect(statuses(result)).toEqual({
      d: "blocked",
      c: "blocked",
      b: "blocked",
      a: "failed",
      late: "cancelled",
      slow: "completed",
    });
    for (const id of ["b", "c", "d"]) expect(result.steps[id]?.reason).toBe('"a" failed: it broke');
  });

  test("a composite that is under way finishes what is in it", async () => {
    const stage = await scene();
    const inner = agent([call("x", "wait", { ms: 20 }), call("y", "echo", { x: "REF:x.ms" })]);
    const result = await stage.run(
      agent([
        { execution_id: "c", agent_definition: inner },
        call("bad", "fail"),
        call("z", "echo", { c: "REF:c.status" }),
      ]),
    );
    expect(result.status).toBe("failed");
    expect(statuses(result)).toEqual({
      c: "completed",
      "c.x": "completed",
      "c.y": "completed",
      bad: "failed",
      z: "cancelled",
    });
  });

  test("a failure inside a composite fails the composite with the same error", async () => {
    const stage = await scene();
    const inner = agent([
      call("x", "fail", { message: "deep", code: "DEEP" }),
      call("y", "echo", { x: "REF:x.a" }),
    ]);
    const result = await stage.run(agent([{ execution_id: "c", agent_definition: inner }]));
    expect(result).toMatchObject({ status: "failed", error: { code: "DEEP", message: "deep" } });
    expect(statuses(result)).toEqual({ c: "failed", "c.x": "failed", "c.y": "blocked" });
  });

  test("a step that waits for a person's yes is not started any more", async () => {
    const stage = await scene();
    const run = await stage.start(
      agent([
        call("ask", "echo", {}, { requires_confirmation: true }),
        call("w", "wait", { ms: 5 }),
        call("bad", "fail", { w: "REF:w.ms" }),
      ]),
    );
    const result = await stage.play(run.result);
    expect(statuses(result)).toEqual({ ask: "cancelled", w: "completed", bad: "failed" });
    expect(stage.called).not.toContain("ask");
  });
});

describe("in the continue mode", () => {
  test("every step that does not depend on the failed one still runs", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent(
        [
          call("bad", "fail"),
          call("needs_bad", "echo", { x: "REF:bad.x" }),
          call("good", "wait", { ms: 5 }),
          call("after_good", "echo", { x: "REF:good.ms" }),
        ],
        { response_reference_map: { good: "REF:after_good.x", bad: "REF:bad.x" } },
      ),
      { mode: "continue" },
    );
    expect(result).toMatchObject({
      status: "partial_success",
      response: { good: 5, bad: null },
      error: { code: "BROKEN" },
    });
    expect(statuses(result)).toEqual({
      bad: "failed",
      needs_bad: "blocked",
      good: "completed",
      after_good: "completed",
    });
  });

  test("a run of which nothing succeeded has failed", async () => {
    const stage = await scene();
    expect((await stage.run(agent([call("a", "fail")]), { mode: "continue" })).status).toBe("failed");
  });

  test("a run without failures is completed", async () => {
    const stage = await scene();
    expect((await stage.run(agent([call("a", "echo")]), { mode: "continue" })).status).toBe("completed");
  });

  test("of several failures the run shows the first in the plan, whichever came first", async () => {
    const stage = await scene({
      late: async () => {
        await stage.wait(10);
        throw new Error("late");
      },
    });
    const result = await stage.run(agent([call("a", "late"), call("b", "fail"), call("c", "echo")]), {
      mode: "continue",
    });
    expect(result).toMatchObject({ status: "partial_success", error: { message: "late" } });
  });

  test("in a step plan a step that refers to a failed one fails with its message", async () => {
    const stage = await scene();
    const result = await stage.run(
      {
        steps: [
          { tool: "fail", params: { message: "gone" } },
          { tool: "echo", params: { x: "${step[0].data.x}" } },
          { tool: "echo" },
        ],
      },
      { mode: "continue" },
    );
    expect(result.execution?.results.map(({ success }) => success)).toEqual([false, false, true]);
    expect(result.execution?.results[1]).toMatchObject({
      error: { message: "Step 0 failed: gone" },
      resolvedParams: null,
    });
    expect(result.status).toBe("partial_success");
  });

  test("handlers handle there, too", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "fail"),
        call("h", "echo", {}, { conditions: [when("REF:a.status", "equals", "failed")] }),
        call("b", "echo"),
      ]),
      { mode: "continue" },
    );
    expect(result.status).toBe("completed");
  });
});

test("an unknown mode is refused", async () => {
  const stage = await scene();
  await expect(stage.run(agent([]), { mode: "stubborn" as "stop" })).rejects.toMatchObject({
    code: "INVALID_MODE",
  });
});

test("steps that wait for their turn when something fails are not started", async () => {
  const stage = await scene({}, { concurrency: 2 });
  const result = await stage.run(
    agent([
      call("bad", "fail"),
      call("slow", "wait", { ms: 10 }),
      call("queued", "echo"),
      call("fan", "echo", {}, { parallel_execution: { iterate_over: [1, 2], child_argument_name: "i" } }),
    ]),
  );
  expect(stage.called).toEqual(["bad", "slow"]);
  expect(statuses(result)).toEqual({
    bad: "failed",
    slow: "completed",
    queued: "cancelled",
    fan: "cancelled",
  });
});

test("steps that wait for their turn start after all when the failure was handled", async () => {
  const stage = await scene({}, { concurrency: 2 });
  const result = await stage.run(
    agent([
      call("bad", "fail"),
      call("slow", "wait", { ms: 10 }),
      call("queued", "echo"),
      call("fan", "echo", {}, { parallel_execution: { iterate_over: [1, 2], child_argument_name: "i" } }),
      call("h", "wait", { ms: 5 }, { conditions: [when("REF:bad.status", "equals", "failed")] }),
    ]),
  );
  expect(stage.called).toEqual(["bad", "slow", "h", "queued", "fan[0]", "fan[1]"]);
  expect(result.status).toBe("completed");
});
