import { expect, test } from "vitest";
import { applyTextEdits } from "./text-edits.ts";

test("edits are carried out in the order of the text, whatever order they come in", () => {
  const groups = [
    [{ from: 4, to: 5, text: "E" }],
    [
      { from: 0, to: 1, text: "A" },
      { from: 2, to: 2, text: "-" },
    ],
  ];
  expect(applyTextEdits("abcdef", groups)).toEqual({ text: "Ab-cdEf", applied: 2, skipped: 0 });
});

test("a group that overlaps one before it is left out as a whole", () => {
  const groups = [
    [{ from: 1, to: 3, text: "X" }],
    [
      { from: 5, to: 6, text: "Y" },
      { from: 2, to: 4, text: "Z" },
    ],
    [{ from: 3, to: 3, text: "+" }],
  ];
  expect(applyTextEdits("abcdef", groups)).toEqual({ text: "aX+def", applied: 2, skipped: 1 });
});
