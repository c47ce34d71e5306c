/* Engines that share a store, or lose it. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "../../src/base/clock.ts";
import type { Json } from "../../src/base/json.ts";
import { sqliteDriver } from "../../src/drivers/sqlite/driver.ts";
import { LEASE_MS } from "../../src/drivers/sqlite/leases.ts";
import { begin, chain, give, held, turns } from "./processes.ts";
import { scratchFile } from "./scratch.ts";

describe("a run whose store fails", () => {
  test("stands still with a clear error, and goes on where it was when there is room again", async () => {
    const file = scratchFile();
    const act = () => ({ text: "x".repeat(300_000) });
    const small = await begin(file, { give, act }, { sizeMaxBytes: 250_000 });
    const run = await small.engine.start(chain, { runId: "r" });
    await expect(run.result).rejects.toMatchObject({ code: "STORE_FULL" });
    expect(small.called).toEqual(["a", "b"]);
    await small.engine.close();
    const roomy = await begin(file, { give, act });
    const [recovered] = await roomy.engine.recover();
    expect((await recovered?.result)?.status).toBe("completed");
    expect(roomy.called).toEqual(["b", "c"]);
  });

  test("is taken up again by the same process when a lock is gone", async () => {
    const file = scratchFile();
    const { tool: act, answers } = held();
    const { engine, called } = await begin(file, { give, act }, { busyTimeoutMs: 10 });
    const run = await engine.start(chain, { runId: "r" });
    await turns();
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE");
    answers[0]?.(1);
    await expect(run.result).rejects.toMatchObject({ code: "STORE_LOCKED" });
    other.exec("ROLLBACK");
    other.close();
    const [again] = await engine.recover();
    await turns();
    answers[1]?.(1);
    expect((await again?.result)?.status).toBe("completed");
    expect(called).toEqual(["a", "b", "b", "c"]);
  });

  test("a run that is lost does not take along those that share its commit", async () => {
    const file = scratchFile();
    const { tool: act, answers } = held();
    const one = await begin(file, { act });
    const runs = await Promise.all(
      ["lost", "kept"].map((runId) => one.engine.start([{ id: "a", tool: "act" }], { runId })),
    );
    await turns();
    const thief = await sqliteDriver(file, { clock: new SimulatedClock(one.clock.now() + LEASE_MS + 1) });
    expect(thief.claim("lost")).toBe(true);
    for (const answer of answers) answer(1);
    expect((await runs[1]?.result)?.status).toBe("completed");
    expect([...thief.events("lost")]).toHaveLength(1);
    thief.close();
  });
});

describe("a process that only slept", () => {
  test("does nothing more for a run that was taken over, and sees how it ends", async () => {
    const file = scratchFile();
    const { tool: act, answers, signals } = held();
    const sleeper = await begin(file, { act });
    const plan = [
      { id: "a", tool: "act" },
      { id: "b", tool: "act" },
      { id: "c", tool: "act", dependencies: ["a"] },
    ];
    const run = await sleeper.engine.start(plan, { runId: "r" });
    await turns();
    const later = sleeper.clock.now() + LEASE_MS + 1;
    const other = await begin(file, { act: () => ({ by: "other" }) }, { now: later });
    const [taken] = await other.engine.recover();
    expect((await taken?.result)?.status).toBe("completed");
    answers[0]?.({ by: "sleeper" });
    expect(await run.result).toMatchObject({
      status: "completed",
      steps: { a: { result: { by: "other" } } },
    });
    expect(sleeper.called).toEqual(["a", "b"]);
    expect(other.called).toEqual(["a", "b", "c"]);
    expect(signals[1]?.aborted).toBe(true);
  });
});

describe("a run that waits", () => {
  const asking: Json = [
    { id: "a", tool: "give", arguments: { x: "{{PLACEHOLDER_x}}" } },
    { id: "b", tool: "give", dependencies: ["a"] },
  ];

  test("can be answered in another process; the first one sees it", async () => {
    const file = scratchFile();
    const [first, second] = [await begin(file, { give }), await begin(file, { give })];
    const run = await first.engine.start(asking, { runId: "r" });
    await (await second.engine.resume("r")).provideInputs({ x: 5 });
    await turns();
    expect(await first.engine.get("r")).toMatchObject({ status: "completed" });
    expect(await run.result).toMatchObject({ status: "completed", steps: { a: { arguments: { x: 5 } } } });
    expect([first.called, second.called]).toEqual([[], ["a", "b"]]);
    await expect(run.provideInputs({ x: 6 })).rejects.toMatchObject({ code: "RUN_ENDED" });
  });

  test("for a time is woken by one of the processes that know it", async () => {
    const file = scratchFile();
    const [first, second] = [await begin(file, { give }), await begin(file, { give })];
    const plan = [
      { id: "a", tool: "sequitur.core.wait", arguments: { duration_ms: 5_000 } },
      { id: "b", tool: "give", dependencies: ["a"] },
    ];
    const run = await first.engine.start(plan, { runId: "r" });
    await turns();
    const [same] = await second.engine.recover();
    second.clock.step();
    expect(await same?.result).toMatchObject({ status: "completed" });
    first.clock.step();
    expect(await run.result).toMatchObject({ status: "completed" });
    expect([first.called, second.called]).toEqual([[], ["b"]]);
  });

  test("that another process has answered and left waiting again, is gone on with here, timers and all", async () => {
    const file = scratchFile();
    const [first, second] = [await begin(file, { give }), await begin(file, { give })];
    const plan = [
      { id: "a", tool: "give", arguments: { x: "{{PLACEHOLDER_x}}" } },
      { id: "b", tool: "sequitur.core.wait", arguments: { duration_ms: 5_000 }, dependencies: ["a"] },
    ];
    const run = await first.engine.start(plan, { runId: "r" });
    await (await second.engine.resume("r")).provideInputs({ x: 5 });
    await turns();
    await second.engine.close();
    expect(await first.engine.get("r")).toMatchObject({ status: "waiting" });
    first.clock.step();
    expect(await run.result).toMatchObject({ status: "completed" });
    expect([first.called, second.called]).toEqual([[], ["a"]]);
  });
});
