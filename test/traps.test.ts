/*
 * The traps in the documents' sample code, as the language's page lists them. Each test shows the technique of the sample falling
 * into its trap (`sample-code.ts`), and then what a run does with the same values.
 */
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../src/base/json.ts";
import { levels, PlanError } from "../src/index.ts";
import { findByWord, levelsOrCircle, ReplacingExecutor, spliceIntoJson } from "./sample-code.ts";
import { scene, statuses } from "./scene.ts";

/** The arguments that the last step of a plan is called with, in either language, when the first one gave `value`. */
async function received(
  value: Json,
  inActions: JsonObject,
  inSteps: JsonObject,
): Promise<[unknown, unknown]> {
  const stage = await scene({ first: () => value });
  await stage.run([
    { id: "one", tool: "first" },
    { id: "two", tool: "echo", arguments: inActions },
  ]);
  await stage.run({ steps: [{ tool: "first" }, { tool: "echo", params: inSteps }] });
  return [stage.calls[1]?.params, stage.calls[3]?.params];
}

/** The same, of one argument that is one reference. */
function receivedWhole(value: Json, path = ""): Promise<[unknown, unknown]> {
  return received(value, { x: `{{one.result${path}}}` }, { x: `\${step[0].data${path}}` });
}

describe("results spliced into serialized JSON", () => {
  test("a value with a quote breaks the arguments", async () => {
    const value = 'she said "no"';
    expect(() => spliceIntoJson({ x: "{{one}}" }, { one: value })).toThrow(SyntaxError);
    expect(await receivedWhole(value)).toEqual([{ x: value }, { x: value }]);
  });

  test("a value made for it puts arguments of its own in", async () => {
    const value = 'hello", "admin": true, "y": "';
    expect(spliceIntoJson({ x: "{{one}}" }, { one: value })).toMatchObject({ x: "hello", admin: true });
    expect(await receivedWhole(value)).toEqual([{ x: value }, { x: value }]);
  });

  test("a value that looks like a reference is looked up in turn", async () => {
    const value = "{{secret.result}} ${step[0].data} REF:one.x";
    expect(await receivedWhole(value)).toEqual([{ x: value }, { x: value }]);
    const text = await received(value, { x: "<{{one.result}}>" }, { x: "<${step[0].data}>" });
    expect(text).toEqual([{ x: `<${value}>` }, { x: `<${value}>` }]);
  });
});

describe("String.replace", () => {
  test.each<[Json]>([[5], [true], [null], [[1, 2]], [{ a: 1 }]])("%j becomes text", async (value) => {
    const sample = new ReplacingExecutor();
    sample.run([() => ({ v: value })]);
    expect(typeof sample.resolve("${step[0].v}")).toBe("string");
    expect(await receivedWhole({ v: value }, ".v")).toEqual([{ x: value }, { x: value }]);
  });

  test("a value that is missing becomes the text undefined", async () => {
    const sample = new ReplacingExecutor();
    sample.run([() => ({ v: 1 })]);
    expect(sample.resolve("to: ${step[0].w}")).toBe("to: undefined");
    const stage = await scene({ first: () => ({ v: 1 }) });
    const result = await stage.run({
      steps: [{ tool: "first" }, { tool: "echo", params: { x: "to: ${step[0].data.w}" } }],
    });
    expect(statuses(result)).toEqual({ 0: "completed", 1: "failed" });
    expect(stage.called).toEqual(["0"]);
  });
});

describe("the path root", () => {
  test("is taken twice: data of data", async () => {
    const sample = new ReplacingExecutor();
    sample.run([() => ({ id: "F1" })]);
    expect(sample.resolve("${step[0].data.id}")).toBe("undefined");
    expect(await receivedWhole({ id: "F1" }, ".id")).toEqual([{ x: "F1" }, { x: "F1" }]);
  });

  test("data that has a key called data is reached through both", async () => {
    expect(await receivedWhole({ data: { result: 1 } }, ".data.result")).toEqual([{ x: 1 }, { x: 1 }]);
  });
});

