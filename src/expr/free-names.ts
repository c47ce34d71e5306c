/*
 * What can be known of an expression without running it. All of these look inside calls, and inside quoted arguments,
 * which the parser has turned into expressions.
 */
import { parameterOf } from "./call-binding.ts";
import type { Expression } from "./expression.ts";
import { type FunctionTable, namesBoundIn } from "./functions/function.ts";
import type { Reference } from "./reference.ts";

export interface FreeName {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export type CallExpression = Extract<Expression, { readonly kind: "call" }>;

/** The names that the context has to have: all but `item`, `index` and `current` where a function binds them. */
export function freeNames(expression: Expression, functions: FunctionTable): FreeName[] {
  const found: FreeName[] = [];
  visit(expression, functions, NOTHING, (e, bound) => {
    if (e.kind === "name" && !bound.has(e.name)) found.push({ name: e.name, from: e.from, to: e.to });
  });
  return found;
}

/** Every `REF:…`, in the order they are written. */
export function references(expression: Expression): Reference[] {
  const found: Reference[] = [];
  visit(expression, NO_FUNCTIONS, NOTHING, (e) => {
    if (e.kind === "reference") found.push(e.reference);
  });
  return found;
}

/** Every `REF:…` with where it stands, in the order they are written. */
export function referenceNodes(
  expression: Expression,
): Extract<Expression, { readonly kind: "reference" }>[] {
  const found: Extract<Expression, { readonly kind: "reference" }>[] = [];
  visit(expression, NO_FUNCTIONS, NOTHING, (e) => {
    if (e.kind === "reference") found.push(e);
  });
  return found;
}

/** Every call, the outer ones before those in their arguments. */
export function callsOf(expression: Expression): CallExpression[] {
  const found: CallExpression[] = [];
  visit(expression, NO_FUNCTIONS, NOTHING, (e) => {
    if (e.kind === "call") found.push(e);
  });
  return found;
}

const NOTHING: ReadonlySet<string> = new Set();
const NO_FUNCTIONS: FunctionTable = new Map();

type Visitor = (expression: Expression, bound: ReadonlySet<string>) => void;

function visit(e: Expression, functions: FunctionTable, bound: ReadonlySet<string>, visitor: Visitor): void {
  visitor(e, bound);
  switch (e.kind) {
    case "literal":
    case "name":
    case "reference":
      return;
    case "call":
      visitArguments(e, functions, bound, visitor);
      return;
    case "object":
      for (const [, value] of e.entries) visit(value, functions, bound, visitor);
      return;
    case "list":
      for (const item of e.items) visit(item, functions, bound, visitor);
      return;
    case "not":
      visit(e.operand, functions, bound, visitor);
      return;
    case "compare":
    case "and":
    case "or":
      visit(e.left, functions, bound, visitor);
      visit(e.right, functions, bound, visitor);
  }
}

function visitArguments(
  call: CallExpression,
  functions: FunctionTable,
  bound: ReadonlySet<string>,
  visitor: Visitor,
): void {
  const fn = functions.get(call.name);
  for (const [position, argument] of call.arguments.entries()) {
    const parameter = fn && parameterOf(fn, argument, position);
    const more = parameter === undefined ? [] : namesBoundIn(parameter);
    visit(argument.value, functions, more.length === 0 ? bound : new Set([...bound, ...more]), visitor);
  }
}
