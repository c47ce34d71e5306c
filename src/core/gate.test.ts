import { describe, expect, test } from "vitest";
import { agent, call, scene, statuses, when } from "../../test/scene.ts";

/** A handler of `task` that needs `other` as well. */
const plan = (other: object) =>
  agent([
    call("task", "fail"),
    { ...call("other", "give", { value: { n: 1 } }), ...other },
    call(
      "handler",
      "echo",
      { n: "REF:other.n" },
      { conditions: [when("REF:task.status", "equals", "failed")] },
    ),
  ]);

describe("what a handler still waits for when its task fails", () => {
  test("runs although it had not got its turn yet", async () => {
    const { engine } = await scene({}, { concurrency: 1 });
    const result = await engine.run(plan({}));
    expect(statuses(result)).toEqual({ task: "failed", other: "completed", handler: "completed" });
    expect(result.status).toBe("completed");
  });

  test("may wait for a person", async () => {
    const { engine } = await scene();
    const run = await engine.start(plan({ requires_confirmation: true }));
    expect((await run.endedOrAsked()).status).toBe("waiting");
    await run.confirm("other", true);
    expect(statuses(await run.result)).toEqual({ task: "failed", other: "completed", handler: "completed" });
  });
});
