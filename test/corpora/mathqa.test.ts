import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { describeCorpus, printCount, readRows, readTable } from "./corpus.ts";
import { type MathqaRow, toActions, toSteps } from "./mathqa-plan.ts";
import { mathqaTools, OPERATION_NAMES } from "./mathqa-tools.ts";

const ROWS_ALL = 1500;

describeCorpus("MathQA, run", () => {
  const rows = readRows<MathqaRow>("mathqa/executable.jsonl");

  test("every operation of the corpus is written", () => {
    expect([...OPERATION_NAMES].sort()).toEqual(Object.keys(readTable("mathqa/operations.json")).sort());
    expect(rows).toHaveLength(ROWS_ALL);
  });

  test("as action plans, the authors' answers come out", async () => {
    const wrong = await findWrong(rows, toActions, (row) => `s${row.steps.length - 1}`);
    printCount("MathQA as action plans", rows.length - wrong.length, ROWS_ALL);
    expect(wrong).toEqual([]);
  });

  test("as step plans, the authors' answers come out", async () => {
    const wrong = await findWrong(rows, toSteps, (row) => String(row.steps.length - 1));
    printCount("MathQA as step plans", rows.length - wrong.length, ROWS_ALL);
    expect(wrong).toEqual([]);
  });
});

async function findWrong(
  rows: readonly MathqaRow[],
  convert: (row: MathqaRow) => Json,
  answer: (row: MathqaRow) => string,
): Promise<object[]> {
  const engine = await createEngine({ tools: mathqaTools });
  const wrong: object[] = [];
  for (const row of rows) {
    const { status, steps, error } = await engine.run(convert(row));
    const value = steps[answer(row)]?.result;
    if (status === "completed" && typeof value === "number" && isRight(value, row)) continue;
    wrong.push({ id: row.id, status, error, value, option: row.option_value, result: row.result });
  }
  return wrong;
}

/** The authors' option within its own tolerance, and the corpus's own calculation to nine digits. */
function isRight(value: number, row: MathqaRow): boolean {
  const near = Math.abs(value - row.result) <= 1e-9 * Math.max(1, Math.abs(row.result));
  return near && Math.abs(value - row.option_value) <= row.option_tolerance;
}
