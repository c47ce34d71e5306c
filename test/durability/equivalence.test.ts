import { expect, test } from "vitest";
import { memoryDriver } from "../../src/drivers/memory/driver.ts";
import { sqliteDriver } from "../../src/drivers/sqlite/driver.ts";
import { describeEquivalence } from "./equivalence.ts";
import { openStage, play } from "./play.ts";
import { scratchFile } from "./scratch.ts";
import { WORKLOADS } from "./workloads/all.ts";

describeEquivalence("memory", memoryDriver);
describeEquivalence("SQLite", () => sqliteDriver(scratchFile()));
describeEquivalence("SQLite, relaxed", () => sqliteDriver(scratchFile(), { durability: "relaxed" }));

test("the workloads end in every way a run can", async () => {
  const statuses = new Set<string>();
  for (const workload of WORKLOADS)
    statuses.add((await play(workload, await openStage(workload, memoryDriver()))).status);
  expect(statuses).toEqual(new Set(["completed", "failed", "cancelled", "waiting", "partial_success"]));
});
