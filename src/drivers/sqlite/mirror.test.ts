import { expect, test } from "vitest";
import {
  answerOf,
  openScratch,
  recordOf,
  SOURCE,
  scratchFile,
  startOf,
} from "../../../test/durability/scratch.ts";
import type { RunEvent } from "../../core/events.ts";
import type { RunStatus } from "../../core/state.ts";

const journal: readonly RunEvent[] = [startOf("r"), answerOf(0), answerOf(1), answerOf(2)];

const told = (status: RunStatus = "running", finishedAt?: number) => ({
  record: { ...recordOf("r"), status, finishedAt },
  source: SOURCE,
});

test("what is told twice, or in parts that overlap, is known once", async () => {
  const driver = await openScratch(scratchFile());
  expect(driver.mirror?.(told(), 0, journal.slice(0, 2))).toBe(2);
  expect(driver.mirror?.(told(), 0, journal.slice(0, 3))).toBe(3);
  expect(driver.mirror?.(told(), 0, journal.slice(0, 1))).toBe(3);
  expect(driver.mirror?.(told("completed", 9), 2, journal.slice(2))).toBe(4);
  expect([...driver.events("r")]).toEqual(journal);
  expect(driver.find("r")?.record).toMatchObject({ status: "completed", finishedAt: 9 });
});

test("what leaves a gap is not taken, and whoever told it hears from where to go on", async () => {
  const driver = await openScratch(scratchFile());
  driver.mirror?.(told(), 0, journal.slice(0, 1));
  expect(driver.mirror?.(told(), 2, journal.slice(2))).toBe(1);
  expect([...driver.events("r")]).toEqual(journal.slice(0, 1));
});

test("one who is behind does not say how the run stands", async () => {
  const driver = await openScratch(scratchFile());
  driver.mirror?.(told("completed", 9), 0, journal);
  driver.mirror?.(told("running"), 0, journal.slice(0, 2));
  expect(driver.find("r")?.record.status).toBe("completed");
});

test("a run of others is nobody's to take, until it has ended; then it can be forgotten", async () => {
  const driver = await openScratch(scratchFile());
  driver.mirror?.(told(), 0, journal.slice(0, 2));
  expect(driver.orphans()).toEqual([]);
  expect(driver.claim("r")).toBe(false);
  driver.mirror?.(told("failed", 9), 2, journal.slice(2, 3));
  expect(driver.claim("r")).toBe(true);
  driver.release("r");
  driver.mirror?.(told("running"), 3, journal.slice(3));
  expect(driver.claim("r")).toBe(false);
  expect(driver.orphans()).toEqual([]);
  driver.mirror?.(told("completed", 9), 4, []);
  expect(driver.forget(10)).toBe(1);
});
