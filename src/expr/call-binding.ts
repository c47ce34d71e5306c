import { didYouMean } from "./did-you-mean.ts";
import type { Argument, Expression } from "./expression.ts";
import type { ExpressionFunction, Parameter } from "./functions/function.ts";
import { signatureOf } from "./functions/function.ts";

/** A call's arguments, sorted to the parameters they are for. */
export interface BoundArguments {
  readonly byParameter: ReadonlyMap<string, Expression>;
  /** Positional arguments that the rest parameter took. */
  readonly rest: readonly Expression[];
  /** Arguments named at will, where the function takes them. */
  readonly named: readonly (readonly [name: string, value: Expression])[];
  readonly problem: string | undefined;
}

/** The parameter that an argument is for: by its name, or by its position among the arguments. */
export function parameterOf(
  fn: ExpressionFunction,
  argument: Argument,
  position: number,
): Parameter | undefined {
  if (argument.name !== undefined) return fn.parameters.find((p) => p.name === argument.name && !p.rest);
  const last = fn.parameters.at(-1);
  return fn.parameters[position] ?? (last?.rest ? last : undefined);
}

export function bindArguments(fn: ExpressionFunction, args: readonly Argument[]): BoundArguments {
  const byParameter = new Map<string, Expression>();
  const rest: Expression[] = [];
  const named = new Map<string, Expression>();
  let problem: string | undefined;
  for (const [position, argument] of args.entries()) {
    const { name, value } = argument;
    const parameter = parameterOf(fn, argument, position);
    if (name === undefined && args[position - 1]?.name !== undefined) {
      problem ??= `an argument without a name cannot follow one with a name ("${args[position - 1]?.name}=")`;
    } else if (parameter?.rest) {
      rest.push(value);
    } else if (parameter !== undefined) {
      if (byParameter.has(parameter.name)) problem ??= `"${parameter.name}" is given twice`;
      byParameter.set(parameter.name, value);
    } else if (name !== undefined && fn.named === "any") {
      if (named.has(name)) problem ??= `"${name}" is given twice`;
      named.set(name, value);
    } else {
      problem ??= misfit(fn, name, args.length);
    }
  }
  problem ??= missing(fn, byParameter);
  return { byParameter, rest, named: [...named], problem };
}

function misfit(fn: ExpressionFunction, name: string | undefined, given: number): string {
  const most = fn.parameters.length;
  if (name === undefined)
    return `it takes ${most === 0 ? "no" : `at most ${most}`} argument${most === 1 ? "" : "s"}, and got ${given}`;
  const names = fn.parameters.filter((p) => !p.rest).map((p) => p.name);
  return `it has no parameter "${name}".${didYouMean(name, names)}`;
}

function missing(fn: ExpressionFunction, given: ReadonlyMap<string, Expression>): string | undefined {
  const lacking = fn.parameters
    .filter((p) => !p.optional && !p.rest && !given.has(p.name))
    .map((p) => `"${p.name}"`);
  if (lacking.length === 0) return undefined;
  return `${lacking.join(" and ")} ${lacking.length === 1 ? "is" : "are"} missing`;
}

/** What is wrong with a call before anything runs: unknown, doubled or missing arguments. Undefined: nothing. */
export function checkCall(fn: ExpressionFunction, args: readonly Argument[]): string | undefined {
  return problemOf(fn, bindArguments(fn, args));
}

export function problemOf(fn: ExpressionFunction, bound: BoundArguments): string | undefined {
  const problem = bound.problem ?? fn.check?.(bound);
  return problem === undefined ? undefined : `${fn.name}: ${problem}. It is used as ${signatureOf(fn)}`;
}
