import { equalJson, hasOwn, isList, isObject, type Json } from "../base/json.ts";
import type { Reference } from "../expr/reference.ts";
import type { Condition, Operator } from "./condition.ts";
import { fillTemplate } from "./fill-template.ts";

/** Do the conditions hold? `lookUp` gives null for a path that isn't there; nothing is coerced. */
export function conditionHolds(condition: Condition, lookUp: (reference: Reference) => Json): boolean {
  switch (condition.kind) {
    case "all":
      return condition.conditions.every((part) => conditionHolds(part, lookUp));
    case "any":
      return condition.conditions.some((part) => conditionHolds(part, lookUp));
    case "compare": {
      const param = fillTemplate(condition.param, undefined, lookUp);
      const value = condition.value === undefined ? null : fillTemplate(condition.value, undefined, lookUp);
      return compare(condition.operator, param, value);
    }
  }
}

function compare(operator: Operator, param: Json, value: Json): boolean {
  switch (operator) {
    case "equals":
      return equalJson(param, value);
    case "not_equals":
      return !equalJson(param, value);
    case "exists":
      return param !== null;
    case "not_exists":
      return param === null;
    case "greater_than":
      return areNumbers(param, value) && (param as number) > (value as number);
    case "less_than":
      return areNumbers(param, value) && (param as number) < (value as number);
    case "greater_than_or_equal":
      return areNumbers(param, value) && (param as number) >= (value as number);
    case "less_than_or_equal":
      return areNumbers(param, value) && (param as number) <= (value as number);
    case "contains":
      return contains(param, value);
    case "not_contains":
      return !contains(param, value);
    case "in":
      return isList(value) && value.some((item) => equalJson(item, param));
    case "not_in":
      return !compare("in", param, value);
    case "starts_with":
      return typeof param === "string" && typeof value === "string" && param.startsWith(value);
    case "ends_with":
      return typeof param === "string" && typeof value === "string" && param.endsWith(value);
  }
}

function areNumbers(a: Json, b: Json): boolean {
  return typeof a === "number" && typeof b === "number";
}

/** Text in text, an item in a list, a key of an object; nothing is in null. */
function contains(whole: Json, part: Json): boolean {
  if (typeof whole === "string") return typeof part === "string" && whole.includes(part);
  if (isList(whole)) return whole.some((item) => equalJson(item, part));
  return isObject(whole) && typeof part === "string" && hasOwn(whole, part);
}
