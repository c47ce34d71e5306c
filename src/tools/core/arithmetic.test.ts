import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArithmeticError, calculate } from "./arithmetic.ts";

const VARIABLES = new Map<string, number | number[]>([
  ["net", 19.99],
  ["n_1", 4],
  ["größe", 3],
  ["prices", [1, 2, 3.5]],
  ["none", []],
]);

test.each([
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["10 - 4 - 3", 3],
  ["8 / 4 / 2", 1],
  ["2 ^ 3 ^ 2", 512],
  ["2 ** 3", 8],
  ["-2 ^ 2", -4],
  ["(-2) ^ 2", 4],
  ["2 ^ -1", 0.5],
  ["--3", 3],
  ["+-+3", -3],
  ["7 % 3", 1],
  ["-7 % 3", -1],
  ["mod(-7, 3)", 2],
  ["1.5e3 + .5", 1500.5],
  ["1E-2", 0.01],
  ["0 * -1", 0],
  ["round(net * 1.19, 2)", 23.79],
  ["round(1.005, 2)", 1.01],
  ["round(2.5) + round(-2.5)", 0],
  ["sqrt(n_1) + größe", 5],
  ["sum(prices) + sum(none) + sum(1, prices)", 14],
  ["avg(prices, 3.5)", 2.5],
  ["min(prices) + max(prices, 9) + count(prices)", 13],
  ["abs(-3) + sign(-2) + floor(1.9) + ceil(1.1) + trunc(-1.9)", 4],
  ["ln(e) + log10(1000) + log2(8) + log(81, 3)", 11],
  ["hypot(3, 4) + cbrt(27) + pow(2, 5)", 40],
  ["round(sin(pi / 2) + cos(0) + atan2(0, 1), 9)", 2],
  ["tau / pi", 2],
])("%s is %d", (text, value) => {
  expect(calculate(text, VARIABLES)).toBeCloseTo(value, 12);
});

describe("refuses, and says why", () => {
  test.each([
    ["", "The expression is empty."],
    ["1 +", "but found the end"],
    ["1 2", `Expected an operator or the end, but found "2" at character 3`],
    ["(1", `Expected ")", but found the end`],
    ["1)", `but found ")" at character 2`],
    ["2 $ 3", `but found "$" at character 3`],
    ["1 / 0", "Division by zero"],
    ["1 % 0", "Division by zero"],
    ["10 ^ 400", "too large, or not defined"],
    ["1e999", "too large, or not defined"],
    ["sqrt(-1)", `"sqrt" in "sqrt(-1)" gives no number`],
    ["min()", "min takes at least one number, but got 0."],
    ["min(none)", "min takes at least one number, but got 0."],
    ["sqrt(1, 2)", "sqrt takes one number, but got 2."],
    ["log(5)", "log takes a number and a base (or use ln, log2, log10)"],
    ["prices + 1", `"+" needs numbers, but got a list`],
    ["-prices", `"-" needs numbers`],
    ["sqrt(prices)", "sqrt needs numbers"],
    ["prices", "The expression needs numbers"],
    ["gross", `There is no variable "gross"`],
    ["constructor", `There is no variable "constructor"`],
    ["toString()", `There is no function "toString"`],
    ["process.exit()", `but found "." at character 8`],
    ["this", `There is no variable "this"`],
    ["1; 2", `but found ";"`],
    [`${"(".repeat(300)}1${")".repeat(300)}`, "nested deeper than 200 levels"],
    ["-".repeat(5_000), "nested deeper than 200 levels"],
    ["1".repeat(10_001), "more than 10000 characters"],
  ])("%s", (text, message) => {
    expect(() => calculate(text, VARIABLES)).toThrow(ArithmeticError);
    expect(() => calculate(text, VARIABLES)).toThrow(message);
  });
});

test("long sums are no deep ones", () => {
  expect(calculate(Array.from({ length: 3_000 }, () => "1").join("+"), new Map())).toBe(3_000);
});

test("a variable wins over a constant", () => {
  expect(calculate("pi", new Map([["pi", 3]]))).toBe(3);
});

test("sums and products of numbers are what JavaScript makes of them", () => {
  const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 });
  fc.assert(
    fc.property(number, number, number, (a, b, c) => {
      const variables = new Map([
        ["a", a],
        ["b", b],
        ["c", c],
      ]);
      expect(calculate("a + b * c - a", variables)).toBe(a + b * c - a + 0);
      expect(calculate("(a - b) * -c", variables)).toBe((a - b) * -c + 0);
    }),
  );
});

test("whatever the text, it gives a finite number or an ArithmeticError", () => {
  const piece = fc.constantFrom(
    "1",
    ".",
    "e",
    "+",
    "-",
    "*",
    "/",
    "^",
    "(",
    ")",
    ",",
    "min",
    "sum",
    "prices",
    " ",
    "%",
    "x",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        expect(Number.isFinite(calculate(pieces.join(""), VARIABLES))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(ArithmeticError);
      }
    }),
  );
});
