import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { neverMatches } from "./never-matches.ts";

describe("patterns that no text matches", () => {
  test.each([
    "$a",
    "a^",
    "[]",
    "x[^\\s\\S]",
    "\\b\\B",
    "(a^|$b)",
    "a\\Bb\\b\\Bc",
    "(?:$)x+",
    "^a^",
    "\\w\\b\\w",
    "(?<n>a^)b?",
  ])("%s", (pattern) => {
    expect(neverMatches(pattern)).toBe(true);
  });
});

describe("patterns that some text matches", () => {
  test.each([
    "",
    "^$",
    "TERMINATE",
    "^bye\\b",
    "$^",
    "(^a)?b",
    "a{0}^",
    "(a^)*",
    "[^a]",
    "\\p{L}$",
    "x|$a",
    "(?i:$a)",
    "\\ba",
    "a\\b.",
    "[\\]]",
    "a{2,3}b",
    "{",
    "\\$a",
    "[$]a",
    "é",
    "😀+",
  ])("%s", (pattern) => {
    expect(neverMatches(pattern)).toBe(false);
  });

  test("whatever a text was matched by is never called impossible", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      " ",
      ".",
      "^",
      "$",
      "\\b",
      "\\B",
      "\\w",
      "\\W",
      "\\d",
      "[ab]",
      "[^a]",
      "(a|b)",
      "(?:^a)?",
      "b*",
      "-",
    );
    const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "-", "1"), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (source, sample) => {
        if (new RegExp(source).test(sample)) expect(neverMatches(source)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test("whatever is called impossible matches none of all short texts", () => {
    const piece = fc.constantFrom("a", " ", "^", "$", "\\b", "\\B", "\\w", "\\W");
    const texts = shortTexts(["a", " "], 5);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const source = pieces.join("");
        const matched = texts.some((text) => new RegExp(source).test(text));
        expect(neverMatches(source)).toBe(!matched);
      }),
      { numRuns: 1_000 },
    );
  });
});

function shortTexts(letters: readonly string[], lengthMax: number): string[] {
  let texts = [""];
  const all = [...texts];
  for (let n = 0; n < lengthMax; n++) {
    texts = texts.flatMap((text) => letters.map((letter) => text + letter));
    all.push(...texts);
  }
  return all;
}
