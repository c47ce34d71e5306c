import type { Expression } from "../expr/expression.ts";
import type { Place } from "../source/place.ts";
import type { Template } from "./template.ts";

/** `transform_arguments` or `transform_results`: variables first, in written order, then the outputs. */
export interface Transform {
  readonly variables: readonly TransformEntry[];
  readonly outputs: readonly TransformEntry[];
}

export interface TransformEntry {
  readonly name: string;
  readonly value: TransformValue;
  readonly place: Place;
}

/** A string that is an expression is evaluated; anything else is a value with its references resolved. */
export type TransformValue =
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "template"; readonly template: Template };
