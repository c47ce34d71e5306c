/*
 * The seam between the expression language and its functions. A function says what it takes and what it makes, as
 * data, so that calls are checked before the run; `run` gets a `Call`, through which it reads its arguments. An
 * argument is evaluated when it is read, so a function that does not read one does not pay for it (`if`).
 */
import type { Json } from "../../base/json.ts";
import type { Budget } from "../budget.ts";
import type { BoundArguments } from "../call-binding.ts";

export type ParameterType = "any" | "list" | "string" | "number" | "boolean" | "object";

export interface Parameter {
  readonly name: string;
  /**
   * value: evaluated where the call stands.
   * item: evaluated for each element, which it sees as `item` (and `index`); a missing path is an error.
   * condition: true or false; a missing path in it is null. `perItem`: it sees `item` and `index`, too.
   * operations: expressions that see the value so far as `current`.
   * All but values may be written in quotes; the parser takes the quotes off.
   */
  readonly kind: "value" | "item" | "condition" | "operations";
  readonly type: ParameterType;
  readonly perItem?: true;
  /** May be left out; `null` says the same. */
  readonly optional?: true;
  /** The last parameter only: takes all further positional arguments. */
  readonly rest?: true;
}

/** What a call gives. `listOf`, `same`, `element` and `either` speak of the arguments of these parameters. */
export type ResultType =
  | ParameterType
  | { readonly listOf: string }
  | { readonly same: string }
  | { readonly element: string }
  | { readonly either: readonly string[] };

export interface ExpressionFunction {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly result: ResultType;
  /** Arguments may be named at will (`create_object`). */
  readonly named?: "any";
  /** What the parameters alone cannot say; a message, or undefined where the call is fine. */
  readonly check?: (bound: BoundArguments) => string | undefined;
  readonly run: (call: Call) => Json;
}

export type FunctionTable = ReadonlyMap<string, ExpressionFunction>;

export interface Call {
  readonly functionName: string;
  readonly budget: Budget;
  readonly nowMs: number;
  /** The call stands in a condition, where what isn't there is null. */
  readonly lenient: boolean;
  /** Whether the argument was given; an optional one that is written `null` was not. */
  has(parameter: string): boolean;
  /** The argument's value; null where it was left out. Evaluates every time. */
  value(parameter: string): Json;
  /** An item argument for one element; the element itself where the argument was left out. */
  each(parameter: string, item: Json, index: number): Json;
  /** A condition argument; for one element where it is `perItem`. */
  holds(parameter: string, item?: Json, index?: number): boolean;
  /** The operations, one after the other, on `initial`. */
  pipe(parameter: string, initial: Json): Json;
  /** The values of the positional arguments that the rest parameter took. */
  rest(): readonly Json[];
  /** The values of arguments named at will. */
  named(): readonly (readonly [name: string, value: Json])[];
}

/** The names that an argument for this parameter sees besides those of its surroundings. */
export function namesBoundIn(parameter: Parameter): readonly string[] {
  if (parameter.kind === "operations") return ["current"];
  return parameter.kind === "item" || parameter.perItem === true ? ["item", "index"] : [];
}

/** `sum(array, item_path?)` */
export function signatureOf(fn: ExpressionFunction): string {
  const parameters = fn.parameters.map((p) => (p.rest ? `…${p.name}` : p.optional ? `${p.name}?` : p.name));
  return `${fn.name}(${parameters.join(", ")})`;
}
