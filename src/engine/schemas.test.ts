import { describe, expect, test } from "vitest";
import { agent, call, field, scene, when } from "../../test/scene.ts";
import type { Json, JsonObject } from "../base/json.ts";

/** Hands values, made by a tool so that no checker can know them, to an agent with these arguments. */
async function handed(
  fields: readonly JsonObject[],
  values: JsonObject,
): Promise<{ got?: Json; error?: string }> {
  const stage = await scene();
  const args = Object.fromEntries(Object.keys(values).map((key) => [key, `REF:src.${key}`]));
  const result = await stage.run(
    agent([
      call("src", "give", { value: values }),
      call("x", "echo", args, { definition: { arguments: fields } }),
    ]),
  );
  const step = result.steps.x;
  if (step?.error !== undefined) {
    expect(step.error).toMatchObject({ name: "SchemaValidationError", code: "SCHEMA_VALIDATION" });
    expect(stage.called).toEqual(["src"]);
    return { error: step.error.message };
  }
  return { got: step?.result ?? null };
}

async function returned(fields: readonly JsonObject[], value: Json): Promise<{ got?: Json; error?: string }> {
  const stage = await scene();
  const result = await stage.run(
    agent([call("x", "give", { value }, { definition: { responses: fields } })]),
  );
  const step = result.steps.x;
  if (step?.error === undefined) return { got: step?.result ?? null };
  expect(step.error.name).toBe("SchemaValidationError");
  return { error: step.error.message };
}

describe("types", () => {
  const samples: Record<string, Json> = {
    string: "s",
    number: 1.5,
    boolean: true,
    list: [],
    object: {},
    file: "/a.txt",
  };
  const accepts: Record<string, string[]> = {
    string: ["string", "file"],
    number: ["number"],
    boolean: ["boolean"],
    list: ["list"],
    object: ["object"],
    any: Object.keys(samples),
  };
  for (const [type, kinds] of Object.entries(accepts)) {
    test(`${type} takes ${kinds.join(", ")} and nothing else`, async () => {
      for (const [kind, value] of Object.entries(samples)) {
        const fits = kinds.includes(kind);
        expect(await handed([field("v", type)], { v: value }), kind).toMatchObject(
          fits ? { got: { v: value } } : { error: expect.any(String) },
        );
        expect(await returned([field("v", type)], { v: value }), kind).toMatchObject(
          fits ? { got: { v: value } } : { error: expect.any(String) },
        );
      }
    });
  }

  test("a boolean is not a number, text is not a number, and the message says what was there", async () => {
    expect((await handed([field("n", "number")], { n: true })).error).toContain(
      '"n" must be of type number, but it is the boolean true',
    );
    expect((await handed([field("n", "number")], { n: "5" })).error).toContain('the text "5"');
  });

  test("a required value is never null, an optional one may be", async () => {
    expect((await handed([field("v", "any")], { v: null })).error).toContain("must not be null");
    expect(await handed([field("v", "string", { required: false })], { v: null })).toEqual({
      got: { v: null },
    });
    expect(await returned([field("v", "list", { required: false })], {})).toEqual({ got: {} });
  });
});

