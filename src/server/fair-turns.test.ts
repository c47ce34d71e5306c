import { expect, test } from "vitest";
import { FairTurns } from "./fair-turns.ts";

test("a few begin at once, the others in the following turns, the longest waiting first", async () => {
  const turns = new FairTurns();
  const begun: number[] = [];
  const all = Promise.all(
    Array.from({ length: 10 }, async (_, i) => {
      await turns.begin();
      begun.push(i);
    }),
  );
  const counts: number[] = [];
  while (begun.length < 10) {
    await new Promise(setImmediate);
    counts.push(begun.length);
  }
  await all;
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(counts[0]).toBeLessThan(10);
  // Who comes when there is nothing else to do does not wait.
  await new Promise(setImmediate);
  expect(turns.begin()).toBeUndefined();
});
