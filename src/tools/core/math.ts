import { describe } from "../../base/describe.ts";
import { isList, type Json, type JsonObject } from "../../base/json.ts";
import { ArithmeticError, calculate, type Quantity } from "./arithmetic.ts";
import type { CoreAgent } from "./core-agent.ts";
import { refuse } from "./refuse.ts";

interface Params {
  readonly expression: string;
  readonly variables?: JsonObject | null;
}

export const math: CoreAgent = {
  name: "math",
  description:
    "Calculates: + - * / % ^, parentheses, functions (round, sqrt, min, max, sum, avg …), pi, e, and variables.",
  sideEffects: false,
  arguments: [
    {
      name: "expression",
      type_name: "string",
      description: 'Such as "round(net * (1 + rate), 2)" or "sum(prices)".',
    },
    {
      name: "variables",
      type_name: "object",
      description: "Numbers, and lists of numbers, by the names that the expression uses.",
      required: false,
      default_value: {},
    },
  ],
  responses: [{ name: "result", type_name: "number", description: "The result." }],
  tool:
    () =>
    ({ expression, variables }: Params) => {
      try {
        return { result: calculate(expression, quantitiesOf(variables ?? {})) };
      } catch (error) {
        if (error instanceof ArithmeticError) throw refuse("MATH", error.message);
        throw error;
      }
    },
};

function quantitiesOf(variables: JsonObject): Map<string, Quantity> {
  return new Map(Object.entries(variables).map(([name, value]) => [name, quantityOf(name, value)]));
}

function quantityOf(name: string, value: Json): Quantity {
  if (typeof value === "number") return value;
  if (isList(value) && value.every((item) => typeof item === "number")) return value;
  throw new ArithmeticError(
    `The variable "${name}" must be a number or a list of numbers, not ${describe(value)}.`,
  );
}
