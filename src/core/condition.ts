import { canonicalJson, equalJson, hasOwn, isList, isObject, type Json } from "../base/json.ts";
import type { Condition, Operator } from "../ir/condition.ts";
import { resolveTemplateOrNull, type Scope } from "./resolve.ts";

/** Do the conditions hold? A path that isn't there is null; nothing is coerced. */
export function holds(condition: Condition, scope: Scope): boolean {
  switch (condition.kind) {
    case "all":
      return condition.conditions.every((part) => holds(part, scope));
    case "any":
      return condition.conditions.some((part) => holds(part, scope));
    case "compare": {
      const param = resolveTemplateOrNull(condition.param, scope);
      const value = condition.value === undefined ? null : resolveTemplateOrNull(condition.value, scope);
      return compare(condition.operator, param, value);
    }
  }
}

export function compare(operator: Operator, param: Json, value: Json): boolean {
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

/** Why the conditions did not hold: the first comparison that failed, with the values it saw. */
export function explainConditions(condition: Condition, scope: Scope): string {
  if (condition.kind === "compare") return explainComparison(condition, scope);
  if (condition.kind === "any") {
    const parts = condition.conditions.map((part) => explainConditions(part, scope));
    return parts.length === 0
      ? "an OR group without conditions never holds"
      : `none of these held: ${parts.join("; ")}`;
  }
  const failed = condition.conditions.find((part) => !holds(part, scope));
  return failed === undefined ? "the conditions hold" : explainConditions(failed, scope);
}

function explainComparison(
  { param, operator, value }: Condition & { kind: "compare" },
  scope: Scope,
): string {
  const name = param.kind === "reference" ? param.reference.text : "the value";
  const saw = shorten(resolveTemplateOrNull(param, scope));
  const operand = value === undefined ? "" : ` ${shorten(resolveTemplateOrNull(value, scope))}`;
  return `${name} ${operator}${operand} did not hold (it is ${saw})`;
}

function shorten(value: Json): string {
  const text = canonicalJson(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
