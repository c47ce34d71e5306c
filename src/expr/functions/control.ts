import type { BoundArguments } from "../call-binding.ts";
import type { ExpressionFunction } from "./function.ts";

/** Only the branch that is taken is evaluated. */
const ifFunction: ExpressionFunction = {
  name: "if",
  parameters: [
    { name: "condition", kind: "condition", type: "boolean" },
    { name: "true_value", kind: "value", type: "any" },
    { name: "false_value", kind: "value", type: "any", optional: true },
  ],
  result: { either: ["true_value", "false_value"] },
  run: (call) => call.value(call.holds("condition") ? "true_value" : "false_value"),
};

/** `pipeline(names, [unique(current), sort(current), join(current, ", ")])` */
const pipeline: ExpressionFunction = {
  name: "pipeline",
  parameters: [
    { name: "initial_value", kind: "value", type: "any" },
    { name: "operations", kind: "operations", type: "list" },
  ],
  result: "any",
  check: checkOperations,
  run: (call) => call.pipe("operations", call.value("initial_value")),
};

/** Operations are code, so they stand in the plan: a variable that holds some would be data taken for code. */
function checkOperations(bound: BoundArguments): string | undefined {
  const operations = bound.byParameter.get("operations");
  if (operations === undefined || operations.kind === "list" || operations.kind === "call") return undefined;
  return '"operations" must be written out here as a list of calls, such as [trim(current), upper(current)]';
}

export const controlFunctions: readonly ExpressionFunction[] = [ifFunction, pipeline];
