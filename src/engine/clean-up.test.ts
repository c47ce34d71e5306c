import { describe, expect, test } from "vitest";
import { agent, call, field, scene, statuses, when } from "../../test/scene.ts";

const behind = (...dependencies: string[]) => ({ dependencies });
const needs = (...names: string[]) => ({
  definition: { arguments: names.map((name) => field(name, "any")) },
});

describe("a clean-up step", () => {
  test("runs after success", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("main", "give", { value: { files: ["a"] } }),
        call("clean", "echo", { files: "REF:main.files" }, behind("main")),
      ]),
    );
    expect(result.status).toBe("completed");
    expect(result.steps.clean?.result).toEqual({ files: ["a"] });
  });

  test("runs after failure, with null for what it refers to; the run still fails", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("main", "fail"),
        call(
          "clean",
          "echo",
          { files: "REF:main.files", should: true, status: "REF:main.status" },
          behind("main"),
        ),
      ]),
    );
    expect(result).toMatchObject({ status: "failed", error: { code: "BROKEN" } });
    expect(result.steps.clean).toMatchObject({
      status: "completed",
      result: { files: null, should: true, status: "failed" },
    });
  });

  test("runs after what was blocked or never started", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("setup", "fail"),
        call("main", "echo", { x: "REF:setup.x" }),
        call("slow", "wait", { ms: 10 }),
        call("other", "echo", { x: "REF:slow.ms" }),
        call(
          "clean",
          "echo",
          { dir: "REF:setup.dir", m: "REF:main.status", o: "REF:other.status" },
          behind("main", "other"),
        ),
      ]),
    );
    expect(result.status).toBe("failed");
    expect(statuses(result)).toMatchObject({ main: "blocked", other: "cancelled", clean: "completed" });
    expect(result.steps.clean?.result).toEqual({ dir: null, m: "blocked", o: "cancelled" });
  });

  test("waits for what is under way", async () => {
    const stage = await scene();
    await stage.run(
      agent([
        call("bad", "fail"),
        call("slow", "wait", { ms: 30 }),
        call("clean", "echo", {}, behind("bad", "slow")),
      ]),
    );
    expect(stage.calls.map(({ stepId, at }) => [stepId, at])).toEqual([
      ["bad", 0],
      ["slow", 0],
      ["clean", 30],
    ]);
  });

  test("that requires a value of what failed is blocked, saying so", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("main", "fail"),
        call("clean", "echo", { files: "REF:main.files" }, { ...needs("files"), ...behind("main") }),
      ]),
    );
    expect(result.steps.clean).toMatchObject({
      status: "blocked",
      reason: 'the required argument "files" comes from "main", which failed',
    });
  });

  test("that iterates over what failed is blocked", async () => {
    const stage = await scene();
    const fanOut = { parallel_execution: { iterate_over: "REF:main.files", child_argument_name: "f" } };
    const result = await stage.run(
      agent([call("main", "fail"), call("clean", "echo", {}, { ...fanOut, ...behind("main") })]),
    );
    expect(result.steps.clean).toMatchObject({
      status: "blocked",
      reason: '"iterate_over" comes from "main", which failed',
    });
  });

  test("runs with what depends only on it; what depends on others, too, does not", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("main", "fail"),
        call("clean", "echo", { x: 1 }, behind("main")),
        call("report", "echo", { x: "REF:clean.x" }),
        call("both", "echo", { x: "REF:clean.x", y: "REF:free.ms" }),
        call("free", "wait", { ms: 5 }),
      ]),
    );
    expect(result.status).toBe("failed");
    expect(statuses(result)).toEqual({
      main: "failed",
      clean: "completed",
      report: "completed",
      both: "cancelled",
      free: "completed",
    });
  });

  test("can be skipped by its conditions, and can look at how things ended", async () => {
    const stage = await scene();
    const plan = (tool: string) =>
      agent([
        call("main", tool),
        call(
          "undo",
          "echo",
          {},
          { ...behind("main"), conditions: [when("REF:main.status", "equals", "failed")] },
        ),
      ]);
    expect(statuses(await stage.run(plan("echo")))).toEqual({ main: "completed", undo: "skipped" });
    const failed = await stage.run(plan("fail"));
    expect(statuses(failed)).toEqual({ main: "failed", undo: "completed" });
    expect(failed.status).toBe("completed");
  });

  test("that fails itself does not hide the first failure", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("main", "fail", { message: "first" }),
        call("clean", "fail", { message: "second" }, behind("main")),
      ]),
    );
    expect(result).toMatchObject({ status: "failed", error: { message: "first" } });
  });

  test("runs inside a composite before the composite fails", async () => {
    const stage = await scene();
    const inner = agent([call("main", "fail"), call("clean", "wait", { ms: 5 }, behind("main"))]);
    const result = await stage.run(
      agent([
        { execution_id: "c", agent_definition: inner },
        call("outer", "echo", { s: "REF:c.status" }, behind("c")),
      ]),
    );
    expect(statuses(result)).toEqual({
      c: "failed",
      "c.main": "failed",
      "c.clean": "completed",
      outer: "completed",
    });
  });

  test("that asks a person is asked after a failure, too", async () => {
    const stage = await scene();
    const run = await stage.start(
      agent([
        call("main", "fail"),
        call("clean", "echo", {}, { ...behind("main"), requires_confirmation: true }),
      ]),
    );
    await stage.settle();
    expect(await stage.engine.get(run.id)).toMatchObject({
      status: "waiting",
      questions: [{ name: "clean", kind: "confirmation" }],
    });
    await run.confirm("clean", true);
    expect(statuses(await stage.play(run.result))).toEqual({ main: "failed", clean: "completed" });
  });
});

test("the clean-up of document 2 runs whether the error handler did or not", async () => {
  const stage = await scene();
  const plan = (tool: string) =>
    agent([
      call("main_process", tool, { temporary_files: ["/tmp/a"] }),
      call(
        "error_handler",
        "echo",
        { why: "REF:main_process.error_message" },
        { conditions: [when("REF:main_process.status", "equals", "failed")] },
      ),
      call(
        "cleanup",
        "echo",
        { temp_files: "REF:main_process.temporary_files", should_cleanup: true },
        behind("main_process", "error_handler"),
      ),
    ]);
  const good = await stage.run(plan("echo"));
  expect(good.steps.cleanup?.result).toEqual({ temp_files: ["/tmp/a"], should_cleanup: true });
  expect(statuses(good)).toMatchObject({ error_handler: "skipped" });
  const bad = await stage.run(plan("fail"));
  expect(bad.status).toBe("completed");
  expect(bad.steps.cleanup?.result).toEqual({ temp_files: null, should_cleanup: true });
});
