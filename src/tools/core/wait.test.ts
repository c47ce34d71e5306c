import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SimulatedClock } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import { createEngine } from "../../engine/engine.ts";
import type { RunResult } from "../../engine/result.ts";

function planOf(args: JsonObject): JsonObject {
  const step = { execution_id: "x", agent_definition_path: "/agents/core/wait.agent", arguments: args };
  return { instructions: [step] };
}

describe("wait", () => {
  const NOON = Date.UTC(2030, 0, 31, 12);

  async function waited(args: JsonObject): Promise<{ result: RunResult; clock: SimulatedClock }> {
    const clock = new SimulatedClock(NOON);
    const waiting = await createEngine({ clock });
    const started = await waiting.start(planOf(args));
    let result: RunResult | undefined;
    void started.result.then((ended) => {
      result = ended;
    });
    while (result === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.step();
    }
    return { result, clock };
  }

  test("a duration, or until a time, on the engine's clock", async () => {
    const day = await waited({ duration_ms: 86_400_000 });
    expect(day.result.steps.x?.result).toEqual({ waited_until: "2030-02-01T12:00:00.000Z" });
    expect(day.clock.now()).toBe(NOON + 86_400_000);
    const until = await waited({ until: "2030-01-31T14:00:00+01:00" });
    expect(until.clock.now()).toBe(NOON + 3_600_000);
    expect((await waited({ until: "2001-01-01" })).clock.now()).toBe(NOON);
    expect((await waited({ duration_ms: 0 })).result.status).toBe("completed");
  });

  test("holds nothing meanwhile: the run waits, with what it will give in its journal", async () => {
    const waiting = await createEngine({ clock: new SimulatedClock(NOON), concurrency: 1 });
    const started = await waiting.start(planOf({ duration_ms: 1000 }));
    for await (const event of started.events) {
      if (event.kind !== "StepSuspended") continue;
      expect(event.result).toEqual({ waited_until: "2030-01-31T12:00:01.000Z" });
      break;
    }
    expect(await waiting.get(started.id)).toMatchObject({
      status: "waiting",
      steps: { x: { status: "waiting" } },
    });
  });

  test("goes on in another process where it was, and ends when it was to end", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sequitur-wait-"));
    const store = { sqlite: join(folder, "runs.db") };
    const first = await createEngine({ store, clock: new SimulatedClock(NOON) });
    const started = await first.start(planOf({ duration_ms: 60_000 }));
    for await (const event of started.events) if (event.kind === "StepSuspended") break;
    await first.close();
    const clock = new SimulatedClock(NOON + 45_000);
    const second = await createEngine({ store, clock });
    const resumed = await second.resume(started.id);
    expect(clock.step()).toBe(true);
    const { status, steps, finishedAt } = await resumed.result;
    expect({ status, finishedAt }).toEqual({ status: "completed", finishedAt: "2030-01-31T12:01:00.000Z" });
    expect(steps.x).toMatchObject({ attempts: 1, result: { waited_until: "2030-01-31T12:01:00.000Z" } });
    await second.close();
    await rm(folder, { recursive: true });
  });

  test.each([
    [{}, `either "duration_ms" or "until"`],
    [{ duration_ms: 1, until: "2030-01-01T00:00:00Z" }, `either "duration_ms" or "until"`],
    [{ duration_ms: -1 }, "from 0, not -1"],
    [{ duration_ms: 1e300 }, "from 0, not 1e+300"],
    [{ until: "tomorrow" }, `with its zone, such as`],
    [{ until: "2030-01-01T00:00:00" }, `with its zone, such as`],
    [{ until: "2030-13-01T00:00:00Z" }, `with its zone, such as`],
  ])("%j is refused", async (args: JsonObject, message) => {
    const { error } = await (await createEngine()).run(planOf(args));
    expect(error).toMatchObject({ code: "INVALID_WAIT" });
    expect(error?.message).toContain(message);
  });
});
