import { describe, expect, test } from "vitest";
import { agent, call, field, scene, statuses, when } from "../../test/scene.ts";

const onFailure = (task: string) => ({ conditions: [when(`REF:${task}.status`, "equals", "failed")] });
const task = call("task", "fail", { message: "no luck", code: "LUCK" });

describe("a handler", () => {
  test("that runs and completes has handled the failure: the run goes on and completes", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent(
        [
          task,
          call(
            "handler",
            "echo",
            { why: "REF:task.error_message", error: "REF:task.error", code: "REF:task.error.code" },
            onFailure("task"),
          ),
          call("after", "wait", { ms: 1 }),
          call("needs_task", "echo", { x: "REF:task.x" }),
          call("needs_handler", "echo", { x: "REF:handler.why" }),
        ],
        { response_reference_map: { task: "REF:task.x", why: "REF:handler.why" } },
      ),
    );
    expect(result.status).toBe("completed");
    expect(result.error).toBeUndefined();
    expect(result.response).toEqual({ task: null, why: "no luck" });
    expect(statuses(result)).toEqual({
      task: "failed",
      handler: "completed",
      after: "completed",
      needs_task: "blocked",
      needs_handler: "completed",
    });
    expect(result.steps.handler?.result).toEqual({
      why: "no luck",
      error: { code: "LUCK", name: "ToolError", message: "no luck" },
      code: "LUCK",
    });
    expect(result.steps.needs_task?.reason).toContain('"task" failed');
  });

  test("is skipped where the step succeeded", async () => {
    const stage = await scene();
    const result = await stage.run(agent([call("task", "echo"), call("h", "echo", {}, onFailure("task"))]));
    expect(statuses(result)).toEqual({ task: "completed", h: "skipped" });
  });

  test.each([
    ["status", when("REF:task.status", "in", ["failed", "blocked"])],
    ["error_message", when("REF:task.error_message", "contains", "luck")],
    ["error", when("REF:task.error", "exists")],
    ["error.code", when("REF:task.error.code", "equals", "LUCK")],
  ])("is made by reading %s in its conditions", async (_, condition) => {
    const stage = await scene();
    const result = await stage.run(agent([task, call("h", "echo", {}, { conditions: [condition] })]));
    expect(result.status).toBe("completed");
  });

  test("is made by a condition in a nested group", async () => {
    const stage = await scene();
    const group = {
      logic: "or",
      conditions: [{ conditions: [when(1, "equals", 2)] }, when("REF:task.status", "equals", "failed")],
    };
    expect((await stage.run(agent([task, call("h", "echo", {}, { conditions: [group] })]))).status).toBe(
      "completed",
    );
  });

  test("that reads the status in its arguments only is none", async () => {
    const stage = await scene();
    const result = await stage.run(agent([task, call("h", "echo", { s: "REF:task.status" })]));
    expect(result.status).toBe("failed");
    expect(statuses(result)).toEqual({ task: "failed", h: "cancelled" });
  });

  test("may look at data of the task in its conditions: it is null", async () => {
    const stage = await scene();
    const either = {
      logic: "OR",
      conditions: [when("REF:task.status", "equals", "failed"), when("REF:task.count", "less_than", 1)],
    };
    const result = await stage.run(agent([task, call("h", "echo", {}, { conditions: [either] })]));
    expect(result.status).toBe("completed");
  });

  test("that needs data of the task is blocked, and the run fails", async () => {
    const stage = await scene();
    const result = await stage.run(agent([task, call("h", "echo", { x: "REF:task.x" }, onFailure("task"))]));
    expect(result).toMatchObject({ status: "failed", error: { code: "LUCK" } });
    expect(statuses(result)).toEqual({ task: "failed", h: "blocked" });
  });

  test("that fails itself does not handle", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([task, call("h", "fail", { message: "me too" }, onFailure("task"))]),
    );
    expect(result).toMatchObject({ status: "failed", error: { message: "me too" } });
  });

  test("can have a handler of its own", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        task,
        call("h", "fail", {}, onFailure("task")),
        call("hh", "echo", {}, onFailure("h")),
        call("other", "echo", {}, onFailure("task")),
      ]),
    );
    expect(result.status).toBe("completed");
    expect(statuses(result)).toEqual({ task: "failed", h: "failed", hh: "completed", other: "completed" });
  });
});

