import { describe, expect, test } from "vitest";
import { agent, BEGIN, call, field, scene } from "../../test/scene.ts";
import type { Json, JsonObject } from "../base/json.ts";

/** What the tool gets after the transform. */
async function argumentsAfter(
  args: JsonObject,
  transform_arguments: JsonObject,
  more: JsonObject = {},
): Promise<Json> {
  const stage = await scene();
  const result = await stage.run(
    agent(
      [call("src", "give", { value: SOURCE }), call("x", "echo", args, { transform_arguments, ...more })],
      {
        arguments: [field("who", "string", { required: false })],
      },
    ),
    { arguments: { who: "me" } },
  );
  return result.steps.x?.error === undefined ? (result.steps.x?.result ?? null) : { ...result.steps.x.error };
}

const SOURCE = {
  list: [
    { name: "A", n: 1 },
    { name: "B", n: 2 },
  ],
  text: "join(list, x)",
  n: 7,
};

describe("variables", () => {
  test("are resolved first, in written order, each seeing the earlier ones, and do not leak", async () => {
    const result = await argumentsAfter(
      { kept: 1 },
      {
        variables: { rows: "REF:src.list", names: "map(rows, item.name)", sep: " / " },
        transforms: { title: "join(names, sep)" },
      },
    );
    expect(result).toEqual({ kept: 1, title: "A / B" });
  });

  test("a string that is a call of a known function is evaluated; any other string is a constant", async () => {
    const result = await argumentsAfter(
      {},
      {
        variables: {
          a: "sum(REF:src.list, item.n)",
          b: "a",
          c: "total(of everything)",
          d: ["sum([1], item)", { e: "REF:src.n" }],
          e: "it's",
        },
        transforms: { a: "a", b: "b", c: "c", d: "d", e: "e" },
      },
    );
    expect(result).toEqual({
      a: 3,
      b: "a",
      c: "total(of everything)",
      d: ["sum([1], item)", { e: 7 }],
      e: "it's",
    });
  });

  test("what they refer to is data, however it looks", async () => {
    const result = await argumentsAfter(
      {},
      { variables: { t: "REF:src.text" }, transforms: { t: "t", u: "REF:src.text" } },
    );
    expect(result).toEqual({ t: "join(list, x)", u: "join(list, x)" });
  });

  test("win over the original values; the original wins over outputs of the same name", async () => {
    const result = await argumentsAfter(
      { a: "original", b: "original" },
      { variables: { a: "variable" }, transforms: { a: "upper(a)", b: "upper(b)", c: "a", d: "b" } },
    );
    expect(result).toEqual({ a: "VARIABLE", b: "ORIGINAL", c: "variable", d: "original" });
  });
});

describe("outputs", () => {
  test("fall back to the outputs made so far for names that the context lacks", async () => {
    expect(await argumentsAfter({}, { transforms: { a: "sum([1, 2], item)", b: "[a, a]" } })).toEqual({
      a: 3,
      b: [3, 3],
    });
  });

  test("that are not strings are constants with their references resolved", async () => {
    const result = await argumentsAfter(
      { n: 1 },
      {
        transforms: {
          n: 5,
          list: ["REF:src.n", "n"],
          object: { a: { b: "REF:arguments.who" } },
          none: null,
          yes: true,
        },
      },
    );
    expect(result).toEqual({ n: 5, list: [7, "n"], object: { a: { b: "me" } }, none: null, yes: true });
  });

  test("can be plain references, with and without paths", async () => {
    const result = await argumentsAfter(
      {},
      {
        transforms: {
          count: "REF:src.list.length",
          first: "REF:src.list.first.name",
          all: "REF:src.list[*].n",
        },
      },
    );
    expect(result).toEqual({ count: 2, first: "A", all: [1, 2] });
  });

  test("create and replace; everything else stays", async () => {
    expect(await argumentsAfter({ a: 1, b: 2 }, { transforms: { b: "'new'", c: "a" } })).toEqual({
      a: 1,
      b: "new",
      c: 1,
    });
  });
});

describe("failures are MappingErrors", () => {
  test.each([
    ["map(REF:src.list, item.missing)", "missing"],
    ["sum(REF:src.list, item.name)", "number"],
    ["join(REF:src.n, ', ')", "list"],
    ["json_parse('{')", ""],
  ])("%s", async (expression, word) => {
    const result = await argumentsAfter({}, { transforms: { x: expression } });
    expect(result).toMatchObject({ name: "MappingError", code: "MAPPING" });
    expect((result as { message: string }).message).toContain(word);
  });

  test("and are not tried again", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call(
          "a",
          "echo",
          { l: 5 },
          { policy: { retries: 3 }, transform_results: { transforms: { x: "map(REF:response.l, item)" } } },
        ),
      ]),
    );
    expect(result.steps.a).toMatchObject({ status: "failed", attempts: 1, error: { name: "MappingError" } });
  });
});

