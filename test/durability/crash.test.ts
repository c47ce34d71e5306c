/* A crash at every place of the journal of every workload, of every example and of every plan in the documents. */
import { describe, expect, test } from "vitest";
import { afterCrash, countCalls, countEach, playThrough } from "./crash.ts";
import type { Workload } from "./play.ts";
import { WORKLOADS } from "./workloads/all.ts";
import { documentWorkloads } from "./workloads/documents.ts";
import { exampleWorkloads } from "./workloads/examples.ts";

async function crashEverywhere(workload: Workload): Promise<void> {
  const whole = await playThrough(workload);
  const called = countCalls(whole.calls);
  let answeredAtLast: Record<string, number> | undefined;
  for (let length = whole.journal.length; length > 0; length--) {
    const after = await afterCrash(workload, whole, length);
    const where = `after ${length} of ${whole.journal.length} events`;
    expect(after.ending, where).toBe(whole.ending);
    expect(after.listed, where).toBe(after.status);
    const answered = countEach(after.answered);
    const again = countCalls(after.calls);
    answeredAtLast ??= answered;
    // Each call was either answered before the crash, or is made after it: none twice; none never, unless it was given up.
    for (const call of new Set([...Object.keys(called), ...Object.keys(again)])) {
      const made = (answered[call] ?? 0) + (again[call] ?? 0);
      expect(made, `${call}, ${where}`).toBeLessThanOrEqual(called[call] ?? 0);
      expect(made, `${call}, ${where}`).toBeGreaterThanOrEqual(answeredAtLast[call] ?? 0);
    }
  }
}

describe("a crash anywhere changes nothing", () => {
  test.each(WORKLOADS)("$title", crashEverywhere);
});

describe("a crash anywhere in an example changes nothing", async () => {
  const examples = await exampleWorkloads();
  test.each(examples)("$title", crashEverywhere);

  test("the examples run to their ends", async () => {
    const endings = await Promise.all(examples.map(playThrough));
    const statuses = endings.map(({ ending }) => (JSON.parse(ending) as { status: string }).status);
    expect(statuses).toEqual(examples.map(() => "completed"));
  });
});

const documents = documentWorkloads();

describe.skipIf(documents.length === 0)("a crash anywhere in a plan of the documents changes nothing", () => {
  test.each(documents)("$title", crashEverywhere);
});
