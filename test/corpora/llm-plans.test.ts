import { expect, test } from "vitest";
import { createEngine } from "../../src/engine/engine.ts";
import { dependencies } from "../../src/ir/analysis.ts";
import { describeCorpus, printCount, readRows } from "./corpus.ts";
import { type LlmRow, readLlmPlan, toActions, toSteps } from "./llm-plan.ts";

describeCorpus("plans as language models write them", () => {
  const rows = readRows<LlmRow>("llm-plans/plans.jsonl");
  const read = rows.map((row) => ({ row, plan: readLlmPlan(row) }));
  const clear = read.flatMap(({ row, plan }) => (plan.kind === "calls" ? [{ row, plan }] : []));

  test("are all read, but for those whose text is broken", () => {
    const unclear = read.flatMap(({ row, plan }) =>
      plan.kind === "unclear" ? [`${row.id}: ${plan.why}`] : [],
    );
    printCount("plans by language models that are read", clear.length, rows.length);
    expect(unclear).toEqual(["hugginggpt-1: the text is not JSON", "hugginggpt-5: the text is not JSON"]);
    expect(clear).toHaveLength(19);
    for (const { plan } of clear) expect(plan.calls.length).toBeGreaterThan(1);
  });

  test("have the same graph in both languages, with an edge for every reference", async () => {
    const tools = Object.fromEntries(
      clear.flatMap(({ plan }) => plan.calls.map(({ tool }) => [tool, () => null])),
    );
    const engine = await createEngine({ tools });
    for (const { row, plan } of clear) {
      const actions = engine.compile(toActions(plan));
      const steps = engine.compile(toSteps(plan));
      expect([row.id, actions.diagnostics, steps.diagnostics]).toEqual([row.id, [], []]);
      if (actions.program === undefined || steps.program === undefined) throw new Error(row.id);
      const byNumber = (id: string) => plan.calls.findIndex(({ number }) => `call-${number}` === id);
      const renamed = Object.entries(dependencies(actions.program)).map(([id, needs]) => [
        String(byNumber(id)),
        needs.map((need) => String(byNumber(need))),
      ]);
      expect(Object.fromEntries(renamed)).toEqual(dependencies(steps.program));
      expect(JSON.stringify(plan.calls).match(plan.reference)?.length ?? 0).toBe(row.refs);
    }
  });

  test("run with tools that repeat what they got: every reference arrives", async () => {
    const echo = (params: object) => JSON.stringify(params).replaceAll('"', "'");
    const tools = Object.fromEntries(clear.flatMap(({ plan }) => plan.calls.map(({ tool }) => [tool, echo])));
    const engine = await createEngine({ tools });
    for (const { plan } of clear) {
      const actions = await engine.run(toActions(plan));
      const steps = await engine.run(toSteps(plan));
      expect([actions.status, steps.status]).toEqual(["completed", "completed"]);
      const results = plan.calls.map(({ number }) => actions.steps[`call-${number}`]?.result);
      expect(steps.execution?.results.map(({ data }) => data)).toEqual(results);
      expect(JSON.stringify(results)).not.toMatch(plan.reference);
    }
  });
});
