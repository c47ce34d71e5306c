/* Document 4 and section 4 of the language, run: failures, and what the fields of a step do. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { placeholders } from "../../src/index.ts";
import { scene, statuses, when } from "../scene.ts";
import { echo } from "./short-actions.ts";

const fail = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  tool: "fail",
  arguments: { message: "no line" },
  ...more,
});

describe("failures", () => {
  test("dependents of a failed step are blocked, optional or not, transitively, naming it", async () => {
    const stage = await scene();
    const result = await stage.run([
      fail("a", { policy: { optional: true } }),
      echo("b", { x: "{{a.result}}" }),
      echo("c", { x: "{{b.result}}" }),
      echo("d", {}, { dependencies: ["a"] }),
      echo("e"),
    ]);
    expect(result.status).toBe("completed");
    expect(statuses(result)).toEqual({
      a: "failed",
      b: "blocked",
      c: "blocked",
      d: "blocked",
      e: "completed",
    });
    for (const id of ["b", "c", "d"]) expect(result.steps[id]?.reason).toBe('"a" failed: no line');
  });

  test("after a failure nothing new starts; in the continue mode the rest still runs", async () => {
    const plan = [
      fail("a"),
      { id: "slow", tool: "wait", arguments: { ms: 10 } },
      echo("after", {}, { dependencies: ["slow"] }),
      echo("needs", { x: "{{a.result}}" }),
    ];
    const stopped = await (await scene()).run(plan);
    expect(stopped.status).toBe("failed");
    expect(statuses(stopped)).toEqual({
      a: "failed",
      slow: "completed",
      after: "cancelled",
      needs: "blocked",
    });
    const continued = await (await scene()).run(plan, { mode: "continue" });
    expect(continued.status).toBe("partial_success");
    expect(statuses(continued)).toEqual({
      a: "failed",
      slow: "completed",
      after: "completed",
      needs: "blocked",
    });
  });

  test("a path that isn't there fails its step only where it is used; conditions see null", async () => {
    const stage = await scene();
    const result = await stage.run([
      echo("a", { n: null }),
      echo("b", { x: "{{a.result.n.deep}}" }, { policy: { optional: true } }),
      echo("c", {}, { conditions: [when("{{a.result.n.deep}}", "not_exists")] }),
    ]);
    expect(statuses(result)).toEqual({ a: "completed", b: "failed", c: "completed" });
    expect(result.steps.b?.error?.message).toMatch(/^Missing data: /);
  });
});

describe("fields of steps", () => {
  test("conditions skip a step: its references are null, and dependencies on it are met", async () => {
    const stage = await scene();
    const result = await stage.run([
      echo("a", { n: 3 }),
      echo("b", {}, { conditions: [when("{{a.result.n}}", "greater_than", 5)] }),
      echo("c", { x: "{{b.result.y}}" }, { dependencies: ["b"] }),
    ]);
    expect(statuses(result)).toEqual({ a: "completed", b: "skipped", c: "completed" });
    expect(result.steps.b?.reason).toContain("{{a.result.n}} greater_than 5");
    expect(result.steps.c?.result).toEqual({ x: null });
  });

  test("policy retries, times out and makes optional", async () => {
    const stage = await scene({ never: () => new Promise(() => {}) });
    const policy = { retries: 1, timeout_ms: 20, optional: true, backoff: { base_ms: 5, jitter: false } };
    const result = await stage.run([{ id: "a", tool: "never", policy }]);
    expect(result.status).toBe("completed");
    expect(result.steps.a).toMatchObject({ status: "failed", attempts: 2, error: { code: "TIMEOUT" } });
    expect(stage.now).toBe(45);
  });

  test("the tool gets all of arguments, and only those", async () => {
    const stage = await scene();
    await stage.run([
      echo("a", { input: { x: 1 }, tool: "t", id: 7 }, { intent: "say hello", metadata: { x: 1 } }),
    ]);
    expect(stage.calls[0]?.params).toEqual({ input: { x: 1 }, tool: "t", id: 7 });
  });

  test("what an earlier run recorded is ignored", async () => {
    const stage = await scene();
    const recorded = { status: "completed", result: { n: 1 }, error: "x" };
    const result = await stage.run([echo("a", { n: 2 }, recorded), echo("b", { x: "{{a.result.n}}" })]);
    expect(result.steps.b?.result).toEqual({ x: 2 });
  });

  test("a plan may be an object with plan or steps, too", async () => {
    const stage = await scene();
    for (const key of ["plan", "steps"]) {
      const result = await stage.run({
        [key]: [echo("a-1", { n: 2 }), echo("b", { x: "{{a-1.result.n}}" })],
      });
      expect(result.steps.b?.result).toEqual({ x: 2 });
    }
  });

  test("placeholders are known before the run", async () => {
    const stage = await scene();
    const { program } = stage.engine.compile([
      echo("a", { x: "{{PLACEHOLDER_day}}", y: "on {{PLACEHOLDER_day}}" }),
    ]);
    expect(program && placeholders(program)).toEqual([{ name: "day", stepIds: ["a"] }]);
  });
});
