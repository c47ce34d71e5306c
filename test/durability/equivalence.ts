/* What every driver has to pass: the same workloads come to the same end on it as in memory. */
import { describe, expect, test } from "vitest";
import type { Driver } from "../../src/drivers/driver.ts";
import { memoryDriver } from "../../src/drivers/memory/driver.ts";
import { canonicalResult, openStage, play, type Workload } from "./play.ts";
import { WORKLOADS } from "./workloads/all.ts";

async function ending(workload: Workload, driver: Driver): Promise<string> {
  const stage = await openStage(workload, driver);
  try {
    return canonicalResult(await play(workload, stage));
  } finally {
    await stage.engine.close();
  }
}

/** `open` gives a new, empty store. */
export function describeEquivalence(name: string, open: () => Driver | Promise<Driver>): void {
  describe(`runs on ${name} end as they do in memory`, () => {
    test.each(WORKLOADS)("$title", async (workload) => {
      const expected = await ending(workload, memoryDriver());
      expect(await ending(workload, await open())).toBe(expected);
    });
  });
}
