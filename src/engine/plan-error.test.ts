import { describe, expect, test } from "vitest";
import { agent, call, field, scene } from "../../test/scene.ts";
import type { Json } from "../base/json.ts";
import { PlanError } from "../index.ts";

async function refused(promise: Promise<unknown>): Promise<PlanError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PlanError);
  return error as PlanError;
}

describe("a plan with errors does not start", () => {
  test("and all of them are in the PlanError", async () => {
    const stage = await scene();
    const plan = agent([
      call("a", "echo", { x: "REF:nowhere.x", y: "REF:arguments.undeclared" }),
      call("b", "ehco", {}, { conditions: [{ param: 1, operator: "equalss", value: 1 }] }),
      call("c", "echo", { x: "REF:d.x" }),
      call("d", "echo", { x: "REF:c.x" }),
    ]);
    for (const attempt of [stage.engine.run(plan), stage.engine.start(plan)]) {
      const error = await refused(attempt);
      expect(error.name).toBe("PlanError");
      const codes = error.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
      expect(codes.length).toBeGreaterThanOrEqual(5);
      expect(codes).toEqual(expect.arrayContaining(["unknown-step", "unknown-argument", "unknown-tool"]));
    }
    expect(stage.calls).toEqual([]);
  });

  test("text that is no JSON is refused, too", async () => {
    const stage = await scene();
    expect((await refused(stage.engine.run('{ "steps": [ '))).diagnostics[0]).toMatchObject({
      severity: "error",
      line: 1,
    });
  });
});

describe("wrong or missing top-level arguments", () => {
  const plan = agent([call("a", "echo", { n: "REF:arguments.n" })], {
    arguments: [
      field("n", "number"),
      field("s", "string"),
      field("e", "string", { enum: ["x", "y"], required: false }),
      field("p", "string", { regex_pattern: "^\\d+$", required: false }),
    ],
  });

  test("are all reported, one diagnostic each, and nothing is called", async () => {
    const stage = await scene();
    const error = await refused(stage.engine.run(plan, { arguments: { n: "five", e: "z", p: "abc" } }));
    const messages = error.diagnostics.map(({ message }) => message);
    expect(messages).toHaveLength(4);
    for (const name of ["n", "s", "e", "p"])
      expect(messages.some((message) => message.includes(`"${name}"`))).toBe(true);
    for (const { name, severity } of error.diagnostics)
      expect([name, severity]).toEqual(["SchemaValidationError", "error"]);
    expect(stage.calls).toEqual([]);
  });

  test.each<[string, Json]>([
    ["a list", []],
    ["text", "n=1"],
    ["a number", 5],
  ])("%s is no set of arguments", async (_, given) => {
    const stage = await scene();
    expect((await refused(stage.engine.run(plan, { arguments: given }))).diagnostics[0]?.message).toContain(
      "must be an object",
    );
  });

  test("what has no JSON form is refused", async () => {
    const stage = await scene();
    const cyclic: { self?: Json } = {};
    cyclic.self = cyclic as Json;
    await refused(stage.engine.run(plan, { arguments: cyclic as Json }));
  });

  test("extra ones pass", async () => {
    const stage = await scene();
    expect((await stage.run(plan, { arguments: { n: 1, s: "", more: true } })).status).toBe("completed");
  });
});

describe("inputs", () => {
  const plan = [{ id: "a", tool: "echo", arguments: { x: "{{PLACEHOLDER_message}}" } }];
  test("that nobody asks for are refused, with what was meant", async () => {
    const stage = await scene();
    const error = await refused(stage.engine.run(plan, { inputs: { mesage: "x", other: 1 } }));
    expect(error.diagnostics).toHaveLength(2);
    expect(error.diagnostics[0]?.hints.join()).toContain('"message"');
    expect(stage.calls).toEqual([]);
  });
});
