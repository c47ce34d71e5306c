import type { Json } from "../base/json.ts";
import type { Budget } from "./budget.ts";
import type { BoundArguments } from "./call-binding.ts";
import type { Scope } from "./environment.ts";
import type { Expression } from "./expression.ts";
import type { Call, ExpressionFunction } from "./functions/function.ts";
import { isTrue } from "./truth.ts";

export type Run = (expression: Expression, scope: Scope) => Json;

/** One call under way: hands the function its arguments, each evaluated in the scope that its kind asks for. */
export class CallFrame implements Call {
  readonly #fn: ExpressionFunction;
  readonly #bound: BoundArguments;
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(fn: ExpressionFunction, bound: BoundArguments, scope: Scope, run: Run) {
    this.#fn = fn;
    this.#bound = bound;
    this.#scope = scope;
    this.#run = run;
  }

  get functionName(): string {
    return this.#fn.name;
  }

  get budget(): Budget {
    return this.#scope.env.budget;
  }

  get nowMs(): number {
    return this.#scope.env.nowMs;
  }

  get lenient(): boolean {
    return this.#scope.lenient;
  }

  has(parameter: string): boolean {
    return this.#given(parameter) !== undefined;
  }

  value(parameter: string): Json {
    const expression = this.#given(parameter);
    return expression === undefined ? null : this.#run(expression, this.#scope);
  }

  each(parameter: string, item: Json, index: number): Json {
    const expression = this.#given(parameter);
    return expression === undefined ? item : this.#run(expression, this.#forItem(item, index, false));
  }

  holds(parameter: string, item?: Json, index = 0): boolean {
    const expression = this.#given(parameter);
    if (expression === undefined) return false;
    const scope = item === undefined ? { ...this.#scope, lenient: true } : this.#forItem(item, index, true);
    return isTrue(this.#run(expression, scope));
  }

  pipe(parameter: string, initial: Json): Json {
    const operations = this.#given(parameter);
    if (operations === undefined) return initial;
    let current = initial;
    for (const operation of operations.kind === "list" ? operations.items : [operations]) {
      current = this.#run(operation, { ...this.#scope, current });
    }
    return current;
  }

  rest(): readonly Json[] {
    return this.#bound.rest.map((expression) => this.#run(expression, this.#scope));
  }

  named(): readonly (readonly [name: string, value: Json])[] {
    return this.#bound.named.map(([name, expression]) => [name, this.#run(expression, this.#scope)]);
  }

  #given(parameter: string): Expression | undefined {
    const expression = this.#bound.byParameter.get(parameter);
    if (expression?.kind !== "literal" || expression.value !== null) return expression;
    return this.#fn.parameters.some((p) => p.name === parameter && p.optional) ? undefined : expression;
  }

  #forItem(item: Json, index: number, lenient: boolean): Scope {
    const { env, current } = this.#scope;
    return { env, lenient, item, index, current, functionName: this.functionName };
  }
}
