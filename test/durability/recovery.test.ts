/* Engines that share a store, lose it, or take over what others have left. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { SimulatedClock } from "../../src/base/clock.ts";
import type { Json } from "../../src/base/json.ts";
import { sqliteDriver } from "../../src/drivers/sqlite/driver.ts";
import { LEASE_MS } from "../../src/drivers/sqlite/leases.ts";
import type { OpenOptions } from "../../src/drivers/sqlite/open.ts";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type Tool,
  type ToolContext,
  ToolError,
} from "../../src/index.ts";
import { scratchFile } from "./scratch.ts";

interface Process {
  readonly engine: Engine;
  readonly clock: SimulatedClock;
  readonly called: string[];
}

/** An engine as a process of its own would have it, with tools that note their calls. */
async function begin(
  file: string,
  tools: Record<string, Tool>,
  options: OpenOptions & Pick<EngineOptions, "concurrency"> & { readonly now?: number } = {},
): Promise<Process> {
  const called: string[] = [];
  const clock = new SimulatedClock(options.now ?? 1_000_000);
  const noted = Object.entries(tools).map(([name, tool]) => {
    const run = typeof tool === "function" ? tool : tool.run;
    const noting = (params: object, context: ToolContext): unknown => {
      called.push(context.stepId);
      return run(params, context);
    };
    return [name, noting];
  });
  const { concurrency } = options;
  const store = await sqliteDriver(file, { ...options, clock });
  const engine = await createEngine({
    store,
    clock,
    tools: Object.fromEntries(noted),
    ...(concurrency && { concurrency }),
  });
  onTestFinished(() => engine.close());
  return { engine, clock, called };
}

async function turns(count = 6): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A tool whose calls answer when they are told to. */
function held() {
  const answers: ((value: Json) => void)[] = [];
  const signals: AbortSignal[] = [];
  const tool = (_: object, { signal }: ToolContext) =>
    new Promise<Json>((resolve) => {
      signals.push(signal);
      answers.push(resolve);
    });
  return { tool, answers, signals };
}

const give = () => ({ n: 1 });
const chain: Json = [
  { id: "a", tool: "give" },
  { id: "b", tool: "act", arguments: { n: "{{a.result.n}}" } },
  { id: "c", tool: "give", dependencies: ["b"] },
];

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

