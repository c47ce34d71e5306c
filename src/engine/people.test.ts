import { describe, expect, test } from "vitest";
import { agent, call, scene, statuses } from "../../test/scene.ts";
import { defineTool } from "../index.ts";

const reply = [
  { id: "fetch", tool: "give", arguments: { value: { id: "t1" } } },
  {
    id: "send",
    tool: "echo",
    arguments: {
      to: "{{fetch.result.id}}",
      body: "{{PLACEHOLDER_body}}",
      again: "Re: {{PLACEHOLDER_subject}}",
    },
  },
];

describe("placeholders", () => {
  test("all questions are asked before anything runs; the run waits until they are answered", async () => {
    const stage = await scene();
    const run = await stage.start(reply);
    await stage.settle();
    const waiting = await stage.engine.get(run.id);
    expect(waiting).toMatchObject({
      status: "waiting",
      questions: [
        { name: "body", kind: "input", stepIds: ["send"] },
        { name: "subject", kind: "input", stepIds: ["send"] },
      ],
    });
    expect(stage.calls).toEqual([]);
    await run.provideInputs({ body: "{{fetch.result.id}} REF:x.y ${step[0].data}" });
    expect((await stage.engine.get(run.id))?.status).toBe("waiting");
    expect(stage.calls).toEqual([]);
    await run.provideInputs({ subject: "mail" });
    const result = await stage.play(run.result);
    expect(result.status).toBe("completed");
    expect(result.questions).toBeUndefined();
    expect(result.steps.send?.result).toEqual({
      to: "t1",
      body: "{{fetch.result.id}} REF:x.y ${step[0].data}",
      again: "Re: mail",
    });
  });

  test("engine.run comes back with status waiting and the questions", async () => {
    const stage = await scene();
    expect(await stage.run(reply)).toMatchObject({
      status: "waiting",
      questions: [{ name: "body" }, { name: "subject" }],
    });
  });

  test("answers given at the start are not asked for; blank ones are no answers", async () => {
    const stage = await scene();
    expect((await stage.run(reply, { inputs: { body: "x", subject: "y" } })).status).toBe("completed");
    const half = await stage.run(reply, { inputs: { body: "  ", subject: "y" } });
    expect(half.questions?.map(({ name }) => name)).toEqual(["body"]);
  });

  test("answers keep their type", async () => {
    const stage = await scene();
    const plan = [{ id: "a", tool: "echo", arguments: { v: "{{PLACEHOLDER_v}}" } }];
    for (const v of [0, false, [1, { a: null }], "0"]) {
      expect((await stage.run(plan, { inputs: { v } })).steps.a?.result).toEqual({ v });
    }
  });

  test("an eager run starts what needs no answer", async () => {
    const stage = await scene();
    const run = await stage.start(reply, { eager: true });
    await stage.settle();
    expect(stage.called).toEqual(["fetch"]);
    expect(await stage.engine.get(run.id)).toMatchObject({
      status: "waiting",
      steps: { send: { status: "waiting" } },
    });
    await run.provideInputs({ body: "b", subject: "s" });
    expect((await stage.play(run.result)).steps.send?.result).toMatchObject({ to: "t1", body: "b" });
  });

  test("an eager run that has failed does not wait for answers any more", async () => {
    const stage = await scene();
    const run = await stage.start(
      [
        { id: "bad", tool: "fail" },
        { id: "ask", tool: "echo", arguments: { x: "{{PLACEHOLDER_x}}" } },
      ],
      { eager: true },
    );
    const result = await stage.play(run.result);
    expect(statuses(result)).toEqual({ bad: "failed", ask: "cancelled" });
  });

  test("wrong answers are refused, and nothing of them is taken", async () => {
    const stage = await scene();
    const run = await stage.start(reply);
    await expect(run.provideInputs({ body: "x", nobody: "y" })).rejects.toMatchObject({
      code: "UNKNOWN_INPUT",
    });
    await expect(run.provideInputs({ body: "x", subject: "" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    await expect(run.provideInputs({ body: null, subject: "s" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    expect((await stage.engine.get(run.id))?.questions).toHaveLength(2);
    await run.provideInputs({ body: "x" });
    await expect(run.provideInputs({ body: "other" })).rejects.toMatchObject({ code: "ALREADY_ANSWERED" });
    await run.provideInputs({ subject: "s" });
    expect((await stage.play(run.result)).steps.send?.result).toMatchObject({ body: "x" });
    await expect(run.provideInputs({ body: "late" })).rejects.toMatchObject({ code: "RUN_ENDED" });
  });

  test("types and descriptions come from the tool's schema, and answers are checked against it", async () => {
    const { createEngine } = await import("../index.ts");
    const engine = await createEngine({
      tools: {
        send: defineTool({
          name: "send",
          input: { type: "object", properties: { n: { type: "number", description: "How many?" } } },
          run: (params) => params,
        }),
      },
    });
    const run = await engine.start([{ id: "a", tool: "send", arguments: { n: "{{PLACEHOLDER_n}}" } }]);
    expect((await engine.get(run.id))?.questions).toMatchObject([
      { name: "n", schema: { type: "number" }, description: "How many?" },
    ]);
    await expect(run.provideInputs({ n: "many" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/^"n": .*number/),
    });
    await run.provideInputs({ n: 3 });
    expect((await run.result).steps.a?.result).toEqual({ n: 3 });
  });
});

describe("confirmations", () => {
  const plan = agent([
    call("a", "echo", { x: 1 }),
    call("b", "echo", { x: "REF:a.x" }, { requires_confirmation: true }),
    call("c", "echo", { x: "REF:b.x" }),
    call("d", "echo", { x: "REF:a.x" }),
  ]);

  test("the step waits for a yes; the others go on", async () => {
    const stage = await scene();
    const run = await stage.start(plan);
    await stage.settle();
    expect(await stage.engine.get(run.id)).toMatchObject({
      status: "waiting",
      steps: { b: { status: "waiting" }, d: { status: "completed" } },
      questions: [{ name: "b", kind: "confirmation", stepIds: ["b"] }],
    });
    await run.confirm("b", true);
    expect(statuses(await stage.play(run.result))).toEqual({
      a: "completed",
      b: "completed",
      c: "completed",
      d: "completed",
    });
  });

  test("after a no the step is cancelled and what needs it is blocked, saying so", async () => {
    const stage = await scene();
    const run = await stage.start(plan);
    await stage.settle();
    await run.confirm("b", false);
    const result = await stage.play(run.result);
    expect(statuses(result)).toEqual({ a: "completed", b: "cancelled", c: "blocked", d: "completed" });
    expect(result.steps.b?.reason).toBe("a person said no");
    expect(result.steps.c?.reason).toContain("a person said no");
    expect(stage.called).toEqual(["a", "d"]);
  });

  test("only a step that waits can be confirmed, once", async () => {
    const stage = await scene();
    const run = await stage.start(plan);
    await stage.settle();
    await expect(run.confirm("a", true)).rejects.toMatchObject({ code: "NOT_WAITING" });
    await run.confirm("b", true);
    await expect(run.confirm("b", false)).rejects.toMatchObject({ code: "NOT_WAITING" });
    expect((await stage.play(run.result)).status).toBe("completed");
  });

  test("a tool can require it, too, and steps inside composites ask by their full id", async () => {
    const { createEngine } = await import("../index.ts");
    const engine = await createEngine({
      tools: { pay: defineTool({ name: "pay", requiresConfirmation: true, run: () => "paid" }) },
    });
    const inner = agent([call("x", "pay")]);
    const result = await engine.run(agent([{ execution_id: "c", agent_definition: inner }]));
    expect(result.questions).toMatchObject([{ name: "c.x", kind: "confirmation" }]);
  });

  test("a yes that comes while a failure is being handled starts the step after that", async () => {
    const stage = await scene();
    const run = await stage.start(
      agent([
        call("task", "fail"),
        call(
          "h",
          "wait",
          { ms: 50 },
          { conditions: [{ param: "REF:task.status", operator: "equals", value: "failed" }] },
        ),
        call("ask", "echo", {}, { requires_confirmation: true }),
      ]),
    );
    await stage.settle();
    await run.confirm("ask", true);
    await stage.settle();
    expect(stage.called).toEqual(["task", "h"]);
    const result = await stage.play(run.result);
    expect(result.status).toBe("completed");
    expect(stage.calls.map(({ stepId, at }) => [stepId, at])).toEqual([
      ["task", 0],
      ["h", 0],
      ["ask", 50],
    ]);
  });
});
