import { describe, expect, it } from "vitest";
import { failureOf, resultOf } from "../fixture.ts";

const user = { name: "Ann", address: { cities: ["Rome", "Oslo"] }, "a.b": 1 };

describe("get_object_property", () => {
  it("follows a path that is only known at run time", () => {
    expect(resultOf("get_object_property(user, 'address.cities[1]')", { user })).toBe("Oslo");
    expect(resultOf("get_object_property(obj=user, property_path=which)", { user, which: "name" })).toBe(
      "Ann",
    );
    expect(resultOf(`get_object_property(user, '["a.b"]')`, { user })).toBe(1);
    expect(resultOf("get_object_property([{a: 1}, {a: 2}], '[*].a')")).toEqual([1, 2]);
  });

  it("says what is missing or malformed", () => {
    expect(failureOf("get_object_property(user, 'nme')", { user })).toContain(
      'get_object_property: Attribute not found: the value has no key "nme" (it has name, address, a.b)',
    );
    expect(failureOf("get_object_property(user, 'a..b')", { user })).toContain("is not a path");
    expect(failureOf("get_object_property('x', 'length')")).toContain("an object or a list is expected");
    expect(failureOf("get_object_property(user, '__proto__')", { user })).toContain("Attribute not found");
  });
});

describe("json_parse", () => {
  it("reads JSON and nothing else", () => {
    expect(resultOf(`json_parse('{"a": [1, null]}')`)).toEqual({ a: [1, null] });
    expect(failureOf("json_parse('{a: 1}')")).toContain("which is not JSON");
    expect(failureOf("json_parse({a: 1})")).toBe(
      'json_parse: "json_string" is an object; a string is expected.',
    );
    expect(failureOf("json_parse('[1e999]')")).toContain("too large");
  });
});

describe("create_object", () => {
  it("takes names, or keys and values in turn", () => {
    expect(resultOf("create_object(id=user.name, n=[1])", { user })).toEqual({ id: "Ann", n: [1] });
    expect(resultOf("create_object('a b', 1, key, 2, c=3)", { key: "k" })).toEqual({ "a b": 1, k: 2, c: 3 });
    expect(resultOf("create_object()")).toEqual({});
    expect(Object.keys(resultOf("create_object('__proto__', 1)") as object)).toEqual(["__proto__"]);
    expect(failureOf("create_object(1, 2)")).toContain(
      "argument 1, a key, is the number 1; a string is expected",
    );
  });
});

describe("keys and values", () => {
  it("list what an object has", () => {
    expect(resultOf("[keys({b: 1, a: 2}), values({b: 1, a: 2})]")).toEqual([
      ["b", "a"],
      [1, 2],
    ]);
    expect(failureOf("keys([1])")).toBe('keys: "obj" is a list; an object is expected.');
  });
});
