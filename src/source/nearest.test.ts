import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest } from "./nearest.ts";

describe("the nearest name", () => {
  test.each([
    ["fetch_dat", ["send", "fetch_data", "fetch"], "fetch_data"],
    ["fecth", ["fetch", "patch"], "fetch"],
    ["depends_on", ["dependencies", "dependsOn"], "dependsOn"],
    ["retry-count", ["retryCount"], "retryCount"],
    ["TOOL", ["tools", "tool"], "tool"],
    ["argumnets", ["arguments", "argument"], "arguments"],
    ["id", ["intent", "is"], "is"],
    ["ca", ["abc", "ac"], "ac"],
  ])("of %s among %j is %s", (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });

  test.each([
    ["fetch_data", ["send_mail", "reply"]],
    ["x", ["y", "z"]],
    ["", ["a"]],
    ["abc", []],
    ["_", ["-", "abc"]],
  ])("of %j among %j is none", (name, candidates) => {
    expect(nearest(name, candidates)).toBeUndefined();
  });

  test("is the first of several that are equally near", () => {
    expect(nearest("step", ["stop", "stem"])).toBe("stop");
  });

  test("of a very long name is only one that is spelt the same", () => {
    const long = "a".repeat(100_000);
    expect(nearest(`${long}b`, [`${long}c`, `${long}_B`])).toBe(`${long}_B`);
    expect(nearest(`${long}b`, [`${long}c`])).toBeUndefined();
  });

  test("is looked for among a few thousand candidates, even if there is no end of them", () => {
    function* endless() {
      for (let i = 0; ; i++) yield `other${i}`;
    }
    expect(nearest("fetch_data", endless())).toBeUndefined();
  });

  test("is found after any single typing mistake", () => {
    const names = fc.stringMatching(/^[a-z]{4,20}$/);
    fc.assert(
      fc.property(names, fc.nat(), fc.constantFrom("drop", "double", "swap", "change"), (name, n, how) => {
        const i = n % (name.length - 1);
        const [before, c, d, after] = [
          name.slice(0, i),
          name.charAt(i),
          name.charAt(i + 1),
          name.slice(i + 2),
        ];
        const mistyped = {
          drop: before + d + after,
          double: before + c + c + d + after,
          swap: before + d + c + after,
          change: `${before}9${d}${after}`,
        };
        expect(nearest(mistyped[how], ["0123456789012345678901", name])).toBe(name);
      }),
    );
  });

  test("is at most a third of the name away, by a plain count of the mistakes", () => {
    const names = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(names, fc.array(names, { maxLength: 5 }), (name, candidates) => {
        const distances = candidates.map((candidate) => plainDistance(name, candidate));
        const least = Math.min(...distances);
        const near = least <= Math.max(1, Math.floor(name.length / 3)) && least < name.length;
        expect(nearest(name, candidates)).toBe(near ? candidates[distances.indexOf(least)] : undefined);
      }),
    );
  });
});

/** The definition, without any of the shortcuts. */
function plainDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const same = a.at(-1) === b.at(-1) ? 0 : 1;
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)];
  const costs = [
    plainDistance(restA, b) + 1,
    plainDistance(a, restB) + 1,
    plainDistance(restA, restB) + same,
  ];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    costs.push(plainDistance(a.slice(0, -2), b.slice(0, -2)) + 1);
  }
  return Math.min(...costs);
}
