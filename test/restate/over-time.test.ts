import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import type { Tool } from "../../src/index.ts";
import { tools } from "./cluster-tools.ts";
import { fastClock } from "./fast-clock.ts";
import { hasServer } from "./server.ts";
import { invocations, openCluster, until } from "./stage.ts";

const question: Json = [{ id: "a", tool: "next", arguments: { n: "{{PLACEHOLDER_n}}" } }];

describe.skipIf(!hasServer())("a cluster over time", { retry: 1 }, () => {
  test("a plan that waits for a person for a month holds no worker", async () => {
    const MONTH = 30 * 24 * 60 * 60 * 1_000;
    const clock = fastClock(500_000);
    const stage = await openCluster();
    try {
      const worker = await stage.worker({ tools, clock, sleepMs: clock.sleepMs });
      const engine = await stage.engine({ tools, clock });
      const run = await engine.start([
        { id: "month", tool: "sequitur.core.wait", arguments: { duration_ms: MONTH } },
        {
          id: "ask",
          tool: "next",
          requires_confirmation: true,
          arguments: { n: 1 },
          dependencies: ["month"],
        },
      ]);
      // Nobody is there in the meantime: the run is Restate's.
      await until(async () =>
        (await invocations(stage.server, "SequiturRun")).every(({ status }) => status === "suspended"),
      );
      await worker.close(0);
      await stage.worker({ tools, clock, sleepMs: clock.sleepMs, port: Number(new URL(worker.url).port) });
      const asked = await run.endedOrAsked();
      expect(asked.questions?.map(({ name }) => name)).toEqual(["ask"]);
      await until(async () =>
        (await invocations(stage.server, "SequiturRun")).every(({ status }) => status === "suspended"),
      );
      await run.confirm("ask", true);
      const result = await run.result;
      expect(result.status).toBe("completed");
      expect(Date.parse(result.finishedAt ?? "") - Date.parse(result.startedAt)).toBeGreaterThanOrEqual(
        MONTH,
      );
    } finally {
      await stage.close();
    }
  });

  test("a new version takes new runs, and runs under way end on the old one", async () => {
    const stage = await openCluster();
    const version = (name: string): Readonly<Record<string, Tool>> => ({
      say: () => ({ version: name }),
    });
    const plan: Json = [
      { id: "a", tool: "say" },
      { id: "b", tool: "say", requires_confirmation: true, dependencies: ["a"] },
    ];
    try {
      await stage.worker({ tools: version("old") });
      const engine = await stage.engine({ tools: version("any") });
      const old = await engine.start(plan);
      await old.endedOrAsked();
      await stage.worker({ tools: version("new") });
      const fresh = await engine.start(plan);
      await fresh.endedOrAsked();
      for (const run of [old, fresh]) await run.confirm("b", true);
      const said = [await old.result, await fresh.result].map(({ steps }) => [
        steps.a?.result,
        steps.b?.result,
      ]);
      expect(said).toEqual([
        [{ version: "old" }, { version: "old" }],
        [{ version: "new" }, { version: "new" }],
      ]);
    } finally {
      await stage.close();
    }
  });

  test("more plans at once than there are places, each with children, all complete", async () => {
    const stage = await openCluster({
      settings: { RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: "20" },
    });
    try {
      await stage.worker({ tools });
      const engine = await stage.engine({ tools });
      const plan = [0, 1, 2].map((i) => ({ id: `c${i}`, tool: "heavy", arguments: { n: i } }));
      const results = await Promise.all(Array.from({ length: 60 }, () => engine.run(plan)));
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["completed"]));
    } finally {
      await stage.close();
    }
  });

  test("who starts a run, or a worker, where there is none to speak to is told what to do", async () => {
    const stage = await openCluster();
    try {
      const engine = await stage.engine({ tools });
      await expect(engine.start(question)).rejects.toThrow(/sequitur worker --restate/);
      await stage.server.kill();
      await expect(engine.start(question)).rejects.toThrow(/Is the server running/);
    } finally {
      await stage.close();
    }
  });
});
