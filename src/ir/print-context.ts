import type { Json } from "../base/json.ts";
import type { ContextDeclarations, DerivedVariable, TriggerDeclaration } from "./context-declarations.ts";
import { printCondition, printJson, printTemplate } from "./print-value.ts";

/** The context variables of a printed program; empty where there are none. */
export function printContext({ defined, runtime, derived }: ContextDeclarations): string {
  const lines = [
    ...defined.map((variable) => {
      const from = `${variable.collection}.${variable.field} where ${printTemplate(variable.searchBy, [])}`;
      const required = variable.required ? ", required" : "";
      return `  defined ${variable.name}: ${variable.typeName}${printDefault(variable.default)} from ${from}${required}`;
    }),
    ...runtime.map((variable) => {
      return `  runtime ${variable.name}: ${variable.typeName}${printDefault(variable.default)}`;
    }),
    ...derived.flatMap(printDerived),
  ];
  return lines.length === 0 ? "" : ["context", ...lines].join("\n");
}

function printDerived(variable: DerivedVariable): string[] {
  return [`  derived ${variable.name} = ${variable.default}`, ...variable.triggers.map(printTrigger)];
}

function printTrigger({ type, settings, conditions }: TriggerDeclaration): string {
  const when = conditions === undefined ? "" : ` when ${printCondition(conditions, [])}`;
  return `    true on ${type} ${printJson(settings)}${when}`;
}

function printDefault(value: Json | undefined): string {
  return value === undefined ? "" : ` = ${printJson(value)}`;
}
