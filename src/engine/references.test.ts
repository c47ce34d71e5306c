import { describe, expect, test } from "vitest";
import { agent, call, field, scene } from "../../test/scene.ts";
import type { Json, JsonObject } from "../base/json.ts";

const DATA = {
  zero: 0,
  no: false,
  none: null,
  empty: "",
  list: [{ id: 1, tags: ["x"] }, { id: 2 }, { name: "third", tags: ["y", "z"] }],
  m: [[1, 2], [3]],
  nothing: [],
  own: { length: "own", first: "mine", "0": "key" },
  odd: { constructor: "data", "key with space": 1, ä: 2, __proto__x: 3 },
};

/** What each reference gives. */
async function resolved(references: readonly string[]): Promise<Json[]> {
  const stage = await scene();
  const args = Object.fromEntries(references.map((reference, i) => [`r${i}`, reference]));
  const result = await stage.run(agent([call("a", "give", { value: DATA }), call("b", "echo", args)]));
  expect(result.error).toBeUndefined();
  const values = result.steps.b?.result as JsonObject;
  return references.map((_, i) => values[`r${i}`] as Json);
}

async function failureOf(reference: string): Promise<{ name: string; code: string; message: string }> {
  const stage = await scene();
  const result = await stage.run(
    agent([call("a", "give", { value: DATA }), call("b", "echo", { r: reference })]),
  );
  expect(result.status).toBe("failed");
  expect(stage.called).toEqual(["a"]);
  return result.steps.b?.error ?? { name: "", code: "", message: "" };
}

describe("a reference", () => {
  test("takes the value with its type", async () => {
    expect(await resolved(["REF:a.zero", "REF:a.no", "REF:a.none", "REF:a.empty", "REF:a.nothing"])).toEqual([
      0,
      false,
      null,
      "",
      [],
    ]);
  });

  test("walks keys, indices and attributes, chains of any length", async () => {
    const cases: [string, Json][] = [
      ["REF:a.list.length", 3],
      ["REF:a.list.first.id", 1],
      ["REF:a.list.last.name", "third"],
      ["REF:a.list.0.tags.0", "x"],
      ["REF:a.list[2].tags[1]", "z"],
      ["REF:a.m[0][1]", 2],
      ["REF:a.m.1.0", 3],
      ["REF:a.nothing.first", null],
      ["REF:a.nothing.last", null],
      ["REF:a.nothing.length", 0],
    ];
    expect(await resolved(cases.map(([reference]) => reference))).toEqual(cases.map(([, value]) => value));
  });

  test("maps over a list with a wildcard: what lacks the field is dropped, nested ones flatten", async () => {
    const cases: [string, Json][] = [
      ["REF:a.list.*.id", [1, 2]],
      ["REF:a.list[*].tags", [["x"], ["y", "z"]]],
      ["REF:a.list[*].tags[*]", ["x", "y", "z"]],
      ["REF:a.list[*].tags[0]", ["x", "y"]],
      ["REF:a.list[*].missing", []],
      ["REF:a.nothing[*].x", []],
      ["REF:a.m[*]", [[1, 2], [3]]],
      ["REF:a.m[*][*]", [1, 2, 3]],
      ["REF:a.list[*].tags.length", [1, 2]],
    ];
    expect(await resolved(cases.map(([reference]) => reference))).toEqual(cases.map(([, value]) => value));
  });

  test("an object's own key wins over an attribute's name", async () => {
    expect(await resolved(["REF:a.own.length", "REF:a.own.first", "REF:a.own.0"])).toEqual([
      "own",
      "mine",
      "key",
    ]);
  });

  test("reaches own properties only, but data that has such a key is data", async () => {
    expect(await resolved(["REF:a.odd.constructor", "REF:a.odd.key with space", "REF:a.odd.ä"])).toEqual([
      "data",
      1,
      2,
    ]);
    for (const path of [
      "own.constructor",
      "own.__proto__",
      "own.toString",
      "list.map",
      "empty.length",
      "zero.toFixed",
    ]) {
      expect((await failureOf(`REF:a.${path}`)).name).toMatch(/InvalidReferenceError|RuntimeResolutionError/);
    }
  });
});

