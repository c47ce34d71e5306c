import type { Json } from "../../base/json.ts";
import { isList, isObject } from "../../base/json.ts";
import type { ExpressionFunction } from "./function.ts";
import { ARRAY } from "./parameters.ts";
import { listOf, mismatch } from "./reading.ts";

/** `map(users, {name: item.full_name})`, `map(files, item.path)` */
const map: ExpressionFunction = {
  name: "map",
  parameters: [ARRAY, { name: "template", kind: "item", type: "any" }],
  result: { listOf: "template" },
  run(call) {
    const array = listOf(call, "array");
    call.budget.produce(array.length);
    return array.map((item, index) => call.each("template", item, index));
  },
};

/** `filter(users, item.age >= 18 and item.active)` */
const filter: ExpressionFunction = {
  name: "filter",
  parameters: [ARRAY, { name: "condition_string", kind: "condition", type: "boolean", perItem: true }],
  result: { same: "array" },
  run(call) {
    const array = listOf(call, "array");
    call.budget.produce(array.length);
    return array.filter((item, index) => call.holds("condition_string", item, index));
  },
};

/** One level: an item that is a list is replaced by its items, any other stays. */
const flatten: ExpressionFunction = {
  name: "flatten",
  parameters: [ARRAY],
  result: "list",
  run(call) {
    const array = listOf(call, "array");
    call.budget.step(array.length);
    const result: Json[] = [];
    for (const item of array) {
      call.budget.produce(isList(item) ? item.length : 1);
      if (!isList(item)) result.push(item);
      else for (const inner of item) result.push(inner);
    }
    return result;
  },
};

/** The items of a list, the keys of an object, or the characters (code points) of a string. */
const length: ExpressionFunction = {
  name: "length",
  parameters: [{ name: "array", kind: "value", type: "any" }],
  result: "number",
  run(call) {
    const value = call.value("array");
    if (isList(value)) return value.length;
    if (isObject(value)) return Object.keys(value).length;
    if (typeof value !== "string") throw mismatch(call, `"array"`, value, "a list, an object or a string");
    let count = 0;
    for (const _ of value) count++;
    return count;
  },
};

/** Null for an empty list, as the attribute of the same name. */
const first: ExpressionFunction = {
  name: "first",
  parameters: [ARRAY],
  result: { element: "array" },
  run: (call) => listOf(call, "array")[0] ?? null,
};

const last: ExpressionFunction = {
  name: "last",
  parameters: [ARRAY],
  result: { element: "array" },
  run: (call) => listOf(call, "array").at(-1) ?? null,
};

export const listFunctions: readonly ExpressionFunction[] = [map, filter, flatten, length, first, last];
