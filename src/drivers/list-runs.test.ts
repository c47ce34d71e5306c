import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SOURCE } from "../../test/durability/scratch.ts";
import type { RunStarted } from "../core/events.ts";
import type { Driver, RunFilter } from "./driver.ts";
import { openStore } from "./open-store.ts";

/** Twenty runs, two in each moment, of three plans. */
function fill(driver: Driver): void {
  for (let i = 0; i < 20; i++) {
    const id = `r${i}`;
    const startedAt = 1_000 + Math.floor(i / 2);
    const first = { kind: "RunStarted", at: startedAt, runId: id } as RunStarted;
    const name = i % 3 === 0 ? undefined : `plan ${i % 3}`;
    driver.create(
      { id, name, dialect: "actions", status: "running", startedAt, finishedAt: undefined },
      SOURCE,
      first,
    );
    if (i % 4 === 0) driver.update(id, "completed", startedAt + 5);
  }
}

const FILTERS: readonly RunFilter[] = [
  {},
  { limit: 3 },
  { status: "completed" },
  { name: "plan 1" },
  { name: "plan 1", status: "completed" },
  { startedFrom: 1_003, startedBefore: 1_007 },
  { after: "r13", limit: 5 },
  { after: "r12", status: "completed" },
  { after: "r12", name: "plan 2", startedFrom: 1_002 },
  { after: "nobody" },
];

test.each(FILTERS)("both stores list the same, newest first: %o", async (filter) => {
  const file = join(mkdtempSync(join(tmpdir(), "sequitur-list-")), "runs.db");
  const drivers = [await openStore("memory", undefined), await openStore({ sqlite: file }, undefined)];
  const [memory, sqlite] = drivers.map((driver) => {
    fill(driver);
    return driver.list(filter).map(({ id }) => id);
  });
  expect(sqlite).toEqual(memory);
  for (const driver of drivers) driver.close();
});
