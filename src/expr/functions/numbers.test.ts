import { describe, expect, it } from "vitest";
import { failureOf, resultOf } from "../fixture.ts";

const rows = [{ v: 3 }, { v: 1 }, { v: 2 }];

describe("sum and avg", () => {
  it("add items, or what a path finds in them; booleans count as 1 and 0", () => {
    expect(
      resultOf("[sum([1, 2, true]), sum(rows, item.v), sum(rows, 'item.v'), sum([])]", { rows }),
    ).toEqual([4, 6, 6, 0]);
    expect(resultOf("[avg(rows, item.v), avg([true, false]), avg([])]", { rows })).toEqual([2, 0.5, null]);
    expect(resultOf("sum(rows, max(item.v, 2))", { rows })).toBe(7);
  });

  it("refuse what is not a number", () => {
    expect(failureOf("sum(['1'])")).toBe('sum: item 0 is the text "1"; a number is expected.');
    expect(failureOf("sum([1, null])")).toBe("sum: item 1 is null; a number is expected.");
    expect(failureOf("sum(5)")).toBe('sum: "array" is the number 5; a list is expected.');
    expect(failureOf("sum([1.7e308, 1.7e308])")).toContain("too large");
  });
});

describe("min and max", () => {
  it("take a list, a list and a path, or several numbers", () => {
    expect(resultOf("[min([3, 1]), max(rows, item.v), min(rows, 'item.v'), max([])]", { rows })).toEqual([
      1,
      3,
      1,
      null,
    ]);
    expect(resultOf("[min(3, 1, 2), max(1, 5), max(4), min(2, 3, 4, 1)]")).toEqual([1, 5, 4, 1]);
    expect(resultOf("map(rows, min(item.v, 2))", { rows })).toEqual([2, 1, 2]);
  });

  it("refuse mixtures and what is not a number", () => {
    expect(failureOf("min([1], item, 2)")).toContain("give one or the other");
    expect(failureOf("max([1, true])")).toBe("max: item 1 is the boolean true; a number is expected.");
    expect(failureOf("min('a', 'b')")).toContain("a list, or several numbers");
  });
});

describe("round", () => {
  it("rounds decimals half away from zero", () => {
    expect(resultOf("[round(1.005, 2), round(2.5), round(-2.5), round(1234, -2), round(1.4, null)]")).toEqual(
      [1.01, 3, -3, 1200, 1],
    );
    expect(failureOf("round('1')")).toBe('round: "number" is the text "1"; a number is expected.');
    expect(failureOf("round(1, 0.5)")).toContain("a whole number");
  });
});