describe("resuming", () => {
  test("twice at once gives the same run", async () => {
    const file = scratchFile();
    const { tool: act, answers } = held();
    const one = await begin(file, { give, act });
    await one.engine.start(chain, { runId: "r" });
    await turns();
    await one.engine.close();
    const other = await begin(file, { give, act });
    const [run, same] = await Promise.all([other.engine.resume("r"), other.engine.resume("r")]);
    expect(run).toBe(same);
    await turns();
    answers[1]?.(1);
    expect((await run.result).status).toBe("completed");
    expect(other.called).toEqual(["b", "c"]);
  });

  test("a failed run goes on from where it failed; a completed one is only shown", async () => {
    const file = scratchFile();
    let broken = true;
    const act = () => {
      if (broken) throw new ToolError("not today");
      return 1;
    };
    const one = await begin(file, { give, act });
    expect(await one.engine.run(chain, { runId: "r" })).toMatchObject({ status: "failed" });
    expect(await one.engine.recover()).toEqual([]);
    broken = false;
    const other = await begin(file, { give, act });
    expect(await (await other.engine.resume("r")).result).toMatchObject({ status: "completed" });
    expect(other.called).toEqual(["b", "c"]);
    const third = await begin(file, { give, act });
    expect(await (await third.engine.resume("r")).result).toMatchObject({ status: "completed" });
    expect(third.called).toEqual([]);
    expect(await one.engine.get("r")).toMatchObject({ status: "completed" });
  });

  test("without the tools it needs is refused, and the run stays free for those who have them", async () => {
    const file = scratchFile();
    const { tool: act } = held();
    const one = await begin(file, { give, act });
    await one.engine.start(chain, { runId: "r" });
    await one.engine.close();
    const poor = await begin(file, { give });
    await expect(poor.engine.resume("r")).rejects.toMatchObject({ name: "PlanError" });
    const rich = await begin(file, { give, act: give });
    expect((await (await rich.engine.resume("r")).result).status).toBe("completed");
  });

  test("keeps the limits with which the run began, whatever the engine's own are", async () => {
    const file = scratchFile();
    const { tool: act, answers } = held();
    const one = await begin(file, { act });
    const plan = {
      instructions: [
        {
          execution_id: "x",
          agent_definition: { system_event_endpoint: "act" },
          parallel_execution: { iterate_over: [0, 1, 2, 3, 4], child_argument_name: "n" },
        },
      ],
      response_reference_map: { all: "REF:x.response" },
    };
    await one.engine.start(plan, { runId: "r" });
    await turns();
    for (const item of [4, 2]) answers[item]?.(item);
    await turns();
    await one.engine.close();
    const narrow = await begin(file, { act: ({ n }: { n: number }) => n }, { concurrency: 1 });
    expect(await (await narrow.engine.resume("r")).result).toMatchObject({
      response: { all: [0, 1, 2, 3, 4] },
    });
    expect(narrow.called).toEqual(["x[0]", "x[1]", "x[3]"]);
  });

  test("what another living process carries out is refused", async () => {
    const file = scratchFile();
    const { tool: act } = held();
    const [one, other] = [await begin(file, { give, act }), await begin(file, { give, act })];
    await one.engine.start(chain, { runId: "r" });
    await expect(other.engine.resume("r")).rejects.toMatchObject({ code: "RUN_TAKEN" });
    await expect(other.engine.resume("nowhere")).rejects.toMatchObject({ code: "UNKNOWN_RUN" });
    expect(await other.engine.recover()).toEqual([]);
  });
});

describe("an engine that is closed", () => {
  test("gives up its calls, says so, and leaves the run to others", async () => {
    const file = scratchFile();
    const { tool: act, signals, answers } = held();
    const one = await begin(file, { give, act });
    const run = await one.engine.start(chain, { runId: "r" });
    await turns();
    await one.engine.close();
    await expect(run.result).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
    expect(signals[0]?.aborted).toBe(true);
    answers[0]?.(1);
    const other = await begin(file, { give, act: give });
    expect((await (await other.engine.resume("r")).result).status).toBe("completed");
  });
});

describe("a journal of the future", () => {
  async function tampered(change: string): Promise<string> {
    const file = scratchFile();
    const { tool: act } = held();
    const one = await begin(file, { give, act });
    await one.engine.start(chain, { runId: "r" });
    await turns();
    await one.engine.close();
    const raw = new DatabaseSync(file);
    raw.exec(change);
    raw.close();
    return file;
  }

  test("is refused by its version", async () => {
    const file = await tampered("UPDATE events SET body = json_set(body, '$.journal', 99) WHERE seq = 0");
    const { engine, called } = await begin(file, { give, act: give });
    await expect(engine.resume("r")).rejects.toMatchObject({ code: "NEWER_JOURNAL" });
    await expect(engine.get("r")).rejects.toThrow("newer version of Sequitur (journal 99");
    expect(await engine.recover()).toEqual([]);
    expect(called).toEqual([]);
    expect(await engine.list()).toMatchObject([{ id: "r" }]);
  });

  test("is refused where it holds an event that nobody here knows", async () => {
    const file = await tampered(
      "UPDATE events SET body = json_set(body, '$.kind', 'StepTeleported') WHERE seq = 1",
    );
    const { engine } = await begin(file, { give, act: give });
    await expect(engine.resume("r")).rejects.toMatchObject({ code: "UNKNOWN_EVENT" });
    await expect(engine.get("r")).rejects.toThrow(`"StepTeleported"`);
  });
});
