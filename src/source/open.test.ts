import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import { openDocument } from "./open.ts";

/** What the type does not allow and a caller without types does. */
function open(value: unknown) {
  return openDocument(value as Json);
}

function problemsOf(value: unknown): string[] {
  const { document, problems } = open(value);
  expect(document).toBeUndefined();
  return problems.map((problem) => `${problem.code} ${problem.pointer}: ${problem.message}`);
}

function nested(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

describe("a text", () => {
  test("that is JSON gives its value, and keeps the text and the file", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const document = { file: "plan.json", text, value: JSON.parse(text) as Json };
        expect(openDocument(text, "plan.json")).toEqual({ document, problems: [] });
      }),
    );
  });

  test("may begin with a byte order mark", () => {
    expect(openDocument('\ufeff{"a": 1}')).toMatchObject({ document: { value: { a: 1 } }, problems: [] });
  });

  test("may have keys of the prototype, colons in strings, and lone surrogates", () => {
    const text = String.raw`{"__proto__": {"constructor": "a:b\":"}, "x": "\ud800"}`;
    const { document, problems } = openDocument(text);
    expect(problems).toEqual([]);
    expect(Object.keys(document?.value as object)).toEqual(["__proto__", "x"]);
    expect(document?.value).toHaveProperty("x", "\ud800");
  });

  test("that is not JSON gives all problems and no document", () => {
    const { document, problems } = openDocument("{a: 1,}");
    expect(document).toBeUndefined();
    expect(problems.map((problem) => problem.code)).toEqual(["json-syntax", "json-syntax"]);
  });

  test("with repeated keys names every one at its second place, and still gives a document", () => {
    const text = '{\n "a": 1,\n "b": {"c": 1, "c": 2},\n "a": 3,\n "a": 4}';
    const { document, problems } = openDocument(text);
    const at = (piece: string) => text.lastIndexOf(piece);
    expect(document?.value).toEqual({ a: 4, b: { c: 2 } });
    expect(
      problems.map(({ code, pointer, from, hints }) => ({ code, pointer, from, hint: hints[0] })),
    ).toEqual([
      {
        code: "duplicate-key",
        pointer: "/b/c",
        from: at('"c"'),
        hint: expect.stringContaining("The first is on line 3."),
      },
      {
        code: "duplicate-key",
        pointer: "/a",
        from: at('"a": 3'),
        hint: expect.stringContaining("The first is on line 2."),
      },
      {
        code: "duplicate-key",
        pointer: "/a",
        from: at('"a": 4'),
        hint: expect.stringContaining("The first is on line 2."),
      },
    ]);
  });

  test("sees keys as repeated that are written differently", () => {
    const { problems } = openDocument(String.raw`{"a": 1, "\u0061": 2}`);
    expect(problems.map((problem) => problem.pointer)).toEqual(["/a"]);
  });

  test("may be 500 levels deep and no deeper", () => {
    expect(openDocument(nested(500)).problems).toEqual([]);
    const { document, problems } = openDocument(nested(501));
    expect(document).toBeUndefined();
    expect(problems.map(({ code, from }) => ({ code, from }))).toEqual([{ code: "too-deep", from: 500 }]);
  });

  test.each(["[", '{"a":', "[{", '["'])("of a million times %j is a problem, not a crash", (piece) => {
    const { document, problems } = openDocument(piece.repeat(1_000_000));
    expect(document).toBeUndefined();
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe("a parsed value", () => {
  test("that is JSON is taken as it is", () => {
    const value = { a: [1, "x", null, true, { b: {} }] };
    expect(openDocument(value, "x")).toEqual({
      document: { file: "x", text: undefined, value },
      problems: [],
    });
  });

  test("that is not JSON is told with all the places", () => {
    const value = {
      a: undefined,
      b: [() => 1, Number.NaN, 1n],
      "c/d": new Date(0),
      e: new Map(),
      f: Symbol("x"),
      g: new (class Account {})(),
    };
    expect(problemsOf(value)).toEqual([
      "not-json /a: undefined is not JSON.",
      "not-json /b/0: A function is not JSON.",
      "not-json /b/1: NaN is not JSON.",
      "not-json /b/2: A bigint is not JSON.",
      "not-json /c~1d: A Date is not JSON.",
      "not-json /e: A Map is not JSON.",
      "not-json /f: A symbol is not JSON.",
      "not-json /g: An Account is not JSON.",
    ]);
    expect(problemsOf(undefined)).toEqual(["not-json : undefined is not JSON."]);
    expect(problemsOf(new Array(1))).toEqual(["not-json /0: undefined is not JSON."]);
  });

  test("that contains itself is told where", () => {
    const inner: Record<string, unknown> = {};
    inner["again"] = [inner];
    expect(problemsOf({ inner })).toEqual([
      'not-json /inner/again/0: This value contains itself: it is the value at "/inner" again.',
    ]);
  });

  test("may contain the same part several times, if that does not make it enormous", () => {
    const part = { x: 1 };
    expect(open([part, part, { part }]).problems).toEqual([]);
    let laughs: unknown[] = [];
    for (let i = 0; i < 100; i++) laughs = [laughs, laughs];
    expect(problemsOf(laughs)).toHaveLength(1);
  });

  test("may be 500 levels deep and no deeper, also by repetition", () => {
    const deep = JSON.parse(nested(499)) as Json;
    expect(open([deep]).problems).toEqual([]);
    expect(open([deep, [deep]]).problems.map(({ code, pointer }) => ({ code, pointer }))).toEqual([
      { code: "too-deep", pointer: "/1/0" },
    ]);
    let deeper: unknown[] = [];
    for (let i = 0; i < 1_000_000; i++) deeper = [deeper];
    expect(open(deeper).problems.map((problem) => problem.code)).toEqual(["too-deep"]);
  });

  test("that throws when it is read is a problem, not a crash", () => {
    const value = {
      list: [
        {
          get secret(): never {
            throw new Error("not for you");
          },
        },
      ],
    };
    expect(problemsOf(value)).toEqual(["not-json /list/0/secret: This value cannot be read: not for you"]);
  });

  test("may have no prototype, or that of another realm", () => {
    const foreign = Object.assign(Object.create(Object.create(null)), { a: 1 });
    expect(open([Object.assign(Object.create(null), { a: 1 }), foreign]).problems).toEqual([]);
  });
});
