import { MappingError } from "../mapping-error.ts";
import { controlFunctions } from "./control.ts";
import type { ExpressionFunction, FunctionTable } from "./function.ts";
import { listFunctions } from "./lists.ts";
import { numberFunctions } from "./numbers.ts";
import { objectFunctions } from "./objects.ts";
import { orderingFunctions } from "./ordering.ts";
import { textFunctions } from "./text.ts";
import { timeFunctions } from "./time.ts";

/** All functions of the language. A new family is one file and one line here. */
export const builtInFunctionList: readonly ExpressionFunction[] = [
  ...listFunctions,
  ...orderingFunctions,
  ...numberFunctions,
  ...textFunctions,
  ...objectFunctions,
  ...controlFunctions,
  ...timeFunctions,
];

/** The functions of the language and `own` ones, by name. A name that is taken is refused. */
export function functionTable(own: Iterable<ExpressionFunction> = []): FunctionTable {
  const table = new Map<string, ExpressionFunction>();
  for (const fn of [...builtInFunctionList, ...own]) {
    if (table.has(fn.name))
      throw new MappingError(`There already is a function called "${fn.name}". Choose another name.`);
    table.set(fn.name, fn);
  }
  return table;
}

export const builtInFunctions: FunctionTable = functionTable();
