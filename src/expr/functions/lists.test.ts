import { describe, expect, it } from "vitest";
import { failureOf, resultOf } from "../fixture.ts";

const users = [
  { name: "Ann", age: 31, tags: ["x"] },
  { name: "Bob", age: 17, tags: [] },
  { name: "Cy", age: 64 },
];

describe("map", () => {
  it("fills a template for each item", () => {
    expect(resultOf("map(users, {who: item.name, kind: 'user', n: index})", { users })).toEqual([
      { who: "Ann", kind: "user", n: 0 },
      { who: "Bob", kind: "user", n: 1 },
      { who: "Cy", kind: "user", n: 2 },
    ]);
    expect(resultOf('map(array=users, template="upper(item.name)")', { users })).toEqual([
      "ANN",
      "BOB",
      "CY",
    ]);
    expect(resultOf("map([], item.x)")).toEqual([]);
    expect(resultOf("map([1, 2], null)")).toEqual([null, null]);
    expect(failureOf("map(users.first, item)", { users })).toBe(
      'map: "array" is an object; a list is expected.',
    );
  });
});

describe("filter", () => {
  it("keeps the items for which the condition holds, quoted or not", () => {
    expect(resultOf("map(filter(users, item.age >= 18 and not item.tags), item.name)", { users })).toEqual([
      "Cy",
    ]);
    expect(resultOf(`map(filter(users, "item.name == 'Bob' or index == 0"), item.name)`, { users })).toEqual([
      "Ann",
      "Bob",
    ]);
    expect(resultOf("filter(array=users, condition_string=item.tags)", { users })).toEqual([users[0]]);
    expect(failureOf("filter(null, item)")).toBe('filter: "array" is null; a list is expected.');
  });
});

describe("flatten, length, first, last", () => {
  it("flattens one level", () => {
    expect(resultOf("flatten([[1, [2]], 3, []])")).toEqual([1, [2], 3]);
  });

  it("counts items, keys and characters", () => {
    expect(resultOf("[length(users), length(users.first), length('a😀'), length([])]", { users })).toEqual([
      3, 3, 2, 0,
    ]);
    expect(failureOf("length(5)")).toContain("a list, an object or a string is expected");
  });

  it("gives null for the ends of an empty list", () => {
    expect(resultOf("[first([1, 2]), last([1, 2]), first([]), last([])]")).toEqual([1, 2, null, null]);
  });
});
