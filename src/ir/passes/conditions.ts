import { describe } from "../../base/describe.ts";
import { isList, type Json } from "../../base/json.ts";
import { comparisonsOf, type Operator } from "../condition.ts";
import { placeOf, type Template } from "../template.ts";
import type { Pass } from "./pass.ts";

/** Comparisons with a constant that the operator can do nothing with, so that the answer is always the same. */
export const checkConditions: Pass = (program, { findings, survey }) => {
  if (!survey.conditions) return;
  for (const block of program.blocks) {
    for (const step of block.steps) {
      for (const condition of [step.conditions, step.repeat?.until]) {
        if (condition === undefined) continue;
        for (const { operator, value } of comparisonsOf(condition)) {
          const wanted = WANTED[operator];
          if (wanted === undefined || !isIdle(value, wanted.accepts)) continue;
          const data = { operator, expected: wanted.name, got: describe(value.value) };
          findings.report("idle-comparison", placeOf(value), data);
        }
      }
    }
  }
};

interface Wanted {
  readonly name: string;
  readonly accepts: (value: Json) => boolean;
}

const LIST: Wanted = { name: "a list", accepts: isList };
const NUMBER: Wanted = { name: "a number", accepts: (value) => typeof value === "number" };

const WANTED: Partial<Record<Operator, Wanted>> = {
  in: LIST,
  not_in: LIST,
  greater_than: NUMBER,
  greater_than_or_equal: NUMBER,
  less_than: NUMBER,
  less_than_or_equal: NUMBER,
};

function isIdle(
  value: Template | undefined,
  accepts: (value: Json) => boolean,
): value is Template & { kind: "constant" } {
  return value?.kind === "constant" && !accepts(value.value);
}
