/* Questions to people: placeholders of action plans, and confirmations. */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { createEngine, defineTool, PlanError, type Run } from "../../src/index.ts";
import { scene, statuses } from "../scene.ts";
import { echo } from "./short-actions.ts";

describe("an answer to a mail, of which a person writes the text", () => {
  const mail = {
    id: "th-88",
    from: { email: "ida@hof.example", name: "Ida" },
    subject: "Harvest",
    date: "2026-03-01",
  };
  const tools = { read_mail: () => ({ data: [mail] }) };
  const plan = [
    {
      id: "from_ida",
      intent: "What did Ida write?",
      tool: "read_mail",
      arguments: { input: { sender: "ida" } },
    },
    {
      id: "answer",
      intent: "Answer Ida's newest mail",
      tool: "echo",
      arguments: {
        input: {
          threadId: "{{from_ida.result.data[0].id}}",
          to: "{{from_ida.result.data[0].from.email}}",
          subject: "Re: {{from_ida.result.data[0].subject}}",
          body: "{{PLACEHOLDER_message}}",
        },
      },
    },
  ];

  test("the run waits, with the question, before anything runs", async () => {
    const stage = await scene(tools);
    const result = await stage.run(plan);
    expect(result.status).toBe("waiting");
    expect(result.questions).toEqual([
      { name: "message", kind: "input", stepIds: ["answer"], description: "Answer Ida's newest mail" },
    ]);
    expect(stage.calls).toEqual([]);
    expect(result.finishedAt).toBeUndefined();
  });

  test("eagerly, the first step runs and the placeholder stays open; the answer fills it", async () => {
    const stage = await scene(tools);
    const run = await stage.engine.start(plan, { eager: true });
    const open = await stage.play(run.endedOrAsked());
    expect(open.status).toBe("waiting");
    expect(statuses(open)).toEqual({ from_ida: "completed", answer: "waiting" });
    expect(open.steps.from_ida?.result).toEqual({ data: [mail] });
    expect(open.questions?.map(({ name }) => name)).toEqual(["message"]);
    await run.provideInputs({ message: "Gladly! {{from_ida.result}}" });
    const done = await stage.play(run.result);
    expect(done.status).toBe("completed");
    expect(stage.calls[1]?.params).toEqual({
      input: {
        threadId: "th-88",
        to: "ida@hof.example",
        subject: "Re: Harvest",
        body: "Gladly! {{from_ida.result}}",
      },
    });
    expect(done.questions).toBeUndefined();
  });

  test("answered with the start, it does not wait", async () => {
    const stage = await scene(tools);
    const result = await stage.run(plan, { inputs: { message: "Yes" } });
    expect(result.status).toBe("completed");
    expect(result.steps.answer?.result).toMatchObject({ input: { body: "Yes" } });
  });
});

