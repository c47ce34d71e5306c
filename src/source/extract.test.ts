import { describe, expect, test } from "vitest";
import { extractJson } from "./extract.ts";

const parsed = (answer: string) => {
  const found = extractJson(answer);
  return found && (JSON.parse(found.text) as unknown);
};

describe("the JSON of an answer", () => {
  test.each([
    ["plain", `[{"a": 1}]`],
    ["in a fence", '```json\n[{"a": 1}]\n```'],
    ["in a fence without an end", '```json\n[{"a": 1}]'],
    ["in prose with brackets", `Use [1] or {x}: [{"a": 1}], as said.`],
    ["the longest of several fences", "```\n[1]\n```\nor better\n```js\n[{a: 1}]\n```"],
    ["after thoughts", `<think>[{"b": 2, "c": 3, "d": 4}]</think>[{"a": 1}]`],
    ["with comments, single quotes and a trailing comma", "[{'a': 1, /* one */},] // done"],
  ])("%s", (_, answer) => {
    expect(parsed(answer)).toEqual([{ a: 1 }]);
    expect(extractJson(answer)?.isCut).toBe(false);
  });

  test("with two slashes in a text is not cut", () => {
    expect(extractJson(`[{"url": "https://example.org"}]`)?.isCut).toBe(false);
  });

  test("cut off, it is closed, and known to be cut", () => {
    expect(parsed(`Here: [{"a": 1}, {"b": "tw`)).toEqual([{ a: 1 }, { b: "tw" }]);
    expect(extractJson(`[{"a": 1}, {"b": "tw`)?.isCut).toBe(true);
  });

  test.each(["", "No.", "42", '"text"', "<think>[1]</think>"])("is none in %j", (answer) => {
    expect(extractJson(answer)).toBeUndefined();
  });

  test("is looked for in time that grows with the text", () => {
    expect(extractJson("[".repeat(20_000))).toBeUndefined();
    expect(extractJson("{".repeat(20_000) + "```".repeat(5_000))).toBeUndefined();
  });
});