describe("rules", () => {
  test("enum", async () => {
    const fields = [field("e", "string", { enum: ["low", "high"] })];
    expect(await handed(fields, { e: "low" })).toEqual({ got: { e: "low" } });
    expect((await handed(fields, { e: "middle" })).error).toContain('must be one of "low", "high"');
  });

  test("regex_pattern", async () => {
    const fields = [field("p", "string", { regex_pattern: "^[a-z]+-\\d{2}$" })];
    expect(await handed(fields, { p: "ab-12" })).toEqual({ got: { p: "ab-12" } });
    expect((await handed(fields, { p: "ab-123" })).error).toContain("pattern");
  });

  test("patterns that are catastrophic elsewhere are matched in linear time", async () => {
    const text = `${"a".repeat(50_000)}!`;
    for (const pattern of ["^(a+)+$", "^(a|aa)+$", "^(.*a){20}$", "(x+x+)+y"]) {
      expect((await handed([field("p", "string", { regex_pattern: pattern })], { p: text })).error).toContain(
        "pattern",
      );
    }
  });

  test("required_conditions: required only where they hold, over the values that are checked", async () => {
    const fields = [
      field("mode", "string"),
      field("url", "string", { required_conditions: [when("REF:arguments.mode", "equals", "remote")] }),
    ];
    expect(await handed(fields, { mode: "local" })).toEqual({ got: { mode: "local" } });
    expect(await handed(fields, { mode: "remote", url: "u" })).toEqual({ got: { mode: "remote", url: "u" } });
    expect((await handed(fields, { mode: "remote" })).error).toContain('"url" is required');
  });

  test("several problems are all in the message", async () => {
    const { error } = await handed([field("a", "number"), field("b", "string")], { a: "x", b: 1 });
    expect(error).toContain('"a"');
    expect(error).toContain('"b"');
  });

  test("defaults fill in what is missing, in arguments and responses", async () => {
    expect(
      await handed(
        [field("a", "string", { default_value: "d" }), field("b", "any", { default_value: [1] })],
        {},
      ),
    ).toEqual({
      got: { a: "d", b: [1] },
    });
    expect(await returned([field("a", "string", { default_value: "d" })], { other: 1 })).toEqual({
      got: { a: "d", other: 1 },
    });
  });

  test("extra keys pass", async () => {
    expect(await handed([field("a", "number")], { a: 1, more: "x" })).toEqual({ got: { a: 1, more: "x" } });
    expect(await returned([field("a", "number")], { a: 1, more: "x" })).toEqual({ got: { a: 1, more: "x" } });
  });

  test("an agent that declares no responses may return anything", async () => {
    const stage = await scene();
    for (const value of [null, 5, "text", [1], { a: 1 }]) {
      expect((await stage.run(agent([call("x", "give", { value })]))).steps.x?.result).toEqual(value);
    }
  });
});

describe("responses", () => {
  test("that miss a required value or have a wrong type fail the step", async () => {
    expect((await returned([field("a", "number")], {})).error).toContain('"a" is missing');
    expect((await returned([field("a", "number")], "text")).error).toContain("object");
    expect((await returned([field("a", "number")], null)).error).toContain("object");
  });

  test("an agent whose responses are all optional may return nothing", async () => {
    const stage = await scene();
    const definition = { responses: [field("a", "number", { required: false })] };
    const result = await stage.run(
      agent([call("x", "give", { value: null }, { definition }), call("y", "echo", { a: "REF:x.a" })]),
    );
    expect(result.status).toBe("completed");
    expect(result.steps.y?.result).toEqual({ a: null });
  });

  test("of the plan itself are checked", async () => {
    const stage = await scene();
    const plan = agent([call("x", "give", { value: { n: "no number" } })], {
      responses: [field("n", "number")],
      response_reference_map: { n: "REF:x.n" },
    });
    expect(await stage.run(plan)).toMatchObject({
      status: "failed",
      error: { name: "SchemaValidationError" },
    });
  });

  test("of a composite are checked", async () => {
    const stage = await scene();
    const inner = agent([call("x", "give", { value: { n: "no number" } })], {
      responses: [field("n", "number")],
      response_reference_map: { n: "REF:x.n" },
    });
    const result = await stage.run(agent([{ execution_id: "c", agent_definition: inner }]));
    expect(result.steps.c).toMatchObject({ status: "failed", error: { name: "SchemaValidationError" } });
  });
});

test("arguments are checked after all transforms: a transform can make what is missing", async () => {
  const stage = await scene();
  const definition = { arguments: [field("prompt", "string")] };
  const result = await stage.run(
    agent([
      call(
        "x",
        "echo",
        { parts: ["a", "b"] },
        {
          definition,
          transform_arguments: { transforms: { prompt: "join(parts, '-')" } },
        },
      ),
    ]),
  );
  expect(result.steps.x?.result).toEqual({ parts: ["a", "b"], prompt: "a-b" });
});

test("tools with JSON Schemas have their parameters and results checked", async () => {
  const { createEngine, defineTool } = await import("../index.ts");
  const engine = await createEngine({
    tools: {
      source: () => ({ n: "five" }),
      strict: defineTool({
        name: "strict",
        input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        output: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
        run: ({ n }: { n: number }) => (n > 0 ? { ok: true } : { ok: "yes" }),
      }),
    },
  });
  const plan = (n: Json) => [
    { id: "s", tool: "source" },
    { id: "a", tool: "strict", arguments: { n } },
  ];
  expect((await engine.run(plan(1))).steps.a?.result).toEqual({ ok: true });
  expect((await engine.run(plan("{{s.result.n}}"))).steps.a?.error?.message).toContain('the text "five"');
  expect((await engine.run(plan(0))).steps.a?.error).toMatchObject({ name: "SchemaValidationError" });
});
