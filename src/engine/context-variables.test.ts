import { describe, expect, test } from "vitest";
import { agent, call, scene, statuses, when } from "../../test/scene.ts";
import { traceOf } from "../../test/trace-of.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { PlanError, ToolContext } from "../index.ts";

/** Says one line a turn, and what it was given. */
const script = ["Hello!", "terminate", "TERMINATE ", "TERMINATE", "never said"];
const talk = ({ turn }: { turn?: Json }, { emit }: ToolContext) => {
  const next = typeof turn === "number" ? turn + 1 : 0;
  emit({ kind: "TextEmitted", text: script[next] ?? "", agent: "InterviewAgent" });
  return { turn: next };
};

const done = { param: "", operator: "equals", value: true };
const derived = {
  derived_variables: [
    {
      name: "done",
      triggers: [{ type: "agent_text", agent: "InterviewAgent", match: { equals: "TERMINATE" } }],
    },
  ],
};

/** The same conversation in the three languages: it talks until it says TERMINATE, and then the next step runs. */
const conversations: Record<string, Json> = {
  agent: {
    instructions: [
      {
        ...call(
          "talk",
          "talk",
          { turn: "REF:self.previous.turn" },
          { definition: { name: "InterviewAgent" } },
        ),
        repeat: { until: [{ ...done, param: "REF:context.done" }], max: 10 },
      },
      call(
        "after",
        "echo",
        { turn: "REF:talk.turn", done: "REF:context.done" },
        { conditions: [{ ...done, param: "REF:context.done" }] },
      ),
    ],
  },
  steps: {
    steps: [
      {
        tool: "InterviewAgent",
        params: { turn: "${self.previous.data.turn}" },
        repeat: { until: [{ ...done, param: "${context.done}" }], max: 10 },
      },
      {
        tool: "echo",
        params: { turn: "${step[0].data.turn}", done: "${context.done}" },
        conditions: [{ ...done, param: "${context.done}" }],
      },
    ],
  },
  actions: [
    {
      id: "talk",
      tool: "InterviewAgent",
      arguments: { turn: "{{self.previous.turn}}" },
      repeat: { until: [{ ...done, param: "{{context.done}}" }], max: 10 },
    },
    {
      id: "after",
      tool: "echo",
      arguments: { turn: "{{talk.result.turn}}", done: "{{context.done}}" },
      conditions: [{ ...done, param: "{{context.done}}" }],
    },
  ],
};

describe("a conversation", () => {
  test.each(Object.keys(conversations))("that ends at TERMINATE, in %s", async (language) => {
    const stage = await scene({ talk, InterviewAgent: talk });
    const result = await stage.run({ context_variables: derived, plan: conversations[language] as Json });
    expect(result.status).toBe("completed");
    expect(result.context).toEqual({ done: true });
    const [first, ...turns] = stage.calls.map(({ params }) => params.turn);
    expect(first ?? null).toBeNull();
    expect(turns).toEqual([0, 1, 2, 3]);
    expect(stage.calls.at(-1)?.params).toEqual({ turn: 3, done: true });
  });

  test("ends at its longest, and what waits for the variable is skipped", async () => {
    const stage = await scene({
      talk: (_params: JsonObject, { emit }: ToolContext) => emit({ kind: "TextEmitted", text: "..." }),
    });
    const until = [when("REF:context.done", "equals", true)];
    const result = await stage.run({
      context_variables: derived,
      plan: agent([
        call("talk", "talk", {}, { definition: { name: "InterviewAgent" }, repeat: { until, max: 3 } }),
        call("after", "echo", {}, { dependencies: ["talk"], conditions: until }),
      ]),
    });
    expect(stage.called).toEqual(["talk", "talk", "talk"]);
    expect(statuses(result)).toEqual({ talk: "completed", after: "skipped" });
  });
});

test("a change is announced once, with the event that caused it", async () => {
  const stage = await scene({ InterviewAgent: talk });
  const run = await stage.start({ context_variables: derived, plan: conversations.actions as Json });
  await stage.play(run.result);
  const trace = await traceOf(run.events);
  const changes = trace.filter(({ kind }) => kind === "ContextChanged");
  expect(changes).toHaveLength(1);
  const cause = trace.find(({ kind, text }) => kind === "TextEmitted" && text === "TERMINATE");
  expect(changes[0]).toMatchObject({
    name: "done",
    value: true,
    cause: { seq: cause?.seq, kind: "TextEmitted" },
  });
});

