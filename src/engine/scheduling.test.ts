import { expect, test } from "vitest";
import { agent, call, scene, statuses } from "../../test/scene.ts";

test("a step starts the moment its own dependencies have settled, not its level", async () => {
  const stage = await scene();
  await stage
    .run(
      agent([
        call("slow", "wait", { ms: 100 }),
        call("fast", "wait", { ms: 10 }),
        call("after_fast", "wait", { ms: 10, value: "REF:fast.ms" }),
        call("after_both", "echo", { a: "REF:slow.ms", b: "REF:after_fast.ms" }, { conditions: [] }),
      ]),
    )
    .catch(() => {});
  const at = Object.fromEntries(stage.calls.map(({ stepId, at }) => [stepId, at]));
  expect(at).toMatchObject({ slow: 0, fast: 0, after_fast: 10 });
});

test("references anywhere make dependencies: arguments, conditions, transforms inside calls, collections", async () => {
  const stage = await scene();
  const result = await stage.run(
    agent([
      call("e", "echo", { x: 5 }, { dependencies: ["d"] }),
      call("d", "echo", {}, { parallel_execution: { iterate_over: "REF:a.list", child_argument_name: "i" } }),
      call(
        "c",
        "echo",
        {},
        {
          transform_arguments: { transforms: { total: "sum(map(REF:a.list, item.n), item)" } },
        },
      ),
      call("b", "echo", {}, { conditions: [{ param: "REF:a.flag", operator: "equals", value: true }] }),
      call("a", "wait", { ms: 5, value: { list: [{ n: 1 }, { n: 2 }], flag: true } }),
    ]),
  );
  expect(result.status).toBe("completed");
  expect(stage.called).toEqual(["a", "c", "b", "d[0]", "d[1]", "e"]);
  expect(result.steps.c?.result).toEqual({ total: 3 });
});

test("the engine's concurrency bounds the calls of all its runs together", async () => {
  const stage = await scene({}, { concurrency: 3 });
  const wide = agent(Array.from({ length: 8 }, (_, i) => call(`s${i}`, "wait", { ms: 10 })));
  const runs = await Promise.all([
    stage.engine.start(wide),
    stage.engine.start(wide),
    stage.engine.start(wide),
  ]);
  const results = await stage.play(Promise.all(runs.map((run) => run.result)));
  expect(results.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  expect(stage.activeMost).toBe(3);
  expect(stage.now).toBe(80);
});

test("64 calls are under way at most by default", async () => {
  const stage = await scene();
  await stage.run(agent(Array.from({ length: 200 }, (_, i) => call(`s${i}`, "wait", { ms: 1 }))));
  expect(stage.activeMost).toBe(64);
});

test("a concurrency that is no number of calls is refused", async () => {
  for (const concurrency of [0, -1, 1.5, Number.NaN]) {
    await expect(scene({}, { concurrency })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  }
});

test("a chain of 20,000 steps needs no stack", async () => {
  const stage = await scene();
  const steps = Array.from({ length: 20_000 }, (_, i) =>
    call(`s${i}`, "give", i === 0 ? { value: { n: 1 } } : { value: { n: `REF:s${i - 1}.n` } }),
  );
  const result = await stage.run(agent(steps, { response_reference_map: { n: "REF:s19999.n" } }));
  expect(result.response).toEqual({ n: 1 });
});

test("a chain of 20,000 steps below a failure is blocked without growing reasons", async () => {
  const stage = await scene();
  const steps = Array.from({ length: 20_000 }, (_, i) =>
    i === 0 ? call("s0", "fail") : call(`s${i}`, "echo", { n: `REF:s${i - 1}.n` }),
  );
  const result = await stage.run(agent(steps));
  expect(result.status).toBe("failed");
  expect(result.steps.s19999).toMatchObject({ status: "blocked", reason: '"s0" failed: it broke' });
});

test("an empty plan completes at once", async () => {
  const stage = await scene();
  expect(await stage.run(agent([]))).toMatchObject({ status: "completed", steps: {} });
  expect(await stage.run({ steps: [] })).toMatchObject({ status: "completed", execution: { results: [] } });
  expect(await stage.run([])).toMatchObject({ status: "completed" });
});

test("steps stand in any order", async () => {
  const stage = await scene();
  const result = await stage.run([
    { id: "last", tool: "echo", arguments: { x: "{{mid-dle.result.x}}" } },
    { id: "mid-dle", tool: "echo", arguments: { x: "{{first.result.x}}" } },
    { id: "first", tool: "echo", arguments: { x: 7 } },
  ]);
  expect(stage.called).toEqual(["first", "mid-dle", "last"]);
  expect(result.steps.last?.result).toEqual({ x: 7 });
  expect(statuses(result)).toEqual({ last: "completed", "mid-dle": "completed", first: "completed" });
});
