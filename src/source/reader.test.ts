import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPositions } from "./positions.ts";
import { applyTextEdits } from "./text-edits.ts";

function repaired(text: string): string {
  const groups = readPositions(text).problems.flatMap((problem) =>
    problem.textEdits ? [problem.textEdits] : [],
  );
  return applyTextEdits(text, groups).text;
}

function said(text: string): string[] {
  return readPositions(text).problems.map(
    (problem) => `${problem.from}-${problem.to} ${problem.pointer} ${problem.message}`,
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("broken JSON is repaired where the repair is obvious", () => {
  test.each([
    ["a comma before the end", '{"a": [1, 2,],}', '{"a": [1, 2]}'],
    ["missing commas", '{"a": 1\n "b": [1 2]}', '{"a": 1,\n "b": [1, 2]}'],
    ["commas too many", "[,1,,2]", "[1,2]"],
    ["semicolons and equals signs", '{"a" = 1; "b" => 2}', '{"a" : 1, "b" : 2}'],
    ["a missing colon", '{"a" 1}', '{"a": 1}'],
    ["single quotes", String.raw`{'a': 'it\'s "x"'}`, String.raw`{"a": "it's \"x\""}`],
    ["typographic quotes", "[“x”, ‘y’, `z`]", '["x", "y", "z"]'],
    ["comments", '{"a": 1, // one\n # two\n "b": /* three */ 2}', '{"a": 1, \n \n "b":  2}'],
    ["keys without quotes", "{a: 1, $b-c: 2, 3: 4, é: 5}", '{"a": 1, "$b-c": 2, "3": 4, "é": 5}'],
    [
      "words of other languages",
      "[True, FALSE, None, nil, undefined, NaN, -Infinity]",
      "[true, false, null, null, null, null, null]",
    ],
    ["text without quotes", '{"a": hello world, "b": x}', '{"a": "hello world", "b": "x"}'],
    ["odd numbers", "[.5, +1, 0x1F, 1_000, 5., 2024-01-31]", '[0.5, 1, 31, 1000, 5, "2024-01-31"]'],
    ["missing closing brackets at the end", '{"a": [{"b": 1', '{"a": [{"b": 1}]}'],
    ["a missing closing bracket inside", '{"a": [1, 2}', '{"a": [1, 2]}'],
    ["the wrong closing bracket", "[1, 2}", "[1, 2]"],
    ["a closing bracket too many", '{"a": 1}}', '{"a": 1}'],
    ["a string that ends with its line", '{"a": "hello,\n "b": "x\n}', '{"a": "hello",\n "b": "x"\n}'],
    ["a string that ends with the text", '{"a": ["x]}', '{"a": ["x"]}'],
    ["a key that is not closed", '{"a: 1, \n"b": 2}', '{"a": 1, \n"b": 2}'],
    ["a key whose closing quote is missing before a string", '{"a: "x", "b": 2}', '{"a": "x", "b": 2}'],
    [
      "quotes inside a string",
      '{"a": "say "hi" to me", "b": 1}',
      String.raw`{"a": "say \"hi\" to me", "b": 1}`,
    ],
    ["line breaks and tabs in a string", '["one\r\ntwo\tthree"]', String.raw`["one\ntwo\tthree"]`],
    ["escapes that do not exist", String.raw`["\d+", "it\'s"]`, String.raw`["\\d+", "it's"]`],
    ["spaces that are none", '{"a":\u00a01}', '{"a": 1}'],
    ["a Markdown fence", '```json\n{"a": 1}\n```\n', '{"a": 1}\n'],
    ["a model's talk around it", "Here is the plan:\n\n[1]\n\nGood luck!", "[1]"],
    ["the same entry twice", '{"a": 1, "b": 2, "a": 1}', '{"a": 1, "b": 2}'],
  ])("%s", (_, broken, whole) => {
    expect(repaired(broken)).toBe(whole);
    expect(isJson(whole)).toBe(true);
  });
});

describe("broken JSON is told", () => {
  test("all of it at once, each at its place", () => {
    expect(said('{\n  a: True,\n  "b": [1 2,],\n  "c": \'x\'\n')).toEqual([
      "4-5  The key a needs double quotes.",
      "7-11 /a True is not JSON.",
      "22-22 /b A comma is missing here.",
      '24-25 /b There is a comma before "]".',
      "35-38 /c Strings stand in double quotes, not in single quotes.",
      '38-38  The text ends too early: "}" is missing.',
    ]);
  });

  test.each([
    ["", "0-0  The text is empty; a plan is a JSON object or list."],
    [" \n", "2-2  The text is empty; a plan is a JSON object or list."],
    ['{"a"}', '1-4 /a "a" stands in an object without a value.'],
    ['{"a": }', '5-5 /a The key "a" has no value.'],
    ['{"a":', '5-5 /a The text ends too early: "}" is missing.'],
    ["[007]", "1-4 /0 007 is not a number in JSON."],
    ['["a": 1]', "4-5  A list has no keys."],
    ['{{"a": 1}}', '1-2  A key in double quotes was expected, and "{" found.'],
    ["[1, ...]", '4-7 /1 "..." cannot stand here.'],
    ["[1] [2]", "4-7  The JSON ends on line 1; there is more text after it."],
    ['{"a": 1, "a": 2}', '9-12 /a The key "a" stands twice in this object; only the last would count.'],
  ])("%j, where a person decides on the repair", (text, message) => {
    expect(said(text)[0]).toBe(message);
    expect(readPositions(text).problems[0]?.textEdits).toBeUndefined();
  });

  test("a hundred problems are enough", () => {
    expect(readPositions("[,".repeat(10_000)).problems).toHaveLength(100);
  });
});

describe("the reader and JSON.parse", () => {
  const pieces = fc.constantFrom(
    ..."{}[],:\"'\\/#*=;-+.\n\r\t 019aeE_éx😀\u00a0\ufeff",
    ...["true", "null", "None", '"a"', '"b":', "1.5", "//", "/*", "\\u00e9", "\\ud83d", "```", "“"],
  );

  test("agree on what is JSON", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const problems = readPositions(text).problems.filter((problem) => problem.code === "json-syntax");
        // At the very beginning of a file a byte order mark is no mistake.
        expect(problems.length === 0).toBe(isJson(text.replace(/^\ufeff/, "")));
      }),
      { numRuns: 3000 },
    );
  });

  test("agree on texts that are JSON but for one character", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), pieces, fc.nat(3), (json, n, piece, cut) => {
        const at = n % (json.length + 1);
        const text = json.slice(0, at) + piece + json.slice(at + cut);
        const { problems } = readPositions(text);
        expect(problems.every((problem) => problem.code === "duplicate-key")).toBe(
          isJson(text.replace(/^\ufeff/, "")),
        );
        for (const { from, to } of problems) expect(0 <= from && from <= to && to <= text.length).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