describe("answers", () => {
  const asking = [echo("a", { x: "{{PLACEHOLDER_x}}", text: "<{{PLACEHOLDER_x}}>" })];

  test.each<[Json, string]>([
    [0, "<0>"],
    [false, "<false>"],
    [[1, "b"], '<[1,"b"]>'],
    [{ deep: { n: 1 } }, '<{"deep":{"n":1}}>'],
    [" padded ", "< padded >"],
    ["{{a.result}} {{PLACEHOLDER_x}} REF:a.b", "<{{a.result}} {{PLACEHOLDER_x}} REF:a.b>"],
    ["${step[0].data}", "<${step[0].data}>"],
  ])("%j keeps its type and is never looked at for references", async (x, text) => {
    const stage = await scene();
    const result = await stage.run(asking, { inputs: { x } });
    expect(result.steps.a?.result).toEqual({ x, text });
  });

  test.each<[Json]>([[null], [""], ["  \n"]])("%j is no answer", async (x) => {
    const stage = await scene();
    const run = await stage.start(asking, { inputs: { x } });
    await expect(stage.engine.get(run.id)).resolves.toMatchObject({ status: "waiting" });
    await expect(run.provideInputs({ x })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await run.provideInputs({ x: 1 });
    expect((await stage.play(run.result)).status).toBe("completed");
  });

  test("an unknown name is an error, and nothing of the other answers is taken", async () => {
    const stage = await scene();
    await expect(stage.run(asking, { inputs: { y: 1 } })).rejects.toBeInstanceOf(PlanError);
    const run = await stage.start(asking);
    await expect(run.provideInputs({ x: 1, y: 1 })).rejects.toThrow(/"y".*"x"/);
    await expect(stage.engine.get(run.id)).resolves.toMatchObject({
      status: "waiting",
      questions: [{ name: "x" }],
    });
  });

  test("may come one after the other; the run goes on with the last", async () => {
    const stage = await scene();
    const run = await stage.start([
      echo("a", { x: "{{PLACEHOLDER_x}}" }),
      echo("b", { y: "{{PLACEHOLDER_y}}" }),
    ]);
    await run.provideInputs({ y: 2 });
    await stage.settle();
    expect(stage.calls).toEqual([]);
    await run.provideInputs({ x: 1 });
    const result = await stage.play(run.result);
    expect([result.steps.a?.result, result.steps.b?.result]).toEqual([{ x: 1 }, { y: 2 }]);
  });

  test("two at the same time: one wins, the other hears of it", async () => {
    const stage = await scene();
    const run = await stage.start(asking);
    const outcomes = await Promise.allSettled([1, 2, 3].map((x) => run.provideInputs({ x })));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(outcomes[1]).toMatchObject({
      reason: { code: "ALREADY_ANSWERED", message: '"x" has been answered already.' },
    });
    expect((await stage.play(run.result)).steps.a?.result).toMatchObject({ x: 1 });
    await expect(run.provideInputs({ x: 4 })).rejects.toMatchObject({ code: "RUN_ENDED" });
  });

  test("two that overlap: the second takes no effect at all", async () => {
    const stage = await scene();
    const run = await stage.start([echo("a", { x: "{{PLACEHOLDER_x}}", y: "{{PLACEHOLDER_y}}" })]);
    const [first, second] = await Promise.allSettled([
      run.provideInputs({ x: 1 }),
      run.provideInputs({ y: 2, x: 2 }),
    ]);
    expect([first?.status, second?.status]).toEqual(["fulfilled", "rejected"]);
    const open = await stage.engine.get(run.id);
    expect(open?.questions?.map(({ name }) => name)).toEqual(["y"]);
  });

  test("are checked against the tool's schema, which also describes the question", async () => {
    const seats = { type: "integer", minimum: 1, description: "How many seats?" };
    const engine = await createEngine({
      tools: {
        book: defineTool({
          name: "book",
          input: { type: "object", properties: { seats }, required: ["seats"] },
          run: (params: JsonObject) => params,
        }),
      },
    });
    const plan = [{ id: "a", tool: "book", arguments: { seats: "{{PLACEHOLDER_seats}}" } }];
    const { questions } = await engine.run(plan);
    expect(questions).toEqual([
      { name: "seats", kind: "input", stepIds: ["a"], schema: seats, description: "How many seats?" },
    ]);
    await expect(engine.run(plan, { inputs: { seats: "two" } })).rejects.toBeInstanceOf(PlanError);
    const run = await engine.start(plan);
    await expect(run.provideInputs({ seats: 0 })).rejects.toThrow(/seats/);
    await run.provideInputs({ seats: 2 });
    expect((await run.result).steps.a?.result).toEqual({ seats: 2 });
  });

  test("eagerly, steps that need none start at once, those that need one when it comes", async () => {
    const stage = await scene();
    const run = await stage.engine.start(
      [
        echo("free", { n: 1 }),
        echo("asks", { x: "{{PLACEHOLDER_x}}", n: "{{free.result.n}}" }),
        echo("other", { y: "{{PLACEHOLDER_y}}" }),
        echo("last", { x: "{{asks.result.x}}" }),
      ],
      { eager: true },
    );
    await stage.settle();
    expect(stage.called).toEqual(["free"]);
    await run.provideInputs({ x: 7 });
    await stage.settle();
    expect(stage.called).toEqual(["free", "asks", "last"]);
    await run.provideInputs({ y: 8 });
    expect(statuses(await stage.play(run.result))).toEqual({
      free: "completed",
      asks: "completed",
      other: "completed",
      last: "completed",
    });
  });
});

describe("confirmations", () => {
  const plan = [
    echo("look", { n: 1 }),
    echo("delete", { n: "{{look.result.n}}" }, { requires_confirmation: true, intent: "Delete it all" }),
    echo("after", { n: "{{delete.result.n}}" }),
  ];

  async function asked(run: Run, stage: Awaited<ReturnType<typeof scene>>) {
    const open = await stage.play(run.endedOrAsked());
    expect(open.status).toBe("waiting");
    expect(open.questions).toMatchObject([
      { name: "delete", kind: "confirmation", stepIds: ["delete"], description: "Delete it all" },
    ]);
    expect(statuses(open)).toEqual({ look: "completed", delete: "waiting", after: "pending" });
    expect(stage.called).toEqual(["look"]);
  }

  test("yes: the step runs", async () => {
    const stage = await scene();
    const run = await stage.engine.start(plan);
    await asked(run, stage);
    await run.confirm("delete", true);
    const result = await stage.play(run.result);
    expect(result.status).toBe("completed");
    expect(stage.called).toEqual(["look", "delete", "after"]);
  });

  test("no: it does not, and what needs it is blocked, saying why", async () => {
    const stage = await scene();
    const run = await stage.engine.start(plan);
    await asked(run, stage);
    await run.confirm("delete", false);
    const result = await stage.play(run.result);
    expect(stage.called).toEqual(["look"]);
    expect(statuses(result)).toEqual({ look: "completed", delete: "cancelled", after: "blocked" });
    expect(result.steps.delete?.reason).toBe("a person said no");
    expect(result.steps.after?.reason).toContain('"delete"');
  });

  test("two at the same time: one wins, the other hears of it", async () => {
    const stage = await scene();
    const run = await stage.engine.start(plan);
    await asked(run, stage);
    const outcomes = await Promise.allSettled([run.confirm("delete", true), run.confirm("delete", false)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "NOT_WAITING" } });
    expect((await stage.play(run.result)).steps.delete?.status).toBe("completed");
  });

  test("a step that nobody asked about cannot be confirmed", async () => {
    const stage = await scene();
    const run = await stage.engine.start(plan);
    await asked(run, stage);
    await expect(run.confirm("look", true)).rejects.toMatchObject({ code: "NOT_WAITING" });
  });

  test("of a tool hold in every language, and a step can waive them", async () => {
    const wipe = defineTool({ name: "wipe", requiresConfirmation: true, run: () => "wiped" });
    const engine = await createEngine({ tools: { wipe } });
    const agent = {
      instructions: [{ execution_id: "w", agent_definition: { system_event_endpoint: "wipe" } }],
    };
    for (const each of [[{ id: "w", tool: "wipe" }], { steps: [{ tool: "wipe" }] }, agent]) {
      const result = await engine.run(each as Json);
      expect([result.status, result.questions?.[0]?.kind]).toEqual(["waiting", "confirmation"]);
    }
    const waived = await engine.run([{ id: "w", tool: "wipe", requires_confirmation: false }]);
    expect([waived.status, waived.steps.w?.result]).toEqual(["completed", "wiped"]);
  });

  test("in a step plan, a no keeps the steps that need it from running", async () => {
    const stage = await scene();
    const run = await stage.engine.start({
      steps: [
        { tool: "give", params: { value: 1 }, requires_confirmation: true },
        { tool: "echo", params: { x: "${step[0].data}" } },
        { tool: "echo", params: {} },
      ],
    });
    await stage.play(run.endedOrAsked());
    await run.confirm("0", false);
    const { execution } = await stage.play(run.result);
    expect(execution?.notRun.map(({ stepIndex }) => stepIndex)).toEqual([0, 1]);
    expect(execution?.notRun[0]?.reason).toBe("a person said no");
    expect(execution?.results.map(({ stepIndex }) => stepIndex)).toEqual([2]);
  });
});
