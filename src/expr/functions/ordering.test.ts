import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalJson, type Json } from "../../base/json.ts";
import { failureOf, resultOf } from "../fixture.ts";

describe("sort", () => {
  const rows = [
    { n: 2, s: "b", id: 1 },
    { n: null, s: "a", id: 2 },
    { n: 1, s: "b", id: 3 },
    { n: 2, s: "a", id: 4 },
  ];

  it("is stable in both directions, with nulls last", () => {
    expect(resultOf("map(sort(rows, item.n), item.id)", { rows })).toEqual([3, 1, 4, 2]);
    expect(resultOf("map(sort(rows, item.n, 'desc'), item.id)", { rows })).toEqual([1, 4, 3, 2]);
    expect(resultOf('map(sort(rows, "item.s"), item.id)', { rows })).toEqual([2, 4, 1, 3]);
  });

  it("sorts items themselves without a key", () => {
    expect(resultOf("sort([10, 9, 1])")).toEqual([1, 9, 10]);
    expect(resultOf("sort(['b', 'a', null], null, 'desc')")).toEqual(["b", "a", null]);
    expect(resultOf("sort(array=[true, false], direction=null)")).toEqual([false, true]);
  });

  it("refuses what has no order", () => {
    expect(failureOf("sort([1, 'a'])")).toBe(
      'sort: the keys are of different types: the number 1, and at item 1 the text "a".',
    );
    expect(failureOf("sort([{}])")).toContain("the key of item 0 is an object, which has no order");
    expect(failureOf("sort([1], null, 'up')")).toContain('"asc" or "desc" is expected');
    expect(failureOf("sort(rows, item.x)", { rows })).toContain("sort, item 0: Attribute not found");
  });

  it("does not change its input", () => {
    const xs = [3, 1, 2];
    resultOf("sort(xs)", { xs });
    expect(xs).toEqual([3, 1, 2]);
  });
});

describe("group_by", () => {
  it("lists the items under each key as text, in the order they come", () => {
    const rows = [{ k: "b" }, { k: "a" }, { k: 1 }, { k: null }, { k: "b", again: true }];
    const groups = resultOf("group_by(rows, item.k)", { rows });
    expect(groups).toEqual({ b: [rows[0], rows[4]], a: [rows[1]], "1": [rows[2]], null: [rows[3]] });
    expect(resultOf('keys(group_by(rows, "item.k"))', { rows: rows.slice(0, 2) })).toEqual(["b", "a"]);
  });

  it("takes any key, __proto__ too", () => {
    const groups = resultOf("group_by(['__proto__'], item)");
    expect(Object.entries(groups as object)).toEqual([["__proto__", ["__proto__"]]]);
  });
});

describe("unique", () => {
  it("keeps the first of equal items, by a key where one is given", () => {
    expect(resultOf("unique([1, '1', 1, true, {a: 1, b: 2}, {b: 2, a: 1}])")).toEqual([
      1,
      "1",
      true,
      { a: 1, b: 2 },
    ]);
    expect(resultOf("unique([{a: 1, b: 1}, {a: 1, b: 2}], item.a)")).toEqual([{ a: 1, b: 1 }]);
  });

  it("leaves no two equal items and loses none", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 1 })), (list) => {
        const xs = list as Json[];
        const kept = resultOf("unique(xs)", { xs }) as Json[];
        expect(kept.every((a, i) => kept.every((b, j) => i === j || !equalJson(a, b)))).toBe(true);
        expect(xs.every((a) => kept.some((b) => equalJson(a, b)))).toBe(true);
      }),
    );
  });
});
