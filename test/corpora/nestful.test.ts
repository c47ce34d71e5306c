import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import { dependencies } from "../../src/ir/analysis.ts";
import { describeCorpus, printCount, readRows, readTable } from "./corpus.ts";
import { agrees } from "./nestful/compare.ts";
import { type NestfulRow, toActions, toSteps } from "./nestful/plan.ts";
import { nestfulTools } from "./nestful/tools.ts";

const ROWS_ALL = 215;

describeCorpus("NESTFUL v2, run", () => {
  const rows = readRows<NestfulRow>("nestful-v2/executable.jsonl");

  test("every function of the corpus is written", () => {
    const named = Object.keys(readTable("nestful-v2/functions.json"));
    expect(Object.keys(nestfulTools()).sort()).toEqual(named.sort());
    expect(rows).toHaveLength(ROWS_ALL);
  });

  test("as action plans, the gold answers come out", async () => {
    const engine = await createEngine({ tools: nestfulTools() });
    const wrong = await findWrong(rows, engine, toActions, (row) => row.plan.at(-1)?.label.slice(1) ?? "");
    printCount("NESTFUL v2 as action plans", rows.length - wrong.length, ROWS_ALL);
    expect(wrong).toEqual([]);
  });

  test("as step plans, the gold answers come out", async () => {
    const engine = await createEngine({ tools: nestfulTools() });
    const wrong = await findWrong(rows, engine, toSteps, (row) => String(row.plan.length - 1));
    printCount("NESTFUL v2 as step plans", rows.length - wrong.length, ROWS_ALL);
    expect(wrong).toEqual([]);
  });

  test("both languages see the references that the corpus counts", async () => {
    const engine = await createEngine({ tools: nestfulTools() });
    for (const row of rows) {
      const [actions, steps] = [engine.compile(toActions(row)).program, engine.compile(toSteps(row)).program];
      if (actions === undefined || steps === undefined) throw new Error(row.id);
      const numbers = new Map(row.plan.map((step, i) => [step.label.slice(1), String(i)]));
      const renamed = Object.entries(dependencies(actions)).map(([id, needs]): [string, string[]] => [
        numbers.get(id) ?? "",
        needs.map((need) => numbers.get(need) ?? "").sort((a, b) => Number(a) - Number(b)),
      ]);
      expect(Object.fromEntries(renamed)).toEqual(dependencies(steps));
    }
  });
});

async function findWrong(
  rows: readonly NestfulRow[],
  engine: Engine,
  convert: (row: NestfulRow) => Json,
  answer: (row: NestfulRow) => string,
): Promise<object[]> {
  const wrong: object[] = [];
  for (const row of rows) {
    const { status, steps, error } = await engine.run(convert(row));
    const last = steps[answer(row)]?.result ?? null;
    const [value] = Object.values((last ?? {}) as JsonObject);
    if (status === "completed" && value !== undefined && agrees(value, row.gold, row.gold_decimals)) continue;
    wrong.push({ id: row.id, status, error, value, gold: row.gold });
  }
  return wrong;
}
