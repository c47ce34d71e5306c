/* A sample of `npm run mutants`, small enough for every run of the tests. */
import { describe, expect, test, vi } from "vitest";
import { CORPORA, haveCorpora } from "./corpora.ts";
import { documentPlans } from "./document-plans.ts";
import { hunt } from "./hunt.ts";
import { MUTATIONS } from "./mutations.ts";
import type { NeutralPlan } from "./neutral-plan.ts";

// Enough for a machine that is busy with other things; what takes for ever still ends.
vi.setConfig({ testTimeout: 120_000 });

const PLANS_MAX = 40;

function expectAllCaught(plans: readonly NeutralPlan[]): void {
  const { results, clean } = hunt(plans);
  expect(clean).toBeGreaterThan(0);
  for (const [name, { missed }] of results) expect(missed, name).toEqual([]);
}

test("every mistake in the documents' examples is caught before the run", () => {
  expectAllCaught(documentPlans());
  const { results } = hunt(documentPlans());
  for (const { name } of MUTATIONS) expect(results.get(name)?.total, name).toBeGreaterThan(0);
});

describe.skipIf(!haveCorpora)("what declarations make knowable is caught before the run", () => {
  test.each(CORPORA)("in $name", ({ plans }) => {
    const all = plans();
    const stride = Math.ceil(all.length / PLANS_MAX);
    expectAllCaught(all.filter((_, i) => i % stride === 0));
  });
});
