import { describe, expect, test } from "vitest";
import { agent, call, field, scene } from "../../test/scene.ts";
import type { Json } from "../base/json.ts";
import { type ToolContext, ToolError } from "../index.ts";

describe("a tool has its own copy", () => {
  const spoil = (params: { list: Json[]; object: Record<string, Json> }) => {
    params.list.push("spoilt");
    params.object.spoilt = true;
    return { ok: true };
  };
  const clean = { list: [1], object: { a: 1 } };

  test("of its arguments: what it does to them is not seen by anyone", async () => {
    const stage = await scene({ spoil });
    const result = await stage.run(
      agent([
        call("src", "give", { value: clean }),
        call("a", "spoil", { list: "REF:src.list", object: "REF:src.object" }),
        call("b", "echo", { list: "REF:src.list", object: "REF:src.object", a: "REF:a.ok" }),
      ]),
    );
    expect(result.steps.b?.result).toEqual({ ...clean, a: true });
    expect(result.steps.src?.result).toEqual(clean);
    expect(result.steps.a?.arguments).toEqual(clean);
  });

  test("of constants of the plan, in every attempt and in every run", async () => {
    let calls = 0;
    const stage = await scene({
      spoil: (params: { list: Json[]; object: Record<string, Json> }) => {
        expect(params).toEqual(clean);
        spoil(params);
        calls++;
        if (calls % 2 === 1) throw new Error("again");
      },
    });
    const plan = agent([call("a", "spoil", clean, { policy: { retries: 1, backoff: { base_ms: 1 } } })]);
    const { program } = stage.engine.compile(plan);
    for (let i = 0; i < 2; i++) expect((await stage.run(program as never)).status).toBe("completed");
    expect(calls).toBe(4);
  });

  test("of its result: what it does to it afterwards is not seen by anyone", async () => {
    const kept: { list: Json[] }[] = [];
    const stage = await scene({
      keep: () => {
        const mine = { list: ["clean"] as Json[] };
        kept.push(mine);
        return mine;
      },
    });
    const run = await stage.start(
      agent([
        call("a", "keep"),
        call("w", "wait", { ms: 5, value: 1 }),
        call("b", "echo", { list: "REF:a.list" }, { dependencies: ["w"] }),
      ]),
    );
    await stage.settle();
    kept[0]?.list.push("late");
    const result = await stage.play(run.result);
    expect(result.steps.b?.result).toEqual({ list: ["clean"] });
    expect((await stage.engine.get(run.id))?.steps.a?.result).toEqual({ list: ["clean"] });
  });

  test("of context variables", async () => {
    const stage = await scene({
      spoil: (_: unknown, { context }: ToolContext) => {
        (context.get("v") as Json[]).push("spoilt");
      },
    });
    const result = await stage.run(
      agent([call("a", "spoil"), call("b", "echo", { v: "REF:context.v" }, { dependencies: ["a"] })]),
      {
        context: { v: [1] },
      },
    );
    expect(result.steps.b?.result).toEqual({ v: [1] });
  });
});

describe("the caller's objects", () => {
  test("can be changed after the start without anyone seeing it", async () => {
    const stage = await scene();
    const plan = agent(
      [
        call("w", "wait", { ms: 5 }),
        call("b", "echo", { list: ["constant"], a: "REF:arguments.a", w: "REF:w.ms" }),
      ],
      {
        arguments: [field("a", "list")],
      },
    );
    const args = { a: [1] };
    const context = { v: [1] };
    const run = await stage.start(plan, { arguments: args, context });
    args.a.push(2);
    context.v.push(2);
    (
      (plan.instructions as { arguments: { list: string[] } }[])[1] as { arguments: { list: string[] } }
    ).arguments.list.push("late");
    const result = await stage.play(run.result);
    expect(result.steps.b?.result).toEqual({ list: ["constant"], a: [1], w: 5 });
    expect(result.context).toEqual({ v: [1] });
  });
});

describe("results", () => {
  test("are kept as JSON: undefined is null, dates become text, what has no JSON form fails the step", async () => {
    const values: Record<string, () => unknown> = {
      nothing: () => undefined,
      date: () => ({ at: new Date(0), skip: undefined, not: Number.NaN }),
      big: () => ({ n: 10n }),
      cyclic: () => {
        const value: { self?: unknown } = {};
        value.self = value;
        return value;
      },
      map: () => new Map([[1, 2]]),
      fn: () => () => 1,
    };
    const stage = await scene({ make: ({ what }: { what: string }) => values[what]?.() });
    const results: Record<string, unknown> = {};
    for (const what of Object.keys(values)) {
      const step = (await stage.run(agent([call("a", "make", { what })]))).steps.a;
      results[what] = step?.error?.code ?? step?.result;
    }
    expect(results).toEqual({
      nothing: null,
      date: { at: "1970-01-01T00:00:00.000Z", not: null },
      big: "INVALID_RESULT",
      cyclic: "INVALID_RESULT",
      map: "INVALID_RESULT",
      fn: "INVALID_RESULT",
    });
  });

  test("may hold a key called __proto__, which stays data", async () => {
    const stage = await scene({
      make: () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": "c"}'),
    });
    const result = await stage.run(
      agent([
        call("a", "make"),
        call("b", "echo", { c: "REF:a.constructor", p: "REF:a.__proto__.polluted" }),
      ]),
    );
    expect(result.steps.b?.result).toEqual({ c: "c", p: true });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(result.steps.a?.result as object)).toEqual(["__proto__", "constructor"]);
  });
});

describe("whatever a tool throws is an error of the step", () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  test.each<[string, unknown, string]>([
    ["an Error", new Error("plain"), "plain"],
    ["an Error without a message", new TypeError(), "TypeError"],
    ["text", "just text", "just text"],
    ["undefined", undefined, "null"],
    ["null", null, "null"],
    ["an object", { a: 1 }, '{"a":1}'],
    ["an object that holds itself", cyclic, "no JSON form"],
    ["a bigint", 1n, "no JSON form"],
    ["a function", () => {}, "function"],
    ["a ToolError", new ToolError("said", { code: "MINE" }), "said"],
  ])("%s", async (_, thrown, words) => {
    const stage = await scene({
      throws: () => {
        throw thrown;
      },
    });
    const result = await stage.run(agent([call("a", "throws")]));
    expect(result).toMatchObject({ status: "failed", error: { name: "ToolError" } });
    expect(result.error?.message).toContain(words);
  });

  test("an error's own code is kept", async () => {
    const stage = await scene({
      throws: () => {
        throw Object.assign(new Error("not found"), { code: "ENOENT" });
      },
    });
    expect((await stage.run(agent([call("a", "throws")]))).error).toEqual({
      name: "ToolError",
      code: "ENOENT",
      message: "not found",
    });
  });
});

test("runs see nothing of each other", async () => {
  const stage = await scene();
  const plan = agent([call("a", "echo", { v: "REF:arguments.v" }), call("b", "echo", { v: "REF:a.v" })], {
    arguments: [field("v", "number")],
    response_reference_map: { v: "REF:b.v" },
  });
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, v) => stage.engine.run(plan, { arguments: { v } })),
  );
  expect(results.map(({ response }) => response)).toEqual(results.map((_, v) => ({ v })));
});
