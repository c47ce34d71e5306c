import { describe, expect, it } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { createEngine } from "./engine.ts";

const echo = (args: JsonObject) => args;

describe("what a run comes to", () => {
  it("has its steps as a property like all others, though they are worked out late", async () => {
    const engine = await createEngine({ tools: { echo } });
    const result = await engine.run([{ id: "a", tool: "echo", arguments: { x: 1 } }]);
    const a = { id: "a", status: "completed", arguments: { x: 1 }, result: { x: 1 }, attempts: 1 };
    expect({ ...result }.steps).toMatchObject({ a });
    expect(JSON.parse(JSON.stringify(result)).steps).toMatchObject({ a });
    expect(Object.keys(result)).toEqual(["id", "status", "steps", "context", "startedAt", "finishedAt"]);
    expect(structuredClone(result).steps).toMatchObject({ a });
  });
});

describe("what a step was called with", () => {
  it("is on record, whatever its tool does with it", async () => {
    const spoil = (args: Record<string, unknown>) => {
      const given = structuredClone(args);
      for (const key of Object.keys(args)) delete args[key];
      return given;
    };
    const engine = await createEngine({ tools: { echo, spoil } });
    const { steps } = await engine.run([
      { id: "a", tool: "echo", arguments: { list: [{ n: 1 }] } },
      {
        id: "b",
        tool: "spoil",
        arguments: {
          whole: "{{a.result}}",
          one: "{{a.result.list[0]}}",
          text: "n is {{a.result.list[0].n}}",
          fixed: [1],
        },
      },
      { id: "c", tool: "echo", arguments: { again: "{{a.result}}", after: "{{b.result.fixed}}" } },
    ]);
    const expected = { whole: { list: [{ n: 1 }] }, one: { n: 1 }, text: "n is 1", fixed: [1] };
    expect(steps.b).toMatchObject({ arguments: expected, result: expected });
    expect(steps.c?.arguments).toEqual({ again: { list: [{ n: 1 }] }, after: [1] });
  });

  it("is on record for items of a fan-out, and for those that failed", async () => {
    const odd = ({ n, of }: { n: number; of: string }) => {
      if (n % 2 === 0) throw new Error("even");
      return { n, of };
    };
    const engine = await createEngine({ tools: { odd } });
    const agent = {
      arguments: [{ name: "numbers", type_name: "list" }],
      instructions: [
        {
          execution_id: "x",
          agent_definition: { system_event_endpoint: "odd" },
          arguments: { of: "fixed" },
          parallel_execution: {
            iterate_over: "REF:arguments.numbers",
            child_argument_name: "n",
            on_error: "collect",
          },
        },
      ],
    };
    const { steps } = await engine.run(agent, { arguments: { numbers: [1, 2] } });
    expect(steps["x[0]"]).toMatchObject({ status: "completed", arguments: { n: 1, of: "fixed" } });
    expect(steps["x[1]"]).toMatchObject({ status: "failed", arguments: { n: 2, of: "fixed" } });
    expect(steps.x?.arguments).toBeNull();
  });

  it("is not on record for a step whose arguments could not be worked out, or which never came to be called", async () => {
    const engine = await createEngine({ tools: { echo } });
    const { steps } = await engine.run([
      { id: "a", tool: "echo", arguments: { x: 1 } },
      { id: "b", tool: "echo", arguments: { x: "{{a.result.missing.deep}}" } },
      { id: "c", tool: "echo", arguments: { x: "{{b.result}}" } },
    ]);
    expect(steps.b).toMatchObject({ status: "failed", arguments: null, attempts: 0 });
    expect(steps.c).toMatchObject({ status: "blocked", arguments: null });
  });

  it("stays on record when a failed run is resumed", async () => {
    let works = false;
    const sometimes = (args: JsonObject) => {
      if (!works) throw new Error("not yet");
      return args;
    };
    const engine = await createEngine({ tools: { echo, sometimes } });
    const plan = [
      { id: "a", tool: "echo", arguments: { x: 1 } },
      { id: "b", tool: "sometimes", arguments: { x: "{{a.result.x}}" } },
    ];
    const { id, status } = await engine.run(plan);
    expect(status).toBe("failed");
    works = true;
    const { steps } = await (await engine.resume(id)).result;
    expect(steps.a?.arguments).toEqual({ x: 1 });
    expect(steps.b).toMatchObject({ arguments: { x: 1 }, result: { x: 1 }, attempts: 2 });
  });
});
