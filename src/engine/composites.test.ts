import { describe, expect, test } from "vitest";
import { agent, call, field, scene, statuses, when } from "../../test/scene.ts";
import type { Json } from "../base/json.ts";

describe("response maps", () => {
  test("hold references, static values and nested structures", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("a", "give", { value: { n: 1, list: ["x"] } })], {
        response_reference_map: {
          n: "REF:a.n",
          fixed: "text",
          number: 5,
          nothing: null,
          nested: { list: ["REF:a.list.first", { deep: "REF:a.n" }], literal: "\\REF:a.n" },
        },
      }),
    );
    expect(result.response).toEqual({
      n: 1,
      fixed: "text",
      number: 5,
      nothing: null,
      nested: { list: ["x", { deep: 1 }], literal: "REF:a.n" },
    });
  });

  test("that lead nowhere fail the run", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("a", "give", { value: {} })], { response_reference_map: { n: "REF:a.missing" } }),
    );
    expect(result).toMatchObject({
      status: "failed",
      error: { name: "InvalidReferenceError" },
      steps: { a: { status: "completed" } },
    });
  });

  test("an agent without one has no response", async () => {
    const stage = await scene();
    expect((await stage.run(agent([call("a", "echo")]))).response).toBeUndefined();
  });
});

describe("composites", () => {
  const add = (path: string): Json =>
    agent([{ execution_id: "inner", agent_definition_path: path, arguments: { n: "REF:arguments.n" } }], {
      arguments: [field("n", "number")],
      response_reference_map: { n: "REF:inner.n" },
    });

  test("nest to any depth, scheduled in the same run, with ids that say where", async () => {
    const agents: Record<string, Json> = {
      "/0.agent": { system_event_endpoint: "echo", arguments: [field("n", "number")] },
    };
    for (let i = 1; i <= 100; i++) agents[`/${i}.agent`] = add(`/${i - 1}.agent`);
    const stage = await scene({}, { agents });
    const result = await stage.run(agents["/100.agent"] as Json, { arguments: { n: 7 } });
    expect(result).toMatchObject({ status: "completed", response: { n: 7 } });
    expect(stage.called).toEqual([Array.from({ length: 100 }, () => "inner").join(".")]);
  });

  test("inside ones start as soon as they can, beside the steps of the outer one", async () => {
    const stage = await scene();
    const inner = agent([call("x", "wait", { ms: 30 }), call("y", "wait", { ms: 10 })]);
    await stage.run(agent([{ execution_id: "c", agent_definition: inner }, call("z", "wait", { ms: 30 })]));
    expect(stage.calls.map(({ at }) => at)).toEqual([0, 0, 0]);
    expect(stage.now).toBe(30);
  });

  test("see their own arguments and steps only", async () => {
    const stage = await scene();
    const inner = agent([call("a", "echo", { v: "REF:arguments.v" })], {
      arguments: [field("v", "any")],
      response_reference_map: { v: "REF:a.v" },
    });
    const result = await stage.run(
      agent(
        [
          call("a", "echo", { v: "outer" }),
          { execution_id: "c", agent_definition: inner, arguments: { v: ["REF:a.v", "REF:arguments.v"] } },
        ],
        { arguments: [field("v", "any")], response_reference_map: { v: "REF:c.v" } },
      ),
      { arguments: { v: "top" } },
    );
    expect(result.response).toEqual({ v: ["outer", "top"] });
  });

  test("the same definition can be called many times at once", async () => {
    const stage = await scene(
      {},
      { agents: { "/0.agent": { system_event_endpoint: "echo" }, "/1.agent": add("/0.agent") } },
    );
    const steps = [1, 2, 3].map((n) => ({
      execution_id: `c${n}`,
      agent_definition_path: "/1.agent",
      arguments: { n },
    }));
    const result = await stage.run(
      agent(steps, { response_reference_map: { all: ["REF:c1.n", "REF:c2.n", "REF:c3.n"] } }),
    );
    expect(result.response).toEqual({ all: [1, 2, 3] });
  });

  test("an empty one completes at once", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([{ execution_id: "c", agent_definition: agent([]) }, call("d", "echo", { c: "REF:c.status" })]),
    );
    expect(result.steps.d?.result).toEqual({ c: "completed" });
  });

  test("that are skipped have nothing inside called", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        {
          execution_id: "c",
          agent_definition: agent([call("x", "echo")]),
          conditions: [when(1, "equals", 2)],
        },
      ]),
    );
    expect(statuses(result)).toEqual({ c: "skipped" });
    expect(stage.calls).toEqual([]);
  });
});

describe("recursion", () => {
  const countdown = agent(
    [
      call("less", "minus", { n: "REF:arguments.n" }),
      {
        execution_id: "again",
        agent_definition_path: "/countdown.agent",
        arguments: { n: "REF:less.n" },
        conditions: [when("REF:less.n", "greater_than", 0)],
      },
    ],
    {
      arguments: [field("n", "number")],
      response_reference_map: { trace: ["REF:arguments.n", "REF:again.trace"] },
    },
  );
  const minus = ({ n }: { n: number }) => ({ n: n - 1 });

  test("ends where its conditions end it", async () => {
    const stage = await scene({ minus }, { agents: { "/countdown.agent": countdown } });
    const result = await stage.run(countdown, { arguments: { n: 3 } });
    expect(result.response).toEqual({ trace: [3, [2, [1, null]]] });
  });

  test("is cut at a depth that can be set, with a clear error", async () => {
    const stage = await scene({ minus }, { agents: { "/countdown.agent": countdown }, depthMax: 5 });
    const result = await stage.run(countdown, { arguments: { n: 1000 } });
    expect(result).toMatchObject({
      status: "failed",
      error: { name: "DefinitionError", code: "DEFINITION" },
    });
    expect(result.error?.message).toMatch(/countdown.*5/);
    expect(stage.calls.length).toBeLessThan(10);
  });
});

describe("definitions", () => {
  test("a primitive agent can be run directly", async () => {
    const stage = await scene();
    const plan = {
      system_event_endpoint: "echo",
      arguments: [field("a", "string"), field("b", "number", { default_value: 2 })],
      responses: [field("a", "string")],
    };
    const result = await stage.run(plan, { arguments: { a: "x" } });
    expect(result).toMatchObject({ status: "completed", response: { a: "x", b: 2 } });
    await expect(stage.run(plan, { arguments: { b: "x" } })).rejects.toMatchObject({ name: "PlanError" });
  });

  test("tool_definition_path, tool_definition and .tool are other spellings", async () => {
    const stage = await scene({}, { agents: { "/x/echo.tool": { system_event_endpoint: "echo" } } });
    const result = await stage.run(
      agent([{ execution_id: "a", tool_definition_path: "/x/echo.tool", arguments: { v: 1 } }]),
    );
    expect(result.steps.a?.result).toEqual({ v: 1 });
  });

  test("the agent's definition of a tool and the tool's own schema both hold", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("src", "give", { value: { v: 5 } }),
        call("a", "echo", { v: "REF:src.v" }, { definition: { arguments: [field("v", "string")] } }),
      ]),
    );
    expect(result.steps.a?.error?.name).toBe("SchemaValidationError");
  });
});
