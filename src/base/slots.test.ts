import fc from "fast-check";
import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

/** Numbers that mostly go up by one, as calls are numbered, now and then with a gap or one that comes late. */
const moves = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant({ kind: "next" as const }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("delete" as const), nth: fc.nat(40) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("set" as const), number: fc.nat(3_000) }) },
  ),
  { maxLength: 3_000 },
);

test("slots are a map whose numbers are in order", () => {
  fc.assert(
    fc.property(moves, (all) => {
      const slots = new Slots<{ readonly number: number }>();
      const map = new Map<number, { readonly number: number }>();
      let next = 0;
      const set = (number: number): void => {
        const item = { number };
        slots.set(number, item);
        map.set(number, item);
        next = Math.max(next, number + 1);
      };
      for (const move of all) {
        if (move.kind === "next") set(next);
        else if (move.kind === "set") set(move.number);
        else {
          const number = [...map.keys()][move.nth] ?? move.nth;
          slots.delete(number);
          map.delete(number);
          expect(slots.get(number)).toBeUndefined();
        }
      }
      expect(slots.size).toBe(map.size);
      expect(slots.all()).toEqual([...map.values()].sort((a, b) => a.number - b.number));
      for (const [number, item] of map) expect(slots.get(number)).toBe(item);
    }),
    { numRuns: 50 },
  );
});

test("a number that was given up long ago can be used again", () => {
  const slots = new Slots<object>();
  for (let i = 0; i < 5_000; i++) {
    slots.set(i, {});
    if (i >= 10) slots.delete(i - 10);
  }
  const late = {};
  slots.set(3, late);
  expect(slots.get(3)).toBe(late);
  expect(slots.all()[0]).toBe(late);
  expect(slots.size).toBe(11);
});
