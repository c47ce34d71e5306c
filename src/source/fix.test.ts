import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equalJson, isList, isObject, type Json } from "../base/json.ts";
import type { Edit } from "./diagnostic.ts";
import { applyEdits, applyFixes } from "./fix.ts";
import { pointerOf } from "./place.ts";

function fixed(text: string, ...edits: Edit[]): string {
  return applyFixes(text, [{ edits }]).text;
}

const PLAN = `{
  "steps": [
    {
      "tool": "a",
      "params": {}
    },
    { "tool": "b", "dependsOn": [0] }
  ]
}
`;

describe("a fix keeps the layout of the text", () => {
  test("when it adds to an object that is spread over lines", () => {
    expect(
      fixed(PLAN, { op: "add", pointer: "/steps/0", key: "policy", value: { retries: 2, on: ["x"] } }),
    ).toBe(`{
  "steps": [
    {
      "tool": "a",
      "params": {},
      "policy": {
        "retries": 2,
        "on": [
          "x"
        ]
      }
    },
    { "tool": "b", "dependsOn": [0] }
  ]
}
`);
  });

  test("when it adds to an object on one line", () => {
    const add: Edit = { op: "add", pointer: "/steps/1", key: "params", value: { q: [1, { r: 2 }] } };
    expect(fixed(PLAN, add)).toContain(
      '    { "tool": "b", "dependsOn": [0], "params": {"q": [1, {"r": 2}]} }\n',
    );
  });

  test("when it fills an empty object", () => {
    const add: Edit = { op: "add", pointer: "/steps/0/params", key: "q", value: 1 };
    expect(fixed(PLAN, add, { ...add, key: "r" })).toContain(`
      "params": {
        "q": 1,
        "r": 1
      }
    },`);
    expect(fixed("{}", { op: "add", pointer: "", key: "q", value: 1 })).toBe('{"q": 1}');
  });

  test("when it adds to a list, anywhere", () => {
    const add = (key: string): Edit => ({ op: "add", pointer: "", key, value: 0 });
    expect(fixed("[1, 2]", add("0"), add("1"), add("2"), add("-"))).toBe("[0, 1, 0, 2, 0, 0]");
    expect(fixed("[\n\t1\n]", add("1"))).toBe("[\n\t1,\n\t0\n]");
    expect(fixed("[1]", add("2"))).toBe("[1]");
  });

  test("when it removes entries, with the right comma", () => {
    const remove = (...pointers: string[]) => pointers.map((pointer): Edit => ({ op: "remove", pointer }));
    expect(fixed("[1, 2, 3]", ...remove("/0"))).toBe("[2, 3]");
    expect(fixed("[1, 2, 3]", ...remove("/1"))).toBe("[1, 3]");
    expect(fixed("[1, 2, 3]", ...remove("/2"))).toBe("[1, 2]");
    expect(fixed("[1, 2, 3]", ...remove("/0", "/2"))).toBe("[2]");
    expect(fixed("[ 1, 2, 3 ]", ...remove("/2", "/0", "/1"))).toBe("[]");
    expect(fixed('{\n  "a": 1,\n  "b": 2\n}', ...remove("/b"))).toBe('{\n  "a": 1\n}');
    expect(fixed('{\n  "a": 1,\n  "b": 2\n}', ...remove("/a"))).toBe('{\n  "b": 2\n}');
  });

  test("when it replaces, renames and adds at once", () => {
    const text = '{\r\n\t"a": 1,\r\n\t"b": 2\r\n}';
    const edits: Edit[] = [
      { op: "replace", pointer: "/a", value: { x: 1 } },
      { op: "rename", pointer: "/a", key: 'c"' },
      { op: "remove", pointer: "/b" },
      { op: "add", pointer: "", key: "b", value: [] },
    ];
    expect(fixed(text, ...edits)).toBe('{\r\n\t"c\\"": {\r\n\t\t"x": 1\r\n\t},\r\n\t"b": []\r\n}');
  });

  test("when the text is minified", () => {
    const add: Edit = { op: "add", pointer: "/a", key: "c", value: { d: [1, 2] } };
    expect(fixed('{"a":{"b":1},"e":2}', add)).toBe('{"a":{"b":1,"c":{"d":[1,2]}},"e":2}');
  });

  test("when it changes characters of a string that has escapes", () => {
    const text = String.raw`{"q": "\u00e9\"{{a.b}}\" \n{{c}}"}`;
    const edits: Edit[] = [
      { op: "splice", pointer: "/q", from: 13, to: 14, text: 'd"' },
      { op: "splice", pointer: "/q", from: 5, to: 6, text: "a.result\n" },
    ];
    expect(JSON.parse(text)).toEqual({ q: 'é"{{a.b}}" \n{{c}}' });
    const value = { q: 'é"{{a.b}}" \n{{c}}' };
    expect(JSON.parse(fixed(text, ...edits))).toEqual(applyEdits(value, edits));
    expect(fixed(text, ...edits)).toContain(String.raw`"\u00e9\"{`);
  });

  test("and its byte order mark", () => {
    expect(fixed("\ufeff[1]", { op: "replace", pointer: "/0", value: 2 })).toBe("\ufeff[2]");
  });
});

