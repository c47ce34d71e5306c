import { describe, expect, it } from "vitest";
import type { Json } from "../../base/json.ts";
import { failureOf, resultOf } from "../fixture.ts";
import { functionTable } from "./registry.ts";
import { fromUser, type UserFunction } from "./user.ts";

function using(fn: UserFunction) {
  return { functions: functionTable([fromUser("own", fn)]) };
}

describe("functions of users", () => {
  it("are called by position, or by name where their parameters have names", () => {
    const add: UserFunction = (a, b) => Number(a) + Number(b ?? 100);
    expect(resultOf("map([1, 2], own(item, 10))", {}, {}, using(add))).toEqual([11, 12]);
    expect(failureOf("own(a=1)", {}, {}, using(add))).toContain('it has no parameter "a"');
    const named = fromUser("add", add, {
      parameters: [{ name: "a" }, { name: "b", optional: true }],
      result: "number",
    });
    const functions = functionTable([named]);
    expect(resultOf("[add(b=2, a=1), add(1)]", {}, {}, { functions })).toEqual([3, 101]);
    expect(failureOf("add()", {}, {}, { functions })).toBe('add: "a" is missing. It is used as add(a, b?).');
  });

  it("cannot change what they are given, nor later what they gave", () => {
    const kept: Json[][] = [];
    const grab = (list: Json): Json => {
      const copy = list as Json[];
      copy.push("changed");
      kept.push(copy);
      return copy;
    };
    const xs = [1];
    const made = resultOf("own(xs)", { xs }, {}, using(grab));
    kept[0]?.push("later");
    expect([xs, made]).toEqual([[1], [1, "changed"]]);
  });

  it("fail as MappingErrors, also when they give something that is not JSON", () => {
    const failing = using(() => {
      throw new RangeError("too far");
    });
    expect(failureOf("own()", {}, {}, failing)).toBe("own: too far");
    const giving = (value: unknown) =>
      failureOf(
        "own()",
        {},
        {},
        using(() => value as Json),
      );
    expect(giving(undefined)).toBe("own: it returned undefined; a JSON value is expected.");
    expect(giving(Promise.resolve(1))).toContain("a promise (functions must be synchronous)");
    expect(giving([{ at: new Date(0) }])).toContain("it returned a Date");
    expect(giving(Number.NaN)).toContain("it returned NaN");
    const circular: unknown[] = [];
    circular.push(circular);
    expect(giving(circular)).toContain("nested deeper");
  });

  it("need a name that is a name, and is not taken", () => {
    expect(() => fromUser("a b", () => 1)).toThrow("cannot be the name of a function");
    expect(() => fromUser("not", () => 1)).toThrow("cannot be the name of a function");
    expect(() => functionTable([fromUser("map", () => 1)])).toThrow(
      'There already is a function called "map"',
    );
  });
});
