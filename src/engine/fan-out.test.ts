import { describe, expect, test } from "vitest";
import { agent, call, field, scene, statuses } from "../../test/scene.ts";
import type { Json, JsonObject } from "../base/json.ts";

const over = (iterate_over: Json, more: JsonObject = {}) => ({
  parallel_execution: { iterate_over, child_argument_name: "item", ...more },
});

describe("a fan-out", () => {
  test("gives each child the other arguments plus its item, and the list of whole responses in input order", async () => {
    const stage = await scene({
      slow: async ({ item, k }: { item: number; k: string }) => {
        await stage.wait(100 - item);
        return { item, k };
      },
    });
    const result = await stage.run(
      agent(
        [
          call("src", "give", { value: { items: [1, 2, 3] } }),
          call("x", "slow", { k: "same" }, over("REF:src.items")),
        ],
        {
          response_reference_map: {
            all: "REF:x.response",
            first: "REF:x.response.first.item",
            n: "REF:x.response.length",
            items: "REF:x.response[*].item",
            second: "REF:x.response.1.k",
          },
        },
      ),
    );
    expect(result.response).toEqual({
      all: [1, 2, 3].map((item) => ({ item, k: "same" })),
      first: 1,
      n: 3,
      items: [1, 2, 3],
      second: "same",
    });
    expect(stage.now).toBe(99);
  });

  test("iterates over a literal list, with references in it", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call("a", "give", { value: { v: { deep: 1 } } }),
        call("x", "echo", {}, over(["plain", "REF:a.v", ["REF:a.v.deep"], "\\REF:a.v"])),
      ]),
    );
    expect(result.steps.x?.result).toEqual([
      { item: "plain" },
      { item: { deep: 1 } },
      { item: [1] },
      { item: "REF:a.v" },
    ]);
  });

  test("over an empty list completes with an empty list", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("x", "echo", {}, over([]))], {
        response_reference_map: {
          all: "REF:x.response",
          n: "REF:x.response.length",
          f: "REF:x.response.first",
        },
      }),
    );
    expect(result).toMatchObject({ status: "completed", response: { all: [], n: 0, f: null } });
    expect(stage.calls).toEqual([]);
  });

  test("has null where a child returned nothing; {} and other falsy values are responses", async () => {
    const returns: unknown[] = [undefined, null, {}, 0, "", false, []];
    const stage = await scene({ pick: ({ item }: { item: number }) => returns[item] });
    const result = await stage.run(agent([call("x", "pick", {}, over([0, 1, 2, 3, 4, 5, 6]))]));
    expect(result.steps.x?.result).toEqual([null, null, {}, 0, "", false, []]);
  });

  test("applies transforms to each child, in both directions", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent(
        [
          call(
            "x",
            "echo",
            { base: 10 },
            {
              ...over([{ n: 1 }, { n: 2 }]),
              transform_arguments: {
                variables: { n: "get_object_property(item, 'n')" },
                transforms: { list: ["REF:arguments.who"], n: "n" },
              },
              transform_results: { transforms: { seen: "item.n", total: "sum(REF:response.list)" } },
            },
          ),
        ],
        { arguments: [field("who", "number")] },
      ),
      { arguments: { who: 5 } },
    );
    expect(result.steps.x?.result).toEqual([
      { base: 10, item: { n: 1 }, list: [5], n: 1, seen: 1, total: 5 },
      { base: 10, item: { n: 2 }, list: [5], n: 2, seen: 2, total: 5 },
    ]);
  });

  test("runs at most max_concurrency children at once", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("x", "wait", { ms: 10 }, over([1, 2, 3, 4, 5, 6, 7], { max_concurrency: 3 }))]),
    );
    expect(stage.activeMost).toBe(3);
    expect(stage.now).toBe(30);
    expect(result.steps.x?.result).toHaveLength(7);
  });

  test("keeps going under max_concurrency while another fan-out runs beside it", async () => {
    const stage = await scene({}, { concurrency: 4 });
    await stage.run(
      agent([
        call("x", "wait", { ms: 10 }, over([1, 2, 3, 4, 5, 6], { max_concurrency: 2 })),
        call("y", "wait", { ms: 10 }, over([1, 2, 3, 4, 5, 6], { max_concurrency: 2 })),
      ]),
    );
    expect(stage.activeMost).toBe(4);
    expect(stage.now).toBe(30);
  });
});

