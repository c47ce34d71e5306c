import { describe } from "../../base/describe.ts";
import { isList } from "../../base/json.ts";
import { comparisonsOf } from "../condition.ts";
import { placeOf } from "../template.ts";
import type { Pass } from "./pass.ts";

/** Comparisons with a value that the operator cannot use. */
export const checkConditions: Pass = (program, { findings }) => {
  for (const block of program.blocks) {
    for (const step of block.steps) {
      for (const condition of [step.conditions, step.repeat?.until]) {
        if (condition === undefined) continue;
        for (const { operator, value } of comparisonsOf(condition)) {
          if ((operator !== "in" && operator !== "not_in") || value?.kind !== "constant" || isList(value.value)) continue;
          const data = { what: `The "value" of "${operator}"`, expected: "a list", got: describe(value.value) };
          findings.report("wrong-shape", placeOf(value), data);
        }
      }
    }
  }
};
