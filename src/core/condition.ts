import { canonicalJson, type Json } from "../base/json.ts";
import type { Condition } from "../ir/condition.ts";
import { conditionHolds } from "../ir/evaluate-condition.ts";
import { resolveOrNull, resolveTemplateOrNull, type Scope } from "./resolve.ts";

/** Do the conditions hold? A path that isn't there is null; nothing is coerced. */
export function holds(condition: Condition, scope: Scope): boolean {
  return conditionHolds(condition, (reference) => resolveOrNull(reference, scope));
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
  const name = param.kind === "reference" ? param.text : "the value";
  const saw = shorten(resolveTemplateOrNull(param, scope));
  const operand = value === undefined ? "" : ` ${shorten(resolveTemplateOrNull(value, scope))}`;
  return `${name} ${operator}${operand} did not hold (it is ${saw})`;
}

function shorten(value: Json): string {
  const text = canonicalJson(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