describe("a fix is skipped", () => {
  const replace = (pointer: string, value: Json): { edits: Edit[] } => ({
    edits: [{ op: "replace", pointer, value }],
  });

  test("as a whole, where it overlaps one before it", () => {
    const both: Edit[] = [
      { op: "replace", pointer: "/b", value: 3 },
      { op: "remove", pointer: "/a/0" },
    ];
    const result = applyFixes('{"a":[1],"b":2}', [replace("/a", 0), { edits: both }, replace("/b", 4)]);
    expect(result).toEqual({ text: '{"a":0,"b":4}', applied: 2, skipped: 1 });
  });

  test("where what it is about is not there, or is not what it expects", () => {
    const edits: Edit[] = [
      { op: "replace", pointer: "/x", value: 1 },
      { op: "replace", pointer: "no pointer", value: 1 },
      { op: "replace", pointer: "/a/01", value: 1 },
      { op: "remove", pointer: "" },
      { op: "rename", pointer: "/a/0", key: "b" },
      { op: "add", pointer: "/s", key: "b", value: 1 },
      { op: "splice", pointer: "/a", from: 0, to: 0, text: "" },
      { op: "splice", pointer: "/s", from: 2, to: 9, text: "" },
      { op: "replace", pointer: "/toString", value: 1 },
    ];
    const text = '{"a": [1], "s": "xyz"}';
    expect(
      applyFixes(
        text,
        edits.map((edit) => ({ edits: [edit] })),
      ),
    ).toEqual({ text, applied: 0, skipped: 9 });
  });

  test("where an object would get a key twice", () => {
    const text = '{"a": 1, "b": 2}';
    expect(fixed(text, { op: "rename", pointer: "/a", key: "b" })).toBe(text);
    expect(fixed(text, { op: "add", pointer: "", key: "b", value: 3 })).toBe(text);
    const swap: Edit[] = [
      { op: "rename", pointer: "/a", key: "b" },
      { op: "rename", pointer: "/b", key: "a" },
    ];
    expect(fixed(text, ...swap)).toBe('{"b": 1, "a": 2}');
    const add: Edit = { op: "add", pointer: "", key: "c", value: 3 };
    expect(applyFixes(text, [{ edits: [add] }, { edits: [add] }])).toMatchObject({ applied: 1, skipped: 1 });
  });

  test("where the text is not JSON", () => {
    expect(applyFixes("{", [replace("", 1)])).toEqual({ text: "{", applied: 0, skipped: 1 });
  });
});

test("several fixes may add to the same object and change the same string", () => {
  const fixes: { edits: Edit[] }[] = [
    { edits: [{ op: "add", pointer: "", key: "b", value: 1 }] },
    { edits: [{ op: "add", pointer: "", key: "c", value: 2 }] },
    { edits: [{ op: "splice", pointer: "/a", from: 2, to: 3, text: "C" }] },
    { edits: [{ op: "splice", pointer: "/a", from: 0, to: 1, text: "A" }] },
  ];
  expect(applyFixes('{"a": "abc"}', fixes)).toEqual({
    text: '{"a": "AbC", "b": 1, "c": 2}',
    applied: 4,
    skipped: 0,
  });
});