describe("values", () => {
  const context_variables = {
    runtime_variables: [
      { name: "user", type: "object", default: { name: "Ann", tags: ["a", "b"] } },
      { name: "count", type: "number", default: 0 },
    ],
  };

  test("keep their types everywhere, and become text inside text", async () => {
    const stage = await scene();
    const result = await stage.run({
      context_variables,
      plan: {
        steps: [
          {
            tool: "echo",
            params: {
              whole: "${context.user}",
              part: "${context.user.tags[1]}",
              text: "hi ${context.user.name}, ${context.count}",
            },
          },
        ],
      },
    });
    expect(stage.calls[0]?.params).toEqual({
      whole: { name: "Ann", tags: ["a", "b"] },
      part: "b",
      text: "hi Ann, 0",
    });
    expect(result.context).toEqual({ user: { name: "Ann", tags: ["a", "b"] }, count: 0 });
  });

  test("are seen by transforms and response maps", async () => {
    const stage = await scene();
    const result = await stage.run({
      context_variables,
      plan: agent(
        [
          call(
            "a",
            "give",
            { value: { x: 1 } },
            { transform_results: { transforms: { tags: "join(REF:context.user.tags, '+')" } } },
          ),
        ],
        { response_reference_map: { tags: "REF:a.tags", name: "REF:context.user.name" } },
      ),
    });
    expect(result.response).toEqual({ tags: "a+b", name: "Ann" });
  });

  test("are given by the caller, and checked", async () => {
    const stage = await scene();
    const plan = {
      context_variables: { ...context_variables, ...derived },
      plan: [{ id: "InterviewAgent", tool: "echo" }],
    };
    const given = await stage.run(plan, { context: { count: 7, done: true, extra: "x" } });
    expect(given.context).toMatchObject({ count: 7, done: true, extra: "x", user: { name: "Ann" } });
    const wrong = await stage
      .run(plan, { context: { count: "7", done: 1 } })
      .catch((error: PlanError) => error);
    expect((wrong as PlanError).diagnostics.map(({ message }) => message)).toEqual([
      `The context variable "count" must be a number, but it is given the text "7".`,
      `The context variable "done" must be true or false, but it is given the number 1.`,
    ]);
  });

  test("are set by tools, seen by the tool at once and by later steps", async () => {
    const seen: unknown[] = [];
    const stage = await scene({
      count: (_params: JsonObject, { context }: ToolContext) => {
        context.set("count", 5);
        seen.push(context.get("count"));
        const user = context.get("user") as { tags: string[] };
        user.tags.push("not the run's");
      },
    });
    const plan = [
      { id: "a", tool: "count" },
      {
        id: "b",
        tool: "echo",
        dependencies: ["a"],
        arguments: { n: "{{context.count}}", tags: "{{context.user.tags}}" },
      },
    ];
    const result = await stage.run({ context_variables, plan });
    expect(seen).toEqual([5]);
    expect(result.steps.b?.arguments).toEqual({ n: 5, tags: ["a", "b"] });
    expect(result.context.count).toBe(5);
  });

  test.each([
    ["done", true, `"done" is a derived variable: only its triggers set it`],
    ["cuont", 1, `there is no context variable "cuont"; did you mean "count"?`],
    ["count", "1", `"count" must be a number, but this is the text "1"`],
  ])("a tool that sets %s to %j fails", async (name, value, why) => {
    const stage = await scene({
      InterviewAgent: (_params: JsonObject, { context }: ToolContext) => context.set(name, value),
    });
    const result = await stage.run({
      context_variables: { ...context_variables, ...derived },
      plan: [{ id: "a", tool: "InterviewAgent" }],
    });
    expect(result.steps.a?.error).toEqual({
      name: "ToolError",
      code: "CONTEXT_VARIABLE",
      message: `Cannot set a context variable: ${why}.`,
    });
    expect(result.context).toMatchObject({ count: 0, done: false });
  });

  test("in a workflow whose declarations and plan stand in other files", async () => {
    const stage = await scene();
    const files: Record<string, string> = {
      "p.json": JSON.stringify([{ id: "a", tool: "echo", arguments: { n: "{{context.count}}" } }]),
    };
    const inline = await stage.run({ context_variables, plan: "p.json" }, { load: (path) => files[path] });
    const beside = await stage.run(files["p.json"] as string, { contextVariables: { context_variables } });
    expect([inline, beside].map((result) => result.steps.a?.arguments)).toEqual([{ n: 0 }, { n: 0 }]);
  });
});
