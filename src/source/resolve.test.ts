import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../base/json.ts";
import type { Spot } from "./diagnostic.ts";
import { below, type Place, rootPlace, type SourceDocument } from "./place.ts";
import { resolveSpot } from "./resolve.ts";

const TEXT = String.raw`{
  "steps": [
    { "tool": "a", "params": { "q\u0022": "é \"REF:x.y\" \u00e9 end" } },
    { "tool": "b" }
  ]
}`;

function documentOf(text: string, file?: string): SourceDocument {
  return { file, text, value: JSON.parse(text) as Json };
}

function placeIn(document: SourceDocument, ...keys: (string | number)[]): Place {
  return keys.reduce<Place>((place, key) => below(place, key), rootPlace(document));
}

function textAt(spot: Spot): string {
  const { startOffset, endOffset } = resolveSpot(spot);
  return spot.place.document.text?.slice(startOffset, endOffset) ?? "";
}

describe("a spot is shown", () => {
  const document = documentOf(TEXT, "plan.json");
  const params = placeIn(document, "steps", 0, "params");
  const value = below(params, 'q"');

  test("at the first character of the value", () => {
    expect(resolveSpot({ place: placeIn(document, "steps", 1, "tool") })).toEqual({
      pointer: "/steps/1/tool",
      file: "plan.json",
      line: 4,
      column: 15,
      endLine: 4,
      endColumn: 18,
      startOffset: TEXT.indexOf('"b"'),
      endOffset: TEXT.indexOf('"b"') + 3,
    });
  });

  test("at the key, where the key is wrong", () => {
    expect(textAt({ place: value, on: "key" })).toBe(String.raw`"q\u0022"`);
    expect(textAt({ place: placeIn(document, "steps", 1), on: "key" })).toBe('{ "tool": "b" }');
  });

  test("at the characters inside a string, with its escapes counted", () => {
    expect(textAt({ place: value, from: 3, to: 10 })).toBe("REF:x.y");
    expect(textAt({ place: value, from: 2, to: 11 })).toBe(String.raw`\"REF:x.y\"`);
    expect(textAt({ place: value, from: 12, to: 13 })).toBe(String.raw`\u00e9`);
    expect(textAt({ place: value, from: 14 })).toBe("end");
    expect(textAt({ place: value, from: 99, to: 100 })).toBe("");
    expect(textAt({ place: params, from: 3, to: 4 })).toMatch(/^\{ .* \}$/);
  });

  test("at the nearest thing around it, where it is missing", () => {
    const missing = placeIn(document, "steps", 1, "params", "a", "b");
    expect(resolveSpot({ place: missing, on: "key" })).toMatchObject({
      pointer: "/steps/1",
      line: 4,
      column: 5,
    });
    expect(resolveSpot({ place: placeIn(document, "steps", 7) })).toMatchObject({
      pointer: "/steps",
      line: 2,
      column: 12,
    });
    expect(resolveSpot({ place: placeIn(document, "toString") })).toMatchObject({
      pointer: "",
      line: 1,
      column: 1,
    });
  });

  test("by its pointer alone, where there is no text", () => {
    const parsed = { file: undefined, text: undefined, value: { "a/b": [1] } };
    expect(resolveSpot({ place: placeIn(parsed, "a/b", 0) })).toEqual({ pointer: "/a~1b/0" });
    expect(resolveSpot({ place: placeIn(parsed, "a/b", 1) })).toEqual({ pointer: "/a~1b" });
  });

  test("on the right line with Windows line ends and a byte order mark", () => {
    const windows = {
      file: undefined,
      text: `\ufeff${TEXT.replaceAll("\n", "\r\n")}`,
      value: document.value,
    };
    const there = resolveSpot({ place: placeIn(windows, "steps", 1, "tool") });
    expect(there).toMatchObject({ line: 4, column: 15, endLine: 4, endColumn: 18 });
    expect(resolveSpot({ place: rootPlace(windows) })).toMatchObject({ line: 1, column: 1 });
  });
});

test("any part of any string is found again in the text", () => {
  const strings = fc.string({ unit: "binary", maxLength: 20 });
  fc.assert(
    fc.property(strings, fc.nat(20), fc.nat(20), fc.boolean(), (string, a, b, escapeAll) => {
      const printed = escapeAll
        ? `"${[...string].map((c) => [...Array(c.length).keys()].map((i) => unicode(c, i)).join("")).join("")}"`
        : JSON.stringify(string);
      const from = Math.min(a, b, string.length);
      const to = Math.min(Math.max(a, b), string.length);
      const place = rootPlace(documentOf(printed));
      expect(JSON.parse(`"${textAt({ place, from, to })}"`)).toBe(string.slice(from, to));
    }),
  );
});

function unicode(character: string, index: number): string {
  return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
}