test("every occurrence of a repeated key goes, since the value has only one", () => {
  expect(fixed('{"a": {"x": 1}, "b": 1, "a": 2}', { op: "remove", pointer: "/a" })).toBe('{"b": 1}');
  expect(fixed('{"a": [0], "a": {"x": 1}}', { op: "replace", pointer: "/a/x", value: 2 })).toBe(
    '{"a": [0], "a": {"x": 2}}',
  );
});

describe("fixing the text and fixing the value", () => {
  const keys = fc.constantFrom("a", "b", "c", "__proto__", "0", "x/y", "~", "é\n");
  const leaves = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('é"\\', "\ud83d\ude00x"),
  );
  const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaves,
      fc.array(tie("value"), { maxLength: 4 }),
      fc
        .uniqueArray(fc.tuple(keys, tie("value")), { maxLength: 4, selector: ([key]) => key })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));
  const rawEdits = fc.array(
    fc.record({
      op: fc.nat(4),
      at: fc.nat(),
      key: fc.oneof(keys, fc.constant("-")),
      value: values,
      from: fc.nat(6),
      to: fc.nat(6),
    }),
    { maxLength: 6 },
  );
  const layouts = fc.constantFrom<string | number | undefined>(undefined, 2, "\t");

  function pointersIn(value: Json, path: (string | number)[] = []): string[] {
    const children: [string | number, Json][] = isList(value)
      ? [...value.entries()]
      : isObject(value)
        ? Object.entries(value)
        : [];
    return [pointerOf(path), ...children.flatMap(([key, child]) => pointersIn(child, [...path, key]))];
  }

  function editOf(
    raw: { op: number; at: number; key: string; value: Json; from: number; to: number },
    pointers: string[],
  ): Edit {
    const pointer = pointers[raw.at % pointers.length] ?? "";
    switch (raw.op) {
      case 0:
        return { op: "replace", pointer, value: raw.value };
      case 1:
        return { op: "add", pointer, key: raw.key, value: raw.value };
      case 2:
        return { op: "remove", pointer };
      case 3:
        return { op: "rename", pointer, key: raw.key };
      default:
        return {
          op: "splice",
          pointer,
          from: Math.min(raw.from, raw.to),
          to: Math.max(raw.from, raw.to),
          text: raw.key,
        };
    }
  }

  test("give the same, for any document, layout and edits", () => {
    let applied = 0;
    fc.assert(
      fc.property(values, layouts, fc.boolean(), rawEdits, (value, layout, spaced, raws) => {
        const printed = JSON.stringify(value, null, layout);
        const text = spaced ? printed.replaceAll("\n", " \r\n ") : printed;
        const pointers = pointersIn(value);
        const edits = raws.map((raw) => editOf(raw, pointers));
        const before = JSON.stringify(value);
        const result = applyFixes(text, [{ edits }]);
        applied += result.applied;
        expect(equalJson(JSON.parse(result.text) as Json, applyEdits(value, edits))).toBe(true);
        expect(JSON.stringify(value)).toBe(before);
      }),
      { numRuns: 2000 },
    );
    expect(applied).toBeGreaterThan(200);
  });

  test("leaves JSON behind, however the fixes collide", () => {
    fc.assert(
      fc.property(values, layouts, rawEdits, (value, layout, raws) => {
        const pointers = pointersIn(value);
        const fixes = raws.map((raw) => ({ edits: [editOf(raw, pointers)] }));
        const result = applyFixes(JSON.stringify(value, null, layout), fixes);
        expect(result.applied + result.skipped).toBe(fixes.length);
        expect(() => JSON.parse(result.text)).not.toThrow();
        if (result.applied === 0) expect(result.text).toBe(JSON.stringify(value, null, layout));
      }),
      { numRuns: 2000 },
    );
  });
});
