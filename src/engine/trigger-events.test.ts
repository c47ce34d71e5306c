import { describe, expect, test } from "vitest";
import { agent, call, scene, when } from "../../test/scene.ts";
import { traceOf } from "../../test/trace-of.ts";
import type { Json } from "../base/json.ts";
import { PlanError, type RunResult, type ToolContext } from "../index.ts";

describe("events of a run", () => {
  const watched = async (
    triggers: readonly Json[],
    plan: Json,
    tools = {},
    more = {},
  ): Promise<RunResult> => {
    const stage = await scene(tools);
    return stage.run({ context_variables: { derived_variables: [{ name: "seen", triggers }] }, plan }, more);
  };
  const failing = [{ id: "a", tool: "fail", policy: { retries: 1, optional: true } }];

  test("a failed attempt is a response, too", async () => {
    const conditions = [when("REF:response.code", "equals", "BROKEN")];
    const result = await watched(
      [{ type: "tool_response", tool: "fail", status: "failed", conditions }],
      failing,
    );
    expect(result.context).toEqual({ seen: true });
  });

  test("responses are what the tool returned, before any transform", async () => {
    const conditions = [when("REF:response.x", "equals", 1)];
    const transform_results = { transforms: { y: "x" } };
    const plan = agent([call("a", "give", { value: { x: 1 } }, { transform_results })]);
    const result = await watched([{ type: "tool_response", tool: "give", conditions }], plan);
    expect(result.context).toEqual({ seen: true });
  });

  test("composite agents take turns", async () => {
    const inner = agent([call("b", "echo")], { name: "Team" });
    const plan = agent([{ execution_id: "a", agent_definition: inner }]);
    const result = await watched([{ type: "agent_turn_count", agent: "Team", at_least: 1 }], plan);
    expect(result.context).toEqual({ seen: true });
  });

  test("an answer that comes with the start is an answer", async () => {
    const plan = [{ id: "a", tool: "echo", arguments: { x: "{{PLACEHOLDER_q}}" } }];
    const conditions = [when("REF:answer", "equals", "yes")];
    const triggers = [{ type: "ui_response", question: "q", conditions }];
    expect((await watched(triggers, plan, {}, { inputs: { q: "yes" } })).context).toEqual({ seen: true });
    expect((await watched(triggers, plan, {}, { inputs: { q: "no" } })).context).toEqual({ seen: false });
  });

  test("the agent of an event: named by the tool, by its path, or by its tool", async () => {
    const say = (params: { as?: string }, { emit }: ToolContext) => {
      emit({ kind: "TextEmitted", text: "x", ...(params.as !== undefined && { agent: params.as }) });
    };
    const trigger = (name: string) => [{ type: "agent_text", agent: name, match: { equals: "x" } }];
    const byTool = await watched(trigger("say"), [{ id: "a", tool: "say" }], { say });
    const inline = await watched(trigger("say"), agent([call("a", "say")]), { say });
    const named = await watched(
      trigger("Bob"),
      agent([call("a", "say", {}, { definition: { name: "Bob" } })]),
      { say },
    );
    const given = await watched(trigger("a"), [{ id: "a", tool: "say", arguments: { as: "a" } }], { say });
    const other = await watched(trigger("say"), [{ id: "a", tool: "say", arguments: { as: "b" } }], { say });
    const seen = [byTool, inline, named, given, other].map((result) => result.context.seen);
    expect(seen).toEqual([true, true, true, true, false]);
    const stage = await scene({ say }, { agents: { "/x/Carl.agent": { system_event_endpoint: "say" } } });
    const plan = { instructions: [{ execution_id: "a", agent_definition_path: "/x/Carl.agent" }] };
    const byPath = await stage.run({
      context_variables: { derived_variables: [{ name: "seen", triggers: trigger("Carl") }] },
      plan,
    });
    expect(byPath.context).toEqual({ seen: true });
  });

  test("a timer is on the run's clock, and a derived variable may be called deadline", async () => {
    const stage = await scene();
    const triggers = [{ type: "timer_expired", after_ms: 500 }];
    const result = await stage.run({
      context_variables: { derived_variables: [{ name: "deadline", triggers }] },
      plan: [
        { id: "a", tool: "wait", arguments: { ms: 400 } },
        { id: "b", tool: "echo", dependencies: ["a"], arguments: { late: "{{context.deadline}}" } },
        { id: "c", tool: "wait", dependencies: ["b"], arguments: { ms: 400 } },
        { id: "d", tool: "echo", dependencies: ["c"], arguments: { late: "{{context.deadline}}" } },
      ],
    });
    expect(result.status).toBe("completed");
    expect([result.steps.b?.arguments, result.steps.d?.arguments]).toEqual([{ late: false }, { late: true }]);
  });

  test("a run that failed and goes on waits for its timers again", async () => {
    let broken = true;
    const stage = await scene({
      flaky: () => {
        if (broken) throw new Error("not yet");
      },
    });
    const triggers = [{ type: "timer_expired", after_ms: 500 }];
    const plan = [
      { id: "a", tool: "flaky" },
      { id: "b", tool: "wait", dependencies: ["a"], arguments: { ms: 1_000 } },
    ];
    const run = await stage.start({
      context_variables: { derived_variables: [{ name: "late", triggers }] },
      plan,
    });
    expect(await stage.play(run.result)).toMatchObject({ status: "failed", context: { late: false } });
    broken = false;
    const resumed = await stage.play(stage.engine.resume(run.id));
    expect(await stage.play(resumed.result)).toMatchObject({ status: "completed", context: { late: true } });
  });

  test("a timer that is still running does not hold the run up", async () => {
    const stage = await scene();
    const triggers = [{ type: "timer_expired", at: "2999-01-01T00:00:00Z" }];
    const result = await stage.run({
      context_variables: { derived_variables: [{ name: "x", triggers }] },
      plan: [{ id: "a", tool: "echo" }],
    });
    expect([result.status, result.context, stage.now]).toEqual(["completed", { x: false }, 0]);
  });
});

