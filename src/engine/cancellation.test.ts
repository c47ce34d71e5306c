import { describe, expect, test } from "vitest";
import { agent, call, scene, statuses } from "../../test/scene.ts";
import type { ToolContext } from "../index.ts";

const never = () => new Promise(() => {});

describe("cancelling a run", () => {
  test("fires the signals of running tools, starts nothing more, and settles at once", async () => {
    const fired: [string, string][] = [];
    const stage = await scene({
      hang: (_: unknown, { signal, stepId }: ToolContext) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            fired.push([stepId, String((signal.reason as Error).message)]);
            reject(signal.reason);
          });
        }),
    });
    const run = await stage.start(
      agent([
        call("a", "hang"),
        call(
          "b",
          "hang",
          {},
          { parallel_execution: { iterate_over: [1, 2, 3], child_argument_name: "i", max_concurrency: 2 } },
        ),
        {
          execution_id: "c",
          agent_definition: agent([call("d", "hang"), call("e", "echo", { x: "REF:d.x" })]),
        },
        call("f", "echo", { x: "REF:a.x" }),
        call("clean", "echo", {}, { dependencies: ["a"] }),
      ]),
    );
    await stage.settle();
    await run.cancel("enough");
    const result = await run.result;
    expect(result).toMatchObject({
      status: "cancelled",
      error: { name: "CancelledError", code: "CANCELLED", message: "enough" },
    });
    expect(fired.map(([id]) => id).sort()).toEqual(["a", "b[0]", "b[1]", "c.d"]);
    expect(fired[0]?.[1]).toBe("enough");
    await stage.settle();
    expect(stage.calls).toHaveLength(4);
    expect(new Set(Object.values(statuses(result)))).toEqual(new Set(["cancelled"]));
    expect(stage.active).toBe(0);
  });

  test("does not wait for a tool that ignores its signal", async () => {
    const stage = await scene({ deaf: never });
    const run = await stage.start(agent([call("a", "deaf")]));
    await run.cancel();
    expect(await run.result).toMatchObject({ status: "cancelled", steps: { a: { status: "cancelled" } } });
  });

  test("frees the places of its calls for other runs", async () => {
    const stage = await scene({ deaf: never }, { concurrency: 2 });
    const stuck = await stage.start(agent([call("a", "deaf"), call("b", "deaf"), call("c", "deaf")]));
    const waiting = stage.engine.run(agent([call("x", "echo", { ok: true })]));
    await stuck.cancel();
    expect((await stage.play(waiting)).steps.x?.result).toEqual({ ok: true });
  });

  test("keeps what was finished", async () => {
    const stage = await scene({ deaf: never });
    const run = await stage.start(agent([call("a", "echo", { x: 1 }), call("b", "deaf", { x: "REF:a.x" })]));
    await stage.settle();
    await run.cancel();
    expect((await run.result).steps.a).toMatchObject({ status: "completed", result: { x: 1 } });
  });

  test("ends waiting for a person, for a retry and for a time", async () => {
    const stage = await scene();
    const plan = agent([
      call("ask", "echo", {}, { requires_confirmation: true }),
      call("retry", "fail", {}, { policy: { retries: 5, backoff: { base_ms: 60_000 } } }),
    ]);
    const run = await stage.start(plan);
    await stage.settle();
    await run.cancel();
    expect(await run.result).toMatchObject({ status: "cancelled" });
    await expect(run.confirm("ask", true)).rejects.toMatchObject({ code: "RUN_ENDED" });
    expect(stage.clock.step()).toBe(false);
  });

  test("twice, or after the end, changes nothing", async () => {
    const stage = await scene();
    const run = await stage.start(agent([call("a", "echo")]));
    const result = await stage.play(run.result);
    await run.cancel();
    expect((await stage.engine.get(run.id))?.status).toBe(result.status);
  });
});

describe("an AbortSignal given to start", () => {
  test("cancels the run when it fires", async () => {
    const stage = await scene({ deaf: never });
    const controller = new AbortController();
    const run = await stage.start(agent([call("a", "deaf")]), { signal: controller.signal });
    controller.abort();
    expect((await run.result).status).toBe("cancelled");
  });

  test("that has fired already lets nothing start", async () => {
    const stage = await scene();
    const result = await stage.run(agent([call("a", "echo")]), { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ status: "cancelled", steps: { a: { status: "cancelled" } } });
    expect(stage.calls).toEqual([]);
  });
});

test("cancelling ten thousand calls that wait for their turn needs no stack", async () => {
  const stage = await scene({ deaf: never }, { concurrency: 1 });
  const runs = await Promise.all(
    Array.from({ length: 10_000 }, () => stage.engine.start(agent([call("a", "deaf")]))),
  );
  await Promise.all(runs.slice(1).map((run) => run.cancel()));
  await runs[0]?.cancel();
  await Promise.all(runs.map((run) => run.result));
  expect((await stage.run(agent([call("x", "echo")]))).status).toBe("completed");
});
