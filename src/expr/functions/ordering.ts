import { describe } from "../../base/describe.ts";
import type { Json } from "../../base/json.ts";
import { canonicalJson, setOwn } from "../../base/json.ts";
import type { Call, ExpressionFunction } from "./function.ts";
import { ARRAY, KEY_PATH, OPTIONAL_KEY_PATH } from "./parameters.ts";
import { asText, failure, listOf, textOr } from "./reading.ts";

/** Stable. Keys are all numbers, all strings (by UTF-16 code units) or all booleans; nulls come last either way. */
const sort: ExpressionFunction = {
  name: "sort",
  parameters: [
    ARRAY,
    OPTIONAL_KEY_PATH,
    { name: "direction", kind: "value", type: "string", optional: true },
  ],
  result: { same: "array" },
  run(call) {
    const array = listOf(call, "array");
    const sign = directionOf(call) === "desc" ? -1 : 1;
    call.budget.step(array.length);
    call.budget.produce(array.length);
    const keyed = array.map((item, index) => ({ item, key: call.each("key_path", item, index) }));
    checkKeys(
      call,
      keyed.map(({ key }) => key),
    );
    keyed.sort((a, b) => compareKeys(a.key, b.key, sign));
    return keyed.map(({ item }) => item);
  },
};

function directionOf(call: Call): "asc" | "desc" {
  const direction = textOr(call, "direction", "asc");
  if (direction === "asc" || direction === "desc") return direction;
  throw failure(call, `"direction" is ${describe(direction)}; "asc" or "desc" is expected`);
}

function checkKeys(call: Call, keys: readonly Json[]): void {
  const known = keys.find((key) => key !== null);
  for (const [index, key] of keys.entries()) {
    if (key === null) continue;
    if (typeof key === "object")
      throw failure(call, `the key of item ${index} is ${describe(key)}, which has no order`);
    if (typeof key === typeof known) continue;
    throw failure(
      call,
      `the keys are of different types: ${describe(known ?? null)}, and at item ${index} ${describe(key)}`,
    );
  }
}

function compareKeys(a: Json, b: Json, sign: number): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -sign : sign;
}

/** An object: the key as text, to the list of its items, in the order in which the keys are met. */
const groupBy: ExpressionFunction = {
  name: "group_by",
  parameters: [ARRAY, KEY_PATH],
  result: "object",
  run(call) {
    const groups = new Map<string, Json[]>();
    for (const [index, item] of listOf(call, "array").entries()) {
      call.budget.produce(1);
      const key = asText(call, call.each("key_path", item, index));
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
    const result: Record<string, Json> = {};
    for (const [key, items] of groups) setOwn<Json>(result, key, items);
    return result;
  },
};

/** Exact JSON equality; of equal items the first stays. */
const unique: ExpressionFunction = {
  name: "unique",
  parameters: [ARRAY, OPTIONAL_KEY_PATH],
  result: { same: "array" },
  run(call) {
    const array = listOf(call, "array");
    call.budget.step(array.length);
    const seen = new Set<string>();
    return array.filter((item, index) => {
      const key = call.each("key_path", item, index);
      call.budget.produceWhole(key);
      const text = canonicalJson(key);
      if (seen.has(text)) return false;
      seen.add(text);
      return true;
    });
  },
};

export const orderingFunctions: readonly ExpressionFunction[] = [sort, groupBy, unique];