describe("a function trigger that misbehaves", () => {
  test.each([
    ["() => { for (;;); }", "it ran for too long"],
    ["() => { const all = []; for (;;) all.push([1, 2, 3]); }", "it used too much memory"],
    ["() => process.exit(1)", "it threw ReferenceError: 'process' is not defined"],
    ["() => Promise.resolve(true)", "it returned a promise; only true and false are answers"],
    ["() => { throw new Error('no') }", "it threw Error: no"],
  ])("%s is stopped and reported once, and the run is unharmed", async (source, problem) => {
    const stage = await scene();
    const run = await stage.start({
      context_variables: {
        derived_variables: [
          { name: "seen", triggers: [{ type: "function", source }] },
          { name: "turned", triggers: [{ type: "agent_turn_count", agent: "echo", at_least: 3 }] },
        ],
      },
      plan: ["a", "b", "c"].map((id) => ({ id, tool: "echo" })),
    });
    const result = await stage.play(run.result);
    expect([result.status, result.context]).toEqual(["completed", { seen: false, turned: true }]);
    const failures = (await traceOf(run.events)).filter(({ kind }) => kind === "TriggerFailed");
    expect(failures).toHaveLength(1);
    expect(failures[0]?.message).toContain(problem);
  });
});

describe("triggers that can never fire", () => {
  test("are found before the run: nothing is called", async () => {
    const stage = await scene();
    const trigger = { type: "agent_text", agent: "echo", match: { regex: "$x" } };
    const plan = [{ id: "a", tool: "echo" }];
    const refused = await stage
      .run({ context_variables: { derived_variables: [{ name: "x", triggers: [trigger] }] }, plan })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PlanError);
    expect((refused as PlanError).diagnostics[0]).toMatchObject({
      code: "dead-trigger",
      pointer: "/context_variables/derived_variables/0/triggers/0/match/regex",
    });
    expect(stage.calls).toEqual([]);
  });
});
