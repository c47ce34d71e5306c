import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equalJson, isList, isObject, type Json } from "../base/json.ts";
import { lineAt } from "./lines.ts";
import type { SourceDocument } from "./place.ts";
import { lineColumn, locate, type PositionNode, readPositions } from "./positions.ts";

function documentOf(text: string): SourceDocument {
  return { file: undefined, text, value: JSON.parse(text) as Json };
}

/** Every value of a document with the keys that lead to it. */
function* everyValue(value: Json, keys: (string | number)[] = []): Generator<[(string | number)[], Json]> {
  yield [keys, value];
  if (isList(value)) for (const [i, item] of value.entries()) yield* everyValue(item, [...keys, i]);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) yield* everyValue(item, [...keys, key]);
}

function sliceAt(text: string, node: PositionNode | undefined): Json {
  expect(node).toBeDefined();
  return JSON.parse(text.slice(node?.start, node?.end)) as Json;
}

const layouts = fc.constantFrom<string | number | undefined>(undefined, 2, "\t");

describe("positions", () => {
  test("the text at the position of every value is that value, in any layout", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), layouts, fc.boolean(), (json, layout, windows) => {
        const printed = JSON.stringify(json, null, layout);
        const text = windows ? printed.replaceAll("\n", "\r\n") : printed;
        const document = documentOf(text);
        for (const [keys, value] of everyValue(document.value)) {
          const node = locate(document, keys);
          expect(equalJson(sliceAt(text, node), value)).toBe(true);
          const key = keys.at(-1);
          if (typeof key === "string") {
            expect(JSON.parse(text.slice(node?.keyStart, node?.keyEnd))).toBe(key);
          } else {
            expect(node?.keyStart).toBe(-1);
          }
        }
      }),
    );
  });

  test("a valid text has no problems", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readPositions(text).problems).toEqual([]);
      }),
    );
  });

  test("keys are found decoded, and those of the prototype only where they are own", () => {
    const document = documentOf(String.raw`{"\u0061\"b": 1, "__proto__": {"constructor": 2}}`);
    expect(sliceAt(document.text ?? "", locate(document, ['a"b']))).toBe(1);
    expect(sliceAt(document.text ?? "", locate(document, ["__proto__", "constructor"]))).toBe(2);
    expect(locate(document, ["constructor"])).toBeUndefined();
    expect(locate(document, ["__proto__", "toString"])).toBeUndefined();
  });

  test("of a repeated key the last counts, as in JSON.parse", () => {
    const document = documentOf('{"a": 1, "b": 2, "a": 3}');
    expect(sliceAt(document.text ?? "", locate(document, ["a"]))).toBe(3);
  });

  test("an index is a number and a key of a list is not", () => {
    const document = documentOf("[10, 11]");
    expect(locate(document, [1])?.start).toBe(5);
    expect(locate(document, ["1"])).toBeUndefined();
    expect(locate(document, [2])).toBeUndefined();
  });

  test("a document is read once, however often it is asked", () => {
    const document = documentOf("[1]");
    expect(locate(document, [0])).toBe(locate(document, [0]));
  });

  test("without a text there are no positions", () => {
    expect(locate({ file: undefined, text: undefined, value: [1] }, [0])).toBeUndefined();
  });

  test("a megabyte of opening brackets neither overflows the stack nor takes a node each", () => {
    const { root, problems } = readPositions("[".repeat(1_000_000));
    expect(root?.end).toBe(1_000_000);
    expect(problems.map((problem) => [problem.code, problem.from])).toEqual([
      ["too-deep", 500],
      ["json-syntax", 1_000_000],
    ]);
  });
});

describe("lines and columns", () => {
  test("count from 1, in UTF-16 code units, over all kinds of line ends", () => {
    const text = "a\r\nb😀c\nd\re";
    const at = (character: string) => lineColumn(text, text.indexOf(character));
    expect(at("a")).toEqual({ line: 1, column: 1 });
    expect(at("b")).toEqual({ line: 2, column: 1 });
    expect(at("c")).toEqual({ line: 2, column: 4 });
    expect(at("d")).toEqual({ line: 3, column: 1 });
    expect(at("e")).toEqual({ line: 4, column: 1 });
    expect(lineColumn(text, text.length)).toEqual({ line: 4, column: 2 });
  });

  test("a byte order mark takes no column", () => {
    expect(lineColumn('\ufeff{"a": 1}', 1)).toEqual({ line: 1, column: 1 });
    expect(lineColumn('\ufeff{"a": 1}', 0)).toEqual({ line: 1, column: 1 });
  });

  test("agree with cutting the text at its line ends", () => {
    const pieces = fc.array(fc.constantFrom("a", "é", "😀", "\n", "\r\n", " "), { maxLength: 40 });
    fc.assert(
      fc.property(pieces, fc.nat(), (parts, n) => {
        const text = parts.join("");
        const offset = n % (text.length + 1);
        if (text[offset] === "\n" && text[offset - 1] === "\r") return;
        const before = text.slice(0, offset).split(/\r\n|\n/);
        expect(lineColumn(text, offset)).toEqual({
          line: before.length,
          column: (before.at(-1) ?? "").length + 1,
        });
      }),
    );
  });

  test("a line is told without its end", () => {
    const text = "one\r\ntwo\n";
    const line = (n: number) => {
      const found = lineAt(text, n);
      return found && text.slice(found.start, found.end);
    };
    expect([1, 2, 3, 4].map(line)).toEqual(["one", "two", "", undefined]);
  });
});
