import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { widthOf } from "../compiler.ts";
import { readAnswer } from "./ask-questions.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import { cut, renderLine } from "./styled-line.ts";
import { valueLines } from "./value-text.ts";

describe("durations", () => {
  it.each([
    [0, "0 ms"],
    [12.4, "12 ms"],
    [1_250, "1.3 s"],
    [59_960, "1 min"],
    [125_000, "2 min 5 s"],
    [12_000_000, "3 h 20 min"],
    [349_200_000, "4 d 1 h"],
  ])("%d is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    ["30d", 2_592_000_000],
    ["1.5 h", 5_400_000],
    ["90min", 5_400_000],
    ["0s", 0],
    ["soon", undefined],
    ["5", undefined],
    ["5 constructor", undefined],
  ])("%s is %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});

describe("lines", () => {
  it("are never wider than the terminal, and hold nothing that steers it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string(),
        fc.integer({ min: 1, max: 40 }),
        (a, b, columns) => {
          const text = renderLine([["red", a], b], false, columns);
          expect(widthOf(text)).toBeLessThanOrEqual(columns);
          expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        },
      ),
    );
  });

  it("keep their colours where they are cut", () => {
    expect(renderLine(["ab", ["red", "cdef"], "gh"], true, 5)).toBe("ab\u001b[31mcd…\u001b[0m");
  });

  it("count wide characters as two", () => {
    expect(cut("日本語", 5)).toBe("日本…");
  });
});

describe("values for people", () => {
  it.each([
    ["one\ntwo\n", "one\ntwo"],
    [{ a: 1, long: "x" }, "a     1\nlong  x"],
    [{ text: "a\nb", n: null }, "text\n  a\n  b\nn  null"],
    [{ list: [1, "b"], none: [], empty: {} }, 'list   [1, "b"]\nnone   []\nempty  {}'],
    [[{ a: 1, b: 2 }, "x"], "- a  1\n  b  2\n- x"],
    ["\u001b[31mred", "␛[31mred"],
  ])("%j", (value, text) => {
    expect(valueLines(value).join("\n")).toBe(text);
  });
});

describe("typed answers", () => {
  const input = (schema: object, text: string) => readAnswer({ kind: "input", schema: { ...schema } }, text);

  it("are read by the schema", () => {
    expect(input({ type: "string" }, "5")).toEqual({ value: "5" });
    expect(input({ type: "number" }, "5.5")).toEqual({ value: 5.5 });
    expect(input({ type: "boolean" }, "No")).toEqual({ value: false });
    expect(input({ type: "array" }, "[1]")).toEqual({ value: [1] });
    expect(input({ enum: ["a", 2] }, "2")).toEqual({ value: 2 });
    expect(input({}, "5")).toEqual({ value: 5 });
    expect(readAnswer({ kind: "confirmation" }, "y")).toEqual({ value: true });
  });

  it("say what would be one", () => {
    expect(input({ type: "number" }, "five")).toEqual({ problem: "A number is needed, such as 5 or 2.5." });
    expect(input({ type: "object" }, "x")).toEqual({ problem: 'JSON is needed, such as {"name": "value"}.' });
    expect(input({ enum: ["a", "b"] }, "c")).toEqual({ problem: 'It is one of "a", "b".' });
  });
});