describe("several handlers", () => {
  test("it is enough that one of them runs and completes", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        task,
        call("h1", "echo", {}, { conditions: [when("REF:task.error.code", "equals", "OTHER")] }),
        call("h2", "echo", {}, { conditions: [when("REF:task.error.code", "equals", "LUCK")] }),
      ]),
    );
    expect(result.status).toBe("completed");
    expect(statuses(result)).toEqual({ task: "failed", h1: "skipped", h2: "completed" });
  });

  test("where nobody's conditions hold, the run fails with the task's error", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        task,
        call("h1", "echo", {}, { conditions: [when("REF:task.error.code", "equals", "OTHER")] }),
        call("h2", "echo", {}, { conditions: [when("REF:task.status", "equals", "completed")] }),
        call("after", "wait", { ms: 1, value: "REF:h1.status" }),
      ]),
    );
    expect(result).toMatchObject({ status: "failed", error: { code: "LUCK", message: "no luck" } });
    expect(stage.called).toEqual(["task"]);
  });

  test("a slow one decides, while nothing else starts", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        task,
        call("h", "wait", { ms: 50 }, onFailure("task")),
        call("w", "wait", { ms: 10 }),
        call("next", "echo", { x: "REF:w.ms" }),
      ]),
    );
    expect(result.status).toBe("completed");
    expect(stage.calls.map(({ stepId, at }) => [stepId, at])).toEqual([
      ["task", 0],
      ["w", 0],
      ["h", 0],
      ["next", 50],
    ]);
  });

  test("one handler can handle several tasks", async () => {
    const stage = await scene();
    const any = {
      logic: "OR",
      conditions: [when("REF:a.status", "equals", "failed"), when("REF:b.status", "equals", "failed")],
    };
    const result = await stage.run(
      agent([call("a", "fail"), call("b", "fail"), call("h", "echo", {}, { conditions: [any] })]),
    );
    expect(result.status).toBe("completed");
  });
});

test("what a handler waits for may still start, so that the end does not depend on what ran first", async () => {
  const stage = await scene();
  const plan = (ms: number) =>
    agent([
      call("w", "wait", { ms }),
      call("task", "fail", { x: "REF:w.ms" }),
      call("v", "wait", { ms: 20 }),
      call("backup", "echo", { x: "REF:v.ms" }),
      call("h", "echo", { b: "REF:backup.x" }, onFailure("task")),
      call("not_wanted", "echo", { x: "REF:v.ms", h: "REF:h.b" }),
    ]);
  for (const ms of [1, 100]) {
    const result = await stage.run(plan(ms));
    expect(result.status).toBe("completed");
    expect(result.steps.h?.result).toEqual({ b: 20 });
  }
});

test("a composite can handle a failure inside", async () => {
  const stage = await scene();
  const inner = agent([call("x", "fail"), call("h", "give", { value: { y: 1 } }, onFailure("x"))], {
    response_reference_map: { x: "REF:x.y", y: "REF:h.y" },
  });
  const result = await stage.run(agent([{ execution_id: "c", agent_definition: inner }]));
  expect(result.steps.c).toMatchObject({ status: "completed", result: { x: null, y: 1 } });
});

describe("the names status, error and error_message", () => {
  const responses = [field("status", "string"), field("error", "string", { required: false })];
  test("mean what the agent declares, where it declares them and succeeded", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "give", { value: { status: "shiny" } }, { definition: { responses } }),
        call("b", "echo", { s: "REF:a.status", e: "REF:a.error" }),
      ]),
    );
    expect(result.steps.b?.result).toEqual({ s: "shiny", e: null });
  });

  test("mean how the step ended, where it failed", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "fail", {}, { definition: { responses } }),
        call("h", "echo", { s: "REF:a.status", c: "REF:a.error.code" }, onFailure("a")),
      ]),
    );
    expect(result.steps.h?.result).toEqual({ s: "failed", c: "BROKEN" });
  });

  test("always exist", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "give", { value: { status: "data" } }),
        call("b", "echo", { s: "REF:a.status", e: "REF:a.error", m: "REF:a.error_message" }),
      ]),
    );
    expect(result.steps.b?.result).toEqual({ s: "completed", e: null, m: null });
  });
});