describe("the cache", () => {
  test("has no keys to name the steps there are", async () => {
    expect(() => new ReplacingExecutor().resolve("${step[3].data}")).toThrow("cache.keys is not a function");
    const stage = await scene();
    const plan = { steps: [{ tool: "give" }, { tool: "echo", params: { x: "${step[3].data}" } }] };
    const error = await stage.run(plan).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlanError);
    expect((error as PlanError).message).toMatch(/no step called "3"/);
    expect((error as PlanError).diagnostics[0]?.hints.join()).toContain("0");
  });

  test("is never cleared: a plan sees what another one left", async () => {
    const sample = new ReplacingExecutor();
    sample.run([() => ({ v: "mine" }), () => ({ v: "secret" })]);
    sample.run([() => ({ v: "yours" })]);
    expect(sample.resolve("${step[1].v}")).toBe("secret");
    const stage = await scene();
    await stage.run({ steps: [{ tool: "give" }, { tool: "give", params: { value: { v: "secret" } } }] });
    const second = stage.run({ steps: [{ tool: "echo", params: { x: "${step[1].data.v}" } }] });
    await expect(second).rejects.toBeInstanceOf(PlanError);
  });
});

describe("inherited members", () => {
  test.each([
    ["constructor", "constructor.name", "Object"],
    ["toString", "toString.name", "toString"],
    ["hasOwnProperty", "hasOwnProperty.length", "1"],
    ["__proto__", "__proto__.constructor.name", "Object"],
  ])("%s is reached, but is not data", async (member, path, reached) => {
    expect(spliceIntoJson({ x: `{{one.${path}}}` }, { one: { v: 1 } })).toEqual({ x: reached });
    const stage = await scene({ first: () => ({ v: [1], s: "text", n: 5 }) });
    for (const below of ["", ".v", ".s", ".n"]) {
      const plan = [
        { id: "one", tool: "first" },
        { id: "two", tool: "echo", arguments: { x: `{{one.result${below}.${member}}}` } },
      ];
      const result = await stage.run(plan);
      expect(result.steps.two?.error?.message).toMatch(/^Missing data: /);
    }
  });

  test("data that has such a key is data", async () => {
    const value = JSON.parse('{ "constructor": 1, "__proto__": { "x": 2 } }') as Json;
    expect(await receivedWhole(value, ".constructor")).toEqual([{ x: 1 }, { x: 1 }]);
    expect(await receivedWhole(value, ".__proto__.x")).toEqual([{ x: 2 }, { x: 2 }]);
  });
});

describe("dependency detection", () => {
  const plan = [
    { id: "fetch-one", tool: "wait", arguments: { ms: 10, value: { v: 7 } } },
    { id: "use", tool: "echo", arguments: { x: "{{fetch-one.result.v}}" } },
  ];

  test("misses ids with dashes", async () => {
    expect(plan[1] && findByWord(plan[1])).toEqual([]);
    expect(levelsOrCircle(plan)).toEqual([["fetch-one", "use"]]);
    const stage = await scene();
    const result = await stage.run(plan);
    expect(result.steps.use?.result).toEqual({ x: 7 });
    expect(stage.calls.map(({ stepId, at }) => [stepId, at])).toEqual([
      ["fetch-one", 0],
      ["use", 10],
    ]);
    const { program } = stage.engine.compile(plan);
    expect(program && levels(program)).toEqual([["fetch-one"], ["use"]]);
  });

  test("calls an unknown id a circle", async () => {
    const unknown = [{ id: "use", tool: "echo", arguments: { x: "{{fetch_two.result.v}}" } }];
    expect(() => levelsOrCircle(unknown)).toThrow("Circular dependency");
    const stage = await scene();
    const error = await stage.run(unknown).catch((thrown: unknown) => thrown);
    expect((error as PlanError).diagnostics.map(({ name }) => name)).toEqual(["InvalidReferenceError"]);
    expect((error as PlanError).message).toMatch(/^Invalid reference: .*fetch_two/);
  });
});

describe("running by levels", () => {
  // Level by level, `after_quick` would wait for `slow`, with which it has nothing to do.
  const plan = [
    { id: "slow", tool: "wait", arguments: { ms: 100, value: 1 } },
    { id: "quick", tool: "wait", arguments: { ms: 10, value: 2 } },
    { id: "after_quick", tool: "wait", arguments: { ms: 10, value: "{{quick.result}}" } },
    { id: "last", tool: "wait", arguments: { ms: 10, value: ["{{slow.result}}", "{{after_quick.result}}"] } },
  ];

  test("makes a step wait for strangers; a step starts when its own dependencies have settled", async () => {
    const barrier = Math.max(100, 10);
    expect(levelsOrCircle(plan)).toEqual([["slow", "quick"], ["after_quick"], ["last"]]);
    const stage = await scene();
    const { steps } = await stage.run(plan);
    const at = Object.fromEntries(stage.calls.map((call) => [call.stepId, call.at]));
    expect(at.after_quick).toBeLessThan(barrier);
    expect(at).toEqual({ slow: 0, quick: 0, after_quick: 10, last: 100 });
    expect(steps.last?.result).toEqual([1, 2]);
  });
});