describe("a reference that leads nowhere fails the step, saying what was there", () => {
  test.each([
    ["REF:a.mising", "InvalidReferenceError", 'has no key "mising"'],
    ["REF:a.own.nope", "RuntimeResolutionError", "nope"],
    ["REF:a.list[9]", "RuntimeResolutionError", "out of bounds"],
    ["REF:a.zero.x", "InvalidReferenceError", "a number"],
    ["REF:a.none.x", "RuntimeResolutionError", "null"],
    ["REF:a.own[*].x", "RuntimeResolutionError", "not a list"],
  ])("%s: %s", async (reference, name, words) => {
    const error = await failureOf(reference);
    expect(error.name).toBe(name);
    expect(error.message).toContain(words);
    expect(error.message).toContain(reference);
  });
});

describe("optional arguments", () => {
  const definition = agent(
    [
      call("a", "echo", {
        o: "REF:arguments.o",
        deep: "REF:arguments.o.x.y[0]",
        d: "REF:arguments.d",
        f: "REF:arguments.f",
      }),
    ],
    {
      arguments: [
        field("o", "object", { required: false }),
        field("d", "string", { default_value: "standard" }),
        field("f", "boolean", { required: false, default_value: false }),
      ],
    },
  );

  test("that were not given are null, or their default, and so is everything below", async () => {
    const stage = await scene();
    expect((await stage.run(definition)).steps.a?.result).toEqual({
      o: null,
      deep: null,
      d: "standard",
      f: false,
    });
  });

  test("that were given are what was given; below a null inside it there is nothing", async () => {
    const stage = await scene();
    const result = await stage.run(definition, { arguments: { o: { x: { y: [1] } }, d: "other", f: true } });
    expect(result.steps.a?.result).toEqual({ o: { x: { y: [1] } }, deep: 1, d: "other", f: true });
    const broken = await stage.run(definition, { arguments: { o: { x: null } } });
    expect(broken.steps.a).toMatchObject({ status: "failed", error: { name: "RuntimeResolutionError" } });
  });
});

test("below an optional response that is missing or null there is null; below a required one an error", async () => {
  const stage = await scene();
  const responses = [field("may", "object", { required: false }), field("must", "object")];
  const plan = (reference: string) =>
    agent([
      call("a", "give", { value: { may: null, must: { x: null } } }, { definition: { responses } }),
      call("b", "echo", { r: reference }),
    ]);
  expect((await stage.run(plan("REF:a.may.x.y"))).steps.b?.result).toEqual({ r: null });
  expect((await stage.run(plan("REF:a.must.x.y"))).steps.b?.status).toBe("failed");
});

test("in the middle of text a reference of the other languages becomes text", async () => {
  const stage = await scene();
  const result = await stage.run([
    { id: "a", tool: "give", arguments: { value: { s: "x", n: 1, o: { k: [null] }, z: null } } },
    {
      id: "b",
      tool: "echo",
      arguments: {
        t: "{{a.result.s}} {{a.result.n}} {{ a.result.o }} {{a.result.z}}",
        whole: "{{a.result.o}}",
      },
    },
  ]);
  expect(result.steps.b?.result).toEqual({ t: 'x 1 {"k":[null]} null', whole: { k: [null] } });
  const steps = await stage.run({
    steps: [
      { tool: "give", params: { value: [{ id: 7 }] } },
      { tool: "echo", params: { t: "id=${step[0].data[0].id}, ${HOME}", whole: "${ step[0].data }" } },
    ],
  });
  expect(steps.steps["1"]?.result).toEqual({ t: "id=7, ${HOME}", whole: [{ id: 7 }] });
});

test("a path that is not there in an action plan is missing data", async () => {
  const stage = await scene();
  const result = await stage.run([
    { id: "a", tool: "give", arguments: { value: {} } },
    { id: "b", tool: "echo", arguments: { x: "{{a.result.x}}" } },
  ]);
  expect(result.steps.b).toMatchObject({ status: "failed" });
  expect(result.steps.b?.error?.message).toMatch(/^Missing data: /);
});
