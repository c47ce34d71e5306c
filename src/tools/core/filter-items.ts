import { describe, quote } from "../../base/describe.ts";
import { isList, type Json } from "../../base/json.ts";
import { Budget } from "../../expr/budget.ts";
import { checkCall } from "../../expr/call-binding.ts";
import { evaluate } from "../../expr/evaluator.ts";
import type { Expression } from "../../expr/expression.ts";
import { callsOf, freeNames } from "../../expr/free-names.ts";
import { builtInFunctions } from "../../expr/functions/registry.ts";
import { MappingError } from "../../expr/mapping-error.ts";
import { parseExpression } from "../../expr/parser.ts";
import { refuse } from "./refuse.ts";

/** The items for which a condition over `item` holds: the expression language's own `filter`, over a value. */
export function filterItems(list: Json, condition: string, nowMs: number): Json {
  if (!isList(list))
    throw refuse("NOT_A_LIST", `"filter" needs a list, but the path leads to ${describe(list)}.`);
  const place = { from: 0, to: condition.length };
  const call: Expression = {
    kind: "call",
    name: "filter",
    arguments: [
      { name: undefined, value: { kind: "literal", value: list, ...place } },
      { name: undefined, value: parseCondition(condition) },
    ],
    ...place,
  };
  checkNames(call, condition);
  const noReference = (): Json => null;
  try {
    return evaluate(call, {
      name: () => undefined,
      reference: noReference,
      referenceOrNull: noReference,
      functions: builtInFunctions,
      nowMs,
      budget: new Budget(),
    });
  } catch (error) {
    if (error instanceof MappingError) throw refuse("INVALID_FILTER", error.message);
    throw error;
  }
}

function parseCondition(text: string): Expression {
  let hasReference = false;
  const bind = (): undefined => {
    hasReference = true;
  };
  const { expression, problems } = parseExpression(text, { bind, functions: builtInFunctions });
  if (hasReference) throw notCondition(text, "REF: cannot stand in it, only item");
  if (expression === undefined) throw notCondition(text, problems[0]?.message ?? "it cannot be read");
  return expression;
}

/** In a condition what isn't there is null, so a misspelt name would go unnoticed. */
function checkNames(call: Expression, text: string): void {
  for (const { name, arguments: args } of callsOf(call)) {
    const fn = builtInFunctions.get(name);
    const problem = fn === undefined ? `there is no function "${name}"` : checkCall(fn, args);
    if (problem !== undefined) throw notCondition(text, problem);
  }
  const [free] = freeNames(call, builtInFunctions);
  if (free !== undefined) throw notCondition(text, `there is no "${free.name}"; the item at hand is "item"`);
}

function notCondition(text: string, why: string): Error {
  return refuse("INVALID_FILTER", `${quote(text)} is not a condition: ${why}.`);
}
