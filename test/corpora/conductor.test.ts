import { expect, test } from "vitest";
import { compile } from "../../src/compiler.ts";
import { dependencies, levels } from "../../src/ir/analysis.ts";
import { type ConductorRow, readConductorPlan } from "./conductor-plan.ts";
import { describeCorpus, printCount, readRows } from "./corpus.ts";

describeCorpus("workflows of Conductor", () => {
  const rows = readRows<ConductorRow>("conductor/workflows.jsonl");
  const read = rows.map((row) => ({ row, plan: readConductorPlan(row) }));
  const clear = read.flatMap(({ row, plan }) => (plan.kind === "plan" ? [{ row, plan }] : []));

  test("are converted where their meaning is clear; the rest says why not", () => {
    const reasons = new Map<string, number>();
    for (const { plan } of read) {
      if (plan.kind === "unclear") reasons.set(plan.why, (reasons.get(plan.why) ?? 0) + 1);
    }
    printCount("Conductor workflows that are converted", clear.length, rows.length);
    for (const [why, count] of reasons) process.stdout.write(`    not: ${count} × ${why}\n`);
    expect(Object.fromEntries(reasons)).toEqual({
      "DECISION decides while it runs": 6,
      "DO_WHILE decides while it runs": 17,
      "DYNAMIC decides while it runs": 2,
      "FORK_JOIN_DYNAMIC decides while it runs": 3,
      "SET_VARIABLE decides while it runs": 6,
      "SWITCH decides while it runs": 11,
      "TERMINATE decides while it runs": 7,
      "it reads something of a task other than its output": 1,
      "it reads workflow.env": 1,
    });
    expect(clear).toHaveLength(84);
    expect(clear.flatMap(({ plan }) => plan.edges)).toHaveLength(20);
  });

  test("compile, with an edge for every reference and every step in one level", () => {
    for (const { row, plan } of clear) {
      const tools = Object.fromEntries(plan.tools.map((tool) => [tool, {}]));
      const { program, diagnostics } = compile(plan.plan, { tools });
      expect([row.id, diagnostics.filter(({ severity }) => severity === "error")]).toEqual([row.id, []]);
      if (program === undefined) throw new Error(row.id);
      const needs = dependencies(program);
      for (const [step, other] of plan.edges) expect(needs[step]).toContain(other);
      expect(levels(program).flat().sort()).toEqual(Object.keys(needs).sort());
    }
  });
});
