import { describe, expect, it } from "vitest";
import { failureOf, resultOf } from "../fixture.ts";

describe("join", () => {
  it("takes strings, names of objects, and JSON of anything else", () => {
    const xs = ["a", { name: "n" }, { name: 5 }, { name: null }, { id: 1 }, 2, null, true, ["x"]];
    expect(resultOf("join(xs, '|')", { xs })).toBe('a|n|5|null|{"id":1}|2|null|true|["x"]');
    expect(resultOf("join(['a', 'b'])")).toBe("ab");
    expect(resultOf("join(array=['a', 'b'], separator=null)")).toBe("ab");
    expect(resultOf("join([], ', ')")).toBe("");
  });

  it("refuses other arguments", () => {
    expect(failureOf("join('abc', ',')")).toBe('join: "array" is the text "abc"; a list is expected.');
    expect(failureOf("join([], 1)")).toBe('join: "separator" is the number 1; a string is expected.');
  });
});

describe("lower, upper, trim, split", () => {
  it("change text", () => {
    expect(resultOf("[lower('ÄB'), upper('äb'), trim('  a b\n')]")).toEqual(["äb", "ÄB", "a b"]);
    expect(failureOf("lower(null)")).toBe('lower: "text" is null; a string is expected.');
  });

  it("split at a separator, at white space, or into characters", () => {
    expect(resultOf("split('a,b,,c', ',')")).toEqual(["a", "b", "", "c"]);
    expect(resultOf("split('  a b\n c ')")).toEqual(["a", "b", "c"]);
    expect(resultOf("split('a😀', '')")).toEqual(["a", "😀"]);
    expect(resultOf("split('', ',')")).toEqual([""]);
  });
});