describe("an item that fails", () => {
  const odd = ({ item }: { item: number }) => {
    if (item % 2 === 1) throw new Error(`odd ${item}`);
    return { item };
  };

  test("fails the step by default; what is under way finishes, nothing new starts", async () => {
    const stage = await scene({
      odd: async ({ item }: { item: number }) => {
        await stage.wait(item === 1 ? 5 : 10);
        return odd({ item });
      },
    });
    const result = await stage.run(
      agent([call("x", "odd", {}, over([0, 1, 2, 3, 4], { max_concurrency: 3 }))]),
    );
    expect(result).toMatchObject({ status: "failed", error: { message: "odd 1" } });
    expect(stage.called).toEqual(["x[0]", "x[1]", "x[2]"]);
    expect(statuses(result)).toEqual({
      x: "failed",
      "x[0]": "completed",
      "x[1]": "failed",
      "x[2]": "completed",
      "x[3]": "cancelled",
      "x[4]": "cancelled",
    });
  });

  test("of several failures the step shows that of the first item", async () => {
    const stage = await scene({
      late: async ({ item }: { item: number }) => {
        await stage.wait(100 - item);
        throw new Error(`item ${item}`);
      },
    });
    expect((await stage.run(agent([call("x", "late", {}, over([1, 2, 3]))]))).error?.message).toBe("item 1");
  });

  test("is { error } at its place with on_error: collect", async () => {
    const stage = await scene({ odd });
    const result = await stage.run(
      agent([
        call("x", "odd", {}, over([0, 1, 2], { on_error: "collect" })),
        call("n", "echo", { n: "REF:x.response.length" }),
      ]),
    );
    expect(result.status).toBe("completed");
    expect(result.steps.x?.result).toEqual([
      { item: 0 },
      { error: { code: "TOOL", name: "ToolError", message: "odd 1" } },
      { item: 2 },
    ]);
    expect(statuses(result)).toMatchObject({ x: "completed", "x[1]": "failed" });
    expect(result.steps["x[1]"]?.error).toEqual({ code: "TOOL", name: "ToolError", message: "odd 1" });
  });

  test("collects what its arguments or its response make fail, too", async () => {
    const stage = await scene();
    const definition = {
      arguments: [field("item", "number")],
      responses: [field("item", "number", { enum: [1, 2] })],
    };
    const result = await stage.run(
      agent([
        call("src", "give", { value: { items: [1, "two", 3] } }),
        call("x", "echo", {}, { definition, ...over("REF:src.items", { on_error: "collect" }) }),
      ]),
    );
    const names = (result.steps.x?.result ?? []) as { error?: { name: string } }[];
    expect(names.map((item) => item.error?.name)).toEqual([
      undefined,
      "SchemaValidationError",
      "SchemaValidationError",
    ]);
    expect(stage.called).toEqual(["src", "x[0]", "x[2]"]);
  });
});

describe("ids", () => {
  test("of children are x[0], x[1], …; of nested ones outer.x[3].y", async () => {
    const stage = await scene();
    const leaf = agent([call("y", "echo", { v: "REF:arguments.item" })], {
      arguments: [field("item", "any")],
      response_reference_map: { v: "REF:y.v" },
    });
    const middle = agent([{ execution_id: "x", agent_definition: leaf, ...over("REF:arguments.items") }], {
      arguments: [field("items", "list")],
      response_reference_map: { vs: "REF:x.response[*].v" },
    });
    const result = await stage.run(
      agent(
        [{ execution_id: "outer", agent_definition: middle, arguments: { items: ["a", "b", "c", "d"] } }],
        {
          response_reference_map: { vs: "REF:outer.vs" },
        },
      ),
      { runId: "R" },
    );
    expect(result.response).toEqual({ vs: ["a", "b", "c", "d"] });
    expect(stage.calls.map(({ stepId }) => stepId)).toEqual([
      "outer.x[0].y",
      "outer.x[1].y",
      "outer.x[2].y",
      "outer.x[3].y",
    ]);
    expect(stage.calls[3]?.idempotencyKey).toBe("R/outer.x[3].y");
    expect(result.steps["outer.x[3].y"]).toMatchObject({
      status: "completed",
      arguments: { v: "d" },
      result: { v: "d" },
    });
    expect(result.steps["outer.x[3]"]).toMatchObject({ status: "completed", result: { v: "d" } });
  });

  test("fan-outs nest", async () => {
    const stage = await scene();
    const inner = agent([call("cell", "echo", {}, over("REF:arguments.item"))], {
      arguments: [field("item", "list")],
      response_reference_map: { row: "REF:cell.response[*].item" },
    });
    const result = await stage.run(
      agent([{ execution_id: "rows", agent_definition: inner, ...over([[1, 2], [], [3]]) }], {
        response_reference_map: { grid: "REF:rows.response[*].row" },
      }),
    );
    expect(result.response).toEqual({ grid: [[1, 2], [], [3]] });
    expect(stage.called).toEqual(["rows[0].cell[0]", "rows[0].cell[1]", "rows[2].cell[0]"]);
  });
});

test("what is not a list cannot be iterated over", async () => {
  const stage = await scene();
  const result = await stage.run(
    agent([call("a", "give", { value: { v: { length: 2 } } }), call("x", "echo", {}, over("REF:a.v"))]),
  );
  expect(result.steps.x).toMatchObject({ status: "failed", error: { name: "RuntimeResolutionError" } });
});
