import type { Json } from "../base/json.ts";
import type { Path } from "./path.ts";
import type { Reference } from "./reference.ts";

/** The syntax tree of the transform expression language. `from` and `to` are offsets in the expression's text. */
export type Expression = ExpressionNode & { readonly from: number; readonly to: number };

type ExpressionNode =
  | { readonly kind: "literal"; readonly value: Json }
  /** A name of the transform's context (`raw_data`, `item`, `current`) and the path below it. */
  | { readonly kind: "name"; readonly name: string; readonly path: Path }
  /** `REF:…`, resolved by whoever parses. */
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "call"; readonly name: string; readonly arguments: readonly Argument[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [key: string, value: Expression])[] }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | {
      readonly kind: "compare";
      readonly operator: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "not"; readonly operand: Expression };

export type CompareOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A positional argument has no name. */
export interface Argument {
  readonly name: string | undefined;
  readonly value: Expression;
}
