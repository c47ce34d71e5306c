import { describe, expect, test } from "vitest";
import { agent, call, scene, when } from "../../test/scene.ts";
import type { Run, ToolContext, TraceEvent } from "../index.ts";

async function collect(run: Run): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  for await (const event of run.events) events.push(event);
  return events;
}

const line = ({ kind, step, status }: TraceEvent): string =>
  [kind, step, status].filter((part) => part !== undefined).join(" ");

describe("run.events", () => {
  test("tells the whole story from the first event, whenever it is read", async () => {
    const stage = await scene();
    const run = await stage.start(
      agent(
        [
          call("a", "echo", { x: 1 }),
          call("b", "echo", { x: "REF:a.x" }, { conditions: [when("REF:a.x", "equals", 2)] }),
          call("c", "fail", {}, { policy: { optional: true, retries: 1, backoff: { base_ms: 1 } } }),
        ],
        { response_reference_map: { x: "REF:a.x" } },
      ),
    );
    const live = collect(run);
    await stage.play(run.result);
    const events = await live;
    expect(events.map(line)).toEqual([
      "RunStarted",
      "StepStarted a",
      "StepStarted c",
      "StepFailed c",
      "StepSucceeded a",
      "StepSkipped b skipped",
      "TimerFired",
      "StepStarted c",
      "StepFailed c",
      "StepGivenUp c failed",
      "RunFinished completed",
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ status: "completed", response: { x: 1 } });
    expect(await collect(run)).toEqual(events);
    for (const { at } of events) expect(at).toMatch(/^2026-01-01T00:00:00\.\d{3}Z$/);
  });

  test("carries what tools emit, with the agent defaulting to the step's", async () => {
    const stage = await scene({
      talk: (_: unknown, { emit, log }: ToolContext) => {
        emit({ kind: "TextEmitted", text: "hello" });
        emit({ kind: "TextEmitted", text: "I am X", agent: "x" });
        emit({ kind: "Progress", done: 3 });
        log("noted", { n: 1 });
      },
    });
    const run = await stage.start(agent([call("a", "talk")]));
    const events = await collect(run);
    expect(
      events.filter(({ kind }) => /Emitted/.test(kind)).map(({ seq: _seq, at: _at, ...rest }) => rest),
    ).toEqual([
      { kind: "TextEmitted", step: "a", agent: "talk", text: "hello" },
      { kind: "TextEmitted", step: "a", agent: "x", text: "I am X" },
      { kind: "CustomEmitted", step: "a", agent: "talk", event: { kind: "Progress", done: 3 } },
    ]);
  });

  test("a reader that stops early does no harm", async () => {
    const stage = await scene();
    const run = await stage.start(agent([call("a", "wait", { ms: 5 })]));
    for await (const event of run.events) if (event.kind === "StepStarted") break;
    expect((await stage.play(run.result)).status).toBe("completed");
  });
});

describe("engine.get", () => {
  test("gives a run as it stands, while it runs and after it ended", async () => {
    const stage = await scene();
    const plan = agent([call("a", "wait", { ms: 5, value: { n: 1 } }), call("b", "echo", { n: "REF:a.n" })], {
      response_reference_map: { n: "REF:b.n" },
    });
    const run = await stage.start(plan, { runId: "mine" });
    await stage.settle();
    const middle = await stage.engine.get("mine");
    expect(middle).toMatchObject({
      id: "mine",
      status: "running",
      steps: { a: { status: "running" }, b: { status: "pending" } },
    });
    expect(middle?.finishedAt).toBeUndefined();
    const result = await stage.play(run.result);
    expect(await stage.engine.get("mine")).toEqual(result);
    expect(result).toMatchObject({
      startedAt: "2026-01-01T00:00:00.000Z",
      finishedAt: "2026-01-01T00:00:00.005Z",
      steps: {
        a: { startedAt: "2026-01-01T00:00:00.000Z", finishedAt: "2026-01-01T00:00:00.005Z", attempts: 1 },
      },
    });
  });

  test("knows runs that were started from a compiled program", async () => {
    const stage = await scene();
    const { program } = stage.engine.compile(agent([call("a", "echo", { x: 1 })]));
    const result = await stage.run(program as never, { runId: "p" });
    expect(await stage.engine.get("p")).toEqual(result);
  });

  test("gives undefined for a run that is not there", async () => {
    const stage = await scene();
    expect(await stage.engine.get("nobody")).toBeUndefined();
  });
});

test("an id can be used once", async () => {
  const stage = await scene();
  await stage.run(agent([]), { runId: "x" });
  await expect(stage.run(agent([]), { runId: "x" })).rejects.toMatchObject({ code: "RUN_EXISTS" });
  const both = await Promise.allSettled([
    stage.run(agent([]), { runId: "y" }),
    stage.run(agent([]), { runId: "y" }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("engine.list gives the runs, newest first, by status", async () => {
  const stage = await scene();
  await stage.run(agent([call("a", "echo")]), { runId: "one" });
  await stage.run(agent([call("a", "fail")]), { runId: "two" });
  expect((await stage.engine.list()).map(({ id, status }) => [id, status])).toEqual([
    ["two", "failed"],
    ["one", "completed"],
  ]);
  expect((await stage.engine.list({ status: "failed" })).map(({ id }) => id)).toEqual(["two"]);
});
