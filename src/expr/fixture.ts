/* For tests of this folder: expressions in, values and messages out. */
import type { Json, JsonObject } from "../base/json.ts";
import { getOwn } from "../base/json.ts";
import { Budget } from "./budget.ts";
import type { Environment } from "./environment.ts";
import { evaluate } from "./evaluator.ts";
import type { Expression } from "./expression.ts";
import { builtInFunctions } from "./functions/registry.ts";
import { MappingError } from "./mapping-error.ts";
import { parseExpression } from "./parser.ts";
import { isPathProblem, type Path, parsePath, walk } from "./path.ts";
import type { Reference } from "./reference.ts";

/** `REF:a.b` over an object that has the contexts as its keys. */
export function bindToContext(text: string): Reference | undefined {
  const path = parsePath(`.${text.slice("REF:".length)}`, 0, text.length - "REF:".length + 1);
  return isPathProblem(path) ? undefined : { root: { kind: "context" }, path, text };
}

export function parsed(text: string, functions = builtInFunctions): Expression {
  const { expression, problems } = parseExpression(text, { bind: bindToContext, functions });
  if (expression === undefined) throw new SyntaxError(problems.map((problem) => problem.message).join("; "));
  return expression;
}

/** `names` are the variables, `refs` the contexts that `REF:…` sees. */
function environment(names: JsonObject, refs: JsonObject = {}, more: Partial<Environment> = {}): Environment {
  const find = (path: Path): Json | undefined => walk(refs, path);
  return {
    name: (name) => getOwn(names, name),
    names: () => Object.keys(names),
    reference: (reference) => {
      const value = find(reference.path);
      if (value === undefined) throw new MappingError(`${reference.text} is not there.`);
      return value;
    },
    referenceOrNull: (reference) => find(reference.path) ?? null,
    functions: builtInFunctions,
    nowMs: Date.UTC(2026, 1, 3, 4, 5, 6, 789),
    budget: new Budget(),
    ...more,
  };
}

export function resultOf(
  text: string,
  names: JsonObject = {},
  refs: JsonObject = {},
  more: Partial<Environment> = {},
): Json {
  return evaluate(parsed(text, more.functions), environment(names, refs, more));
}

/** The message of the MappingError that evaluating gives. */
export function failureOf(
  text: string,
  names: JsonObject = {},
  refs: JsonObject = {},
  more: Partial<Environment> = {},
): string {
  try {
    return `no failure, but ${JSON.stringify(resultOf(text, names, refs, more))}`;
  } catch (error) {
    if (error instanceof MappingError) return error.message;
    throw error;
  }
}
