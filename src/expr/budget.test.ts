import { describe, expect, it } from "vitest";
import { Budget } from "./budget.ts";
import { failureOf, resultOf } from "./fixture.ts";

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);
const doublings = (n: number) => Array.from({ length: n }, () => "[current, current]").join(", ");

describe("budget", () => {
  it("ends evaluations that take too many steps", () => {
    expect(resultOf("map(xs, item)", { xs: numbers(100_000) })).toHaveLength(100_000);
    expect(failureOf("map(xs, map(xs, 1))", { xs: numbers(2000) })).toContain("more than 1000000 steps");
    expect(failureOf("map(xs, xs.*)", { xs: numbers(2000) })).toContain("more than 1000000 steps");
    expect(failureOf("map(xs, REF:a.*)", { xs: numbers(2000) }, { a: numbers(2000) })).toContain("steps");
    expect(failureOf("map(xs, max(xs))", { xs: numbers(2000) })).toContain("steps");
  });

  it("ends a text that doubles, before it is built", () => {
    const operations = Array.from({ length: 60 }, () => "join([current, current])").join(", ");
    expect(failureOf(`pipeline("abcdefgh", [${operations}])`)).toContain("bytes of data");
    expect(
      failureOf("join(map(xs, text), text)", { xs: numbers(1000), text: "x".repeat(100_000) }),
    ).toContain("bytes of data");
  });

  it.each([
    "current",
    "join(current)",
    "unique(current)",
    "[current] == [[current]]",
    "current.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*",
  ])("ends where a small expression describes a huge value: %s", (last) => {
    expect(failureOf(`pipeline("x", [${doublings(60)}, ${last}])`)).toMatch(/steps|bytes of data/);
  });

  it("refuses values too deep for others to walk", () => {
    const operations = Array.from({ length: 5000 }, () => "[current]").join(", ");
    expect(failureOf(`pipeline(1, [${operations}])`)).toContain("nested deeper");
    expect(failureOf(`pipeline(1, [${operations}, unique(current)])`)).toContain("nested deeper");
    expect(failureOf("json_parse(text)", { text: `${"[".repeat(100_000)}${"]".repeat(100_000)}` })).toContain(
      "nested deeper",
    );
  });

  it("can be set, and is shared by the evaluations that are given it", () => {
    const budget = new Budget({ stepsMax: 10, sizeMax: 100 });
    expect(resultOf("[1, 2, 3]", {}, {}, { budget })).toEqual([1, 2, 3]);
    expect(resultOf("[1, 2, 3]", {}, {}, { budget })).toEqual([1, 2, 3]);
    expect(failureOf("[1, 2, 3]", {}, {}, { budget })).toContain("more than 10 steps");
  });

  it("does not count what is only looked up", () => {
    const budget = new Budget({ stepsMax: 10, sizeMax: 100 });
    expect(resultOf("text", { text: "x".repeat(1000) }, {}, { budget })).toHaveLength(1000);
  });
});
