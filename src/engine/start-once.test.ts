import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEngine, type Engine } from "./engine.ts";
import type { EngineOptions } from "./options.ts";

const PLAN = [{ id: "a", tool: "count", arguments: { x: 1 } }];

function scratch(): { readonly sqlite: string; readonly durability: "relaxed" } {
  return { sqlite: join(mkdtempSync(join(tmpdir(), "sequitur-once-")), "runs.db"), durability: "relaxed" };
}

async function counting(
  store: NonNullable<EngineOptions["store"]>,
): Promise<{ engine: Engine; calls: () => number }> {
  let calls = 0;
  const engine = await createEngine({
    store,
    tools: {
      count: () => ++calls,
      fail: () => {
        calls++;
        throw new Error("no");
      },
    },
  });
  return { engine, calls: () => calls };
}

describe.each(["memory", "sqlite"])("an idempotency key, with %s", (kind) => {
  const storeOf = () => (kind === "memory" ? ("memory" as const) : scratch());

  test("starts one run, however often and at the same time it is given", async () => {
    const { engine, calls } = await counting(storeOf());
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => engine.start(PLAN, { idempotencyKey: "k" })),
    );
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    const results = await Promise.all(runs.map(({ result }) => result));
    for (const { status, steps } of results) expect([status, steps.a?.result]).toEqual(["completed", 1]);
    expect(await engine.run(PLAN, { idempotencyKey: "k" })).toMatchObject({ status: "completed" });
    expect(calls()).toBe(1);
    await engine.close();
  });

  test("gives a run that failed as it is: starting again is another key, or resume", async () => {
    const { engine, calls } = await counting(storeOf());
    const plan = [{ id: "f", tool: "fail" }];
    await engine.run(plan, { idempotencyKey: "k" });
    expect(await engine.run(plan, { idempotencyKey: "k" })).toMatchObject({ status: "failed" });
    expect(calls()).toBe(1);
    await engine.close();
  });

  test("means one plan with one set of arguments", async () => {
    const { engine } = await counting(storeOf());
    await engine.run(PLAN, { idempotencyKey: "k" });
    const others = [
      engine.start([{ id: "a", tool: "count", arguments: { x: 2 } }], { idempotencyKey: "k" }),
      engine.start(PLAN, { idempotencyKey: "k", mode: "continue" }),
    ];
    for (const other of others) await expect(other).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    await expect(engine.start(PLAN, { idempotencyKey: "" })).rejects.toMatchObject({
      code: "INVALID_IDEMPOTENCY_KEY",
    });
    await engine.close();
  });

  test("of a plan that is wrong is still free", async () => {
    const { engine } = await counting(storeOf());
    await expect(engine.start([{ id: "a", tool: "nope" }], { idempotencyKey: "k" })).rejects.toThrow("nope");
    expect(await engine.run(PLAN, { idempotencyKey: "k" })).toMatchObject({ status: "completed" });
    await engine.close();
  });
});

test("a key outlives the process", async () => {
  const store = scratch();
  const first = await counting(store);
  const { id } = await first.engine.run(PLAN, { idempotencyKey: "k" });
  await first.engine.close();
  const second = await counting(store);
  expect(await second.engine.run(PLAN, { idempotencyKey: "k" })).toMatchObject({ id, status: "completed" });
  expect(second.calls()).toBe(0);
  await second.engine.close();
});

test("two engines on one store start one run", async () => {
  const store = scratch();
  const [one, two] = [await counting(store), await counting(store)];
  const ids = await Promise.all(
    [one, two, one, two].map(async ({ engine }) => {
      const run = await engine.start(PLAN, { idempotencyKey: "k" }).catch((error: { code: string }) => error);
      return "id" in run ? run.id : run.code;
    }),
  );
  // Whoever comes second while the first has the run is told so, and can ask again.
  expect(new Set(ids.filter((id) => id !== "RUN_TAKEN")).size).toBe(1);
  expect((await one.engine.list()).length).toBe(1);
  expect(one.calls() + two.calls()).toBe(1);
  await one.engine.close();
  await two.engine.close();
});
