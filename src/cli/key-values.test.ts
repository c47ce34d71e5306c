import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAssignments, readValue } from "./key-values.ts";

describe("k=v", () => {
  it.each([
    ["5", 5],
    ["-2.5e3", -2500],
    ["true", true],
    ["null", null],
    ['"5"', "5"],
    ['{"a": [1]}', { a: [1] }],
    ["Sarah", "Sarah"],
    ["", ""],
    ["007", "007"],
    ["a=b", "a=b"],
    ["{broken", "{broken"],
    ["12345678901234567890", "12345678901234567890"],
  ])("reads %s as %j", (text, value) => {
    expect(readValue(text)).toEqual(value);
  });

  it("gives every JSON value back", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(readValue(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("splits at the first equals sign; a later one with the same name wins", () => {
    expect(readAssignments(["a=b=c", "n=1", "n=2"], "--arg")).toEqual({ a: "b=c", n: 2 });
  });

  it("never reaches the prototype", () => {
    const values = readAssignments(["__proto__=1"], "--arg");
    expect(Object.keys(values)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });

  it.each(["a", "=a", ""])("refuses %j", (text) => {
    expect(() => readAssignments([text], "--arg")).toThrow("--arg takes name=value");
  });
});