describe("results", () => {
  test("are transformed before they are checked and stored", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call(
          "a",
          "give",
          { value: { response_body: { files: ["x", "y"] } } },
          {
            definition: { responses: [field("files", "list"), field("total_count", "number")] },
            transform_results: {
              variables: { raw_data: "REF:response.response_body" },
              transforms: { files: "raw_data.files", total_count: "REF:response.response_body.files.length" },
            },
          },
        ),
        call("b", "echo", { n: "REF:a.total_count" }),
      ]),
    );
    expect(result.steps.a?.result).toEqual({
      response_body: { files: ["x", "y"] },
      files: ["x", "y"],
      total_count: 2,
    });
    expect(result.steps.b?.result).toEqual({ n: 2 });
  });

  test("transform_responses is another spelling", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("a", "echo", { n: 1 }, { transform_responses: { transforms: { m: "n" } } })]),
    );
    expect(result.steps.a?.result).toEqual({ n: 1, m: 1 });
  });

  test("that are no objects become one where a transform makes fields", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([call("a", "give", { value: [1, 2] }, { transform_results: { transforms: { m: "'x'" } } })]),
    );
    expect(result.steps.a?.result).toEqual({ m: "x" });
  });
});

describe("a definition's own transforms lie closer to the agent", () => {
  const definition = {
    arguments: [field("n", "number"), field("doubled", "list", { required: false })],
    responses: [field("n", "number"), field("inner", "string")],
    transform_arguments: { transforms: { doubled: "[REF:arguments.n, n]" } },
    transform_results: { transforms: { inner: "'definition'", from: "REF:response.n" } },
  };

  test("for a primitive: instruction, definition, tool, definition, instruction", async () => {
    const stage = await scene();
    const result = await stage.run(
      agent([
        call(
          "a",
          "echo",
          { n: 1 },
          {
            definition,
            transform_arguments: { transforms: { n: "sum([n, 1], item)" } },
            transform_results: { transforms: { inner: "upper(inner)", seen: "from" } },
          },
        ),
      ]),
    );
    expect(stage.calls[0]?.params).toEqual({ n: 2, doubled: [2, 2] });
    expect(result.steps.a?.result).toEqual({ n: 2, doubled: [2, 2], inner: "DEFINITION", from: 2, seen: 2 });
  });

  test("for a composite: its arguments before its steps, its response after its map", async () => {
    const stage = await scene();
    const composite = agent([call("x", "echo", { list: "REF:arguments.doubled" })], {
      arguments: [field("n", "number"), field("doubled", "list", { required: false })],
      responses: [field("sum", "number")],
      transform_arguments: { transforms: { doubled: "[n, n]" } },
      response_reference_map: { list: "REF:x.list" },
      transform_results: { transforms: { sum: "sum(REF:response.list, item)" } },
    });
    const result = await stage.run(
      agent([{ execution_id: "c", agent_definition: composite, arguments: { n: 4 } }], {
        response_reference_map: { sum: "REF:c.sum" },
      }),
    );
    expect(result.response).toEqual({ sum: 8 });
    expect(result.steps.c?.result).toEqual({ list: [4, 4], sum: 8 });
    expect(await stage.run(composite, { arguments: { n: 5 } })).toMatchObject({ response: { sum: 10 } });
  });

  test("for a primitive that is run directly, once", async () => {
    const stage = await scene();
    const result = await stage.run({ system_event_endpoint: "echo", ...definition }, { arguments: { n: 3 } });
    expect(result.response).toEqual({ n: 3, doubled: [3, 3], inner: "definition", from: 3 });
  });
});

test("datetime_now is the recorded time of the event that is being handled", async () => {
  const stage = await scene();
  const result = await stage.run(
    agent([
      call("w", "wait", { ms: 5000 }),
      call(
        "a",
        "echo",
        { w: "REF:w.ms" },
        { transform_arguments: { transforms: { now: "datetime_now()" } } },
      ),
    ]),
  );
  const { now = "" } = (result.steps.a?.result ?? {}) as { now?: string };
  expect(new Date(now).getTime()).toBe(BEGIN + 5000);
});

test("functions of the user's own can be registered", async () => {
  const stage = await scene({}, { functions: { double: (n) => (n as number) * 2 } });
  const result = await stage.run(
    agent([call("a", "echo", { n: 4 }, { transform_arguments: { transforms: { m: "double(n)" } } })]),
  );
  expect(result.steps.a?.result).toEqual({ n: 4, m: 8 });
});
