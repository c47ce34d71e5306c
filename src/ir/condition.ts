import type { Place } from "../source/place.ts";
import type { Template } from "./template.ts";

/** Conditions of all languages: comparisons, and groups of them. */
export type Condition =
  | {
      readonly kind: "compare";
      readonly operator: Operator;
      readonly param: Template;
      readonly value: Template | undefined;
      readonly place: Place;
    }
  | { readonly kind: "all" | "any"; readonly conditions: readonly Condition[] };

export const OPERATORS = [
  "equals",
  "not_equals",
  "exists",
  "not_exists",
  "greater_than",
  "less_than",
  "greater_than_or_equal",
  "less_than_or_equal",
  "contains",
  "not_contains",
  "in",
  "not_in",
  "starts_with",
  "ends_with",
] as const;

export type Operator = (typeof OPERATORS)[number];

export function isOperator(name: string): name is Operator {
  return (OPERATORS as readonly string[]).includes(name);
}

/** `exists` and `not_exists` look at one value; all others compare it with another. */
export function takesValue(operator: Operator): boolean {
  return operator !== "exists" && operator !== "not_exists";
}

/** Every comparison of the condition, in order. */
export function comparisonsOf(condition: Condition): Extract<Condition, { kind: "compare" }>[] {
  return condition.kind === "compare" ? [condition] : condition.conditions.flatMap(comparisonsOf);
}
