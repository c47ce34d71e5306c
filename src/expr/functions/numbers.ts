import type { Json } from "../../base/json.ts";
import { isList } from "../../base/json.ts";
import { roundDecimal } from "../round-decimal.ts";
import type { Call, ExpressionFunction } from "./function.ts";
import { ARRAY, ITEM_PATH } from "./parameters.ts";
import { failure, listOf, mismatch, numberOf } from "./reading.ts";

/** Booleans count as 1 and 0, so that a sum of flags says how many are set. */
function countable(call: Call, value: Json, index: number): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  return numeric(call, value, index);
}

function numeric(call: Call, value: Json, index: number): number {
  if (typeof value !== "number") throw mismatch(call, `item ${index}`, value, "a number");
  return value;
}

function total(call: Call, array: readonly Json[]): number {
  call.budget.step(array.length);
  let result = 0;
  for (const [index, item] of array.entries())
    result += countable(call, call.each("item_path", item, index), index);
  if (!Number.isFinite(result)) throw failure(call, "the total is too large for a number");
  return result;
}

/** `sum(line_items, item.amount)`, `sum(numbers)`; 0 for an empty list. */
const sum: ExpressionFunction = {
  name: "sum",
  parameters: [ARRAY, ITEM_PATH],
  result: "number",
  run: (call) => total(call, listOf(call, "array")),
};

/** The mean, of what `sum` adds; null for an empty list. */
const avg: ExpressionFunction = {
  name: "avg",
  parameters: [ARRAY, ITEM_PATH],
  result: "number",
  run(call) {
    const array = listOf(call, "array");
    return array.length === 0 ? null : total(call, array) / array.length;
  },
};

/** `min(array, item_path?)`, or `min(a, b, …)` where the first argument is a number. Null for an empty list. */
function extreme(name: string, better: (a: number, b: number) => number): ExpressionFunction {
  return {
    name,
    parameters: [
      { ...ARRAY, type: "any" },
      ITEM_PATH,
      { name: "numbers", kind: "value", type: "number", optional: true, rest: true },
    ],
    result: "number",
    run(call) {
      const values = candidates(call);
      call.budget.step(values.length);
      let best: number | null = null;
      for (const [index, value] of values.entries()) {
        const number = numeric(call, value, index);
        best = best === null ? number : better(best, number);
      }
      return best;
    },
  };
}

function candidates(call: Call): readonly Json[] {
  const first = call.value("array");
  const more = call.rest();
  if (isList(first)) {
    if (more.length > 0)
      throw failure(call, "a list is given together with single numbers; give one or the other");
    return first.map((item, index) => call.each("item_path", item, index));
  }
  if (typeof first !== "number") throw mismatch(call, `"array"`, first, "a list, or several numbers,");
  return call.has("item_path") ? [first, call.value("item_path"), ...more] : [first, ...more];
}

const DIGITS_MAX = 100;

/** Half away from zero, in decimals: `round(1.005, 2)` is 1.01. Negative digits round to tens and hundreds. */
const round: ExpressionFunction = {
  name: "round",
  parameters: [
    { name: "number", kind: "value", type: "number" },
    { name: "digits", kind: "value", type: "number", optional: true },
  ],
  result: "number",
  run(call) {
    const number = numberOf(call, "number");
    const digits = call.value("digits") ?? 0;
    if (typeof digits !== "number" || !Number.isInteger(digits) || Math.abs(digits) > DIGITS_MAX) {
      throw mismatch(call, `"digits"`, digits, `a whole number from -${DIGITS_MAX} to ${DIGITS_MAX}`);
    }
    return roundDecimal(number, digits);
  },
};

export const numberFunctions: readonly ExpressionFunction[] = [
  sum,
  avg,
  extreme("min", Math.min),
  extreme("max", Math.max),
  round,
];
