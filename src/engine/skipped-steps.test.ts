import { describe, expect, test } from "vitest";
import { agent, call, field, scene, statuses, when } from "../../test/scene.ts";

const never = { conditions: [when("yes", "equals", "no")] };
const needs = (...names: string[]) => ({
  definition: { arguments: names.map((name) => field(name, "any")) },
});
const takes = (...names: string[]) => ({
  definition: { arguments: names.map((name) => field(name, "any", { required: false })) },
});

describe("a skipped step", () => {
  test("counts as settled, and says why it was skipped", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("a", "echo", {}, never), call("b", "echo", {}, { dependencies: ["a"] })]),
    );
    expect(result.status).toBe("completed");
    expect(statuses(result)).toEqual({ a: "skipped", b: "completed" });
    expect(result.steps.a?.reason).toContain('equals "no" did not hold');
    expect(result.steps.a).toMatchObject({ result: null, attempts: 0 });
  });

  test("gives null for anything that is referred to, at any depth", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent(
        [
          call("a", "echo", {}, never),
          call(
            "list",
            "echo",
            {},
            { ...never, parallel_execution: { iterate_over: [1], child_argument_name: "n" } },
          ),
          call("b", "echo", {
            x: "REF:a.x",
            deep: { y: ["REF:a.x.y[0].z"] },
            n: "REF:list.response.length",
            all: "REF:list.response",
          }),
        ],
        { response_reference_map: { x: "REF:a.x.y", n: "REF:list.response.length" } },
      ),
    );
    expect(result.steps.b?.result).toEqual({ x: null, deep: { y: [null] }, n: null, all: null });
    expect(result.response).toEqual({ x: null, n: null });
  });

  test("is null in conditions and has the status skipped", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "echo", {}, never),
        call(
          "b",
          "echo",
          {},
          { conditions: [when("REF:a.x.y", "not_exists"), when("REF:a.status", "equals", "skipped")] },
        ),
        call("c", "echo", { s: "REF:a.status", e: "REF:a.error", m: "REF:a.error_message" }),
      ]),
    );
    expect(statuses(result)).toMatchObject({ b: "completed" });
    expect(result.steps.c?.result).toEqual({ s: "skipped", e: null, m: null });
  });

  test("skips what gets its null as the whole value of a required argument, and so on down, with the reason", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "echo", {}, never),
        call("b", "echo", { x: "REF:a.x" }, needs("x")),
        call("c", "echo", { x: "REF:b.x.y" }, needs("x")),
        call("d", "echo", { x: "REF:c.x" }, takes("x")),
      ]),
    );
    expect(result.status).toBe("completed");
    expect(statuses(result)).toEqual({ a: "skipped", b: "skipped", c: "skipped", d: "completed" });
    expect(result.steps.b?.reason).toBe('the required argument "x" comes from "a", which was skipped');
    expect(result.steps.c?.reason).toBe('the required argument "x" comes from "b", which was skipped');
    expect(result.steps.d?.result).toEqual({ x: null });
  });

  test("does not skip where its null is a part of an argument", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("a", "echo", {}, never), call("b", "echo", { x: ["REF:a.x"] }, needs("x"))]),
    );
    expect(result.steps.b).toMatchObject({ status: "completed", result: { x: [null] } });
  });

  test("skips what iterates over it", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "echo", {}, never),
        call(
          "b",
          "echo",
          {},
          { parallel_execution: { iterate_over: "REF:a.items", child_argument_name: "i" } },
        ),
        call("c", "echo", { all: "REF:b.response" }),
      ]),
    );
    expect(statuses(result)).toEqual({ a: "skipped", b: "skipped", c: "completed" });
    expect(result.steps.b?.reason).toBe('"iterate_over" comes from "a", which was skipped');
  });

  test("skips a fan-out as a whole where one of its other required arguments is that null", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "echo", {}, never),
        call(
          "b",
          "echo",
          { x: "REF:a.x" },
          { ...needs("x", "i"), parallel_execution: { iterate_over: [1, 2, 3], child_argument_name: "i" } },
        ),
        call("c", "echo", { all: "REF:b.response" }),
      ]),
    );
    expect(statuses(result)).toEqual({ a: "skipped", b: "skipped", c: "completed" });
    expect(result.steps.b?.reason).toContain('comes from "a", which was skipped');
    expect(result.steps.c?.result).toEqual({ all: null });
  });

  test("skips through a transform that hands the null on", async () => {
    const stage = await scene();
    const handed = (transforms: Record<string, string>, variables: Record<string, string> = {}) => ({
      ...needs("x"),
      transform_arguments: { variables, transforms },
    });
    const result = await stage.run(
      agent([
        call("a", "echo", {}, never),
        call("b", "echo", {}, handed({ x: "REF:a.x" })),
        call("c", "echo", {}, handed({ x: "v" }, { v: "REF:a.x" })),
        call("d", "echo", { x: "REF:a.x" }, handed({ x: "if(REF:a.x, 'some', 'none')" })),
      ]),
    );
    expect(statuses(result)).toEqual({ a: "skipped", b: "skipped", c: "skipped", d: "completed" });
    expect(result.steps.d?.result).toEqual({ x: "none" });
  });

  test("a failed optional step is the same", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "fail", {}, { policy: { optional: true } }),
        call("b", "echo", { x: "REF:a.x" }, needs("x")),
        call(
          "c",
          "echo",
          {},
          { parallel_execution: { iterate_over: "REF:a.items", child_argument_name: "i" } },
        ),
        call("d", "echo", { x: "REF:a.x.y" }),
      ]),
    );
    expect(result.status).toBe("completed");
    expect(statuses(result)).toEqual({ a: "failed", b: "skipped", c: "skipped", d: "completed" });
    expect(result.steps.b?.reason).toContain('"a", which failed');
  });
});

describe("a null that is not from a skipped step", () => {
  const optional = [field("o", "string", { required: false })];
  test("from an optional argument in a required place is a schema error", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("b", "echo", { x: "REF:arguments.o" }, needs("x"))], { arguments: optional }),
    );
    expect(result).toMatchObject({
      status: "failed",
      error: { name: "SchemaValidationError", code: "SCHEMA_VALIDATION" },
    });
    expect(stage.calls).toEqual([]);
  });

  test("from an optional response in a required place is a schema error", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call(
          "a",
          "give",
          { value: {} },
          { definition: { responses: [field("o", "string", { required: false })] } },
        ),
        call("b", "echo", { x: "REF:a.o" }, needs("x")),
      ]),
    );
    expect(result.steps.b).toMatchObject({ status: "failed", error: { name: "SchemaValidationError" } });
  });

  test("as what is iterated over is an error", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "give", { value: { items: null } }),
        call(
          "b",
          "echo",
          {},
          { parallel_execution: { iterate_over: "REF:a.items", child_argument_name: "i" } },
        ),
      ]),
    );
    expect(result.steps.b).toMatchObject({ status: "failed" });
    expect(result.error?.message).toContain("must be a list, but it is null");
  });
});
