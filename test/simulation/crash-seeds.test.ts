import { describe, expect, test } from "vitest";
import { checkCrashSeed } from "./crash-seeds.ts";

const SEEDS = 1_000;
const GROUP = 250;

describe("random plans in processes that die: the laws hold, nothing is lost, nothing is done again, the end is the same", () => {
  const groups = Array.from({ length: SEEDS / GROUP }, (_, i) => i * GROUP);
  test.each(groups)("seeds from %i", { timeout: 120_000 }, async (from) => {
    let compared = 0;
    for (let seed = from; seed < from + GROUP; seed++) {
      const report = await checkCrashSeed(seed).catch((error: unknown) => {
        throw new Error(`seed ${seed} fails; again with: npm run sim -- --crashes --seed ${seed}`, {
          cause: error,
        });
      });
      if (report.compared) compared++;
    }
    // The greater part of the plans says something about ends.
    expect(compared).toBeGreaterThan(GROUP / 2);
  });
});
