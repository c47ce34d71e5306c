import type { Json, JsonObject } from "../base/json.ts";
import { equalJson, isList, setOwn } from "../base/json.ts";
import { bindArguments, problemOf } from "./call-binding.ts";
import { CallFrame } from "./call-frame.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { Environment, Scope } from "./environment.ts";
import type { CompareOperator, Expression } from "./expression.ts";
import { MappingError } from "./mapping-error.ts";
import { explainMissing, type Path, printPath, WILDCARD, walk } from "./path.ts";
import { isTrue } from "./truth.ts";

type Node<Kind extends Expression["kind"]> = Extract<Expression, { readonly kind: Kind }>;

/** The value of an expression. It may share parts with what it was made from; values are never written to. */
export function evaluate(expression: Expression, env: Environment): Json {
  const scope: Scope = {
    env,
    lenient: false,
    item: undefined,
    index: 0,
    current: undefined,
    functionName: undefined,
  };
  const result = run(expression, scope);
  const isLookup =
    expression.kind === "name" || expression.kind === "reference" || expression.kind === "literal";
  return isLookup ? result : env.budget.admit(result);
}

function run(e: Expression, scope: Scope): Json {
  scope.env.budget.step();
  switch (e.kind) {
    case "literal":
      return e.value;
    case "name":
      return runName(e, scope);
    case "reference":
      return runReference(e, scope);
    case "call":
      return runCall(e, scope);
    case "object":
      return runObject(e, scope);
    case "list":
      scope.env.budget.produce(e.items.length);
      return e.items.map((item) => run(item, scope));
    case "compare":
      return compare(e.operator, run(e.left, scope), run(e.right, scope), scope);
    case "and":
      return isTrue(run(e.left, scope)) && isTrue(run(e.right, scope));
    case "or":
      return isTrue(run(e.left, scope)) || isTrue(run(e.right, scope));
    case "not":
      return !isTrue(run(e.operand, scope));
  }
}

/**
 * A name that isn't there counts as a path that isn't there: the context is the arguments or the response, which may
 * lack a key. Names that cannot be there at all are found before the run.
 */
function runName(e: Node<"name">, scope: Scope): Json {
  const root = lookUp(e.name, scope);
  if (root === undefined) {
    if (scope.lenient) return null;
    const hint = didYouMean(e.name, scope.env.names?.() ?? []);
    throw new MappingError(`${whereIn(scope)}There is no variable called "${e.name}".${hint}`);
  }
  const value = walkWithin(root, e.path, scope);
  if (value !== undefined) return value;
  if (scope.lenient) return null;
  const why = explainMissing(root, e.path);
  throw new MappingError(`${whereIn(scope)}Attribute not found: "${e.name}${printPath(e.path)}": ${why}.`);
}

function lookUp(name: string, scope: Scope): Json | undefined {
  if (scope.item !== undefined) {
    if (name === "item") return scope.item;
    if (name === "index") return scope.index;
  }
  if (name === "current" && scope.current !== undefined) return scope.current;
  return scope.env.name(name);
}

function whereIn(scope: Scope): string {
  return scope.functionName === undefined ? "" : `${scope.functionName}, item ${scope.index}: `;
}

/** `walk`, with the elements that wildcards go over paid for before it goes over them. */
function walkWithin(value: Json, path: Path, scope: Scope): Json | undefined {
  let wildcard = path.indexOf(WILDCARD);
  if (wildcard < 0) return walk(value, path);
  const { budget } = scope.env;
  let at = walk(value, path.slice(0, wildcard));
  for (;;) {
    if (!isList(at)) return undefined;
    budget.step(at.length);
    const next = path.indexOf(WILDCARD, wildcard + 1);
    at = walk(at, path.slice(wildcard, next < 0 ? path.length : next));
    if (next < 0 || !isList(at)) return at;
    for (const item of at) if (isList(item)) budget.step(item.length);
    at = walk(at, [WILDCARD, WILDCARD]);
    wildcard = next;
  }
}

function runReference(e: Node<"reference">, scope: Scope): Json {
  const { env } = scope;
  const value = scope.lenient ? env.referenceOrNull(e.reference) : env.reference(e.reference);
  if (isList(value) && e.reference.path.includes(WILDCARD)) env.budget.step(value.length);
  return value;
}

function runCall(e: Node<"call">, scope: Scope): Json {
  const fn = scope.env.functions.get(e.name);
  if (fn === undefined) {
    const hint = didYouMean(e.name, scope.env.functions.keys());
    throw new MappingError(`There is no function called "${e.name}".${hint}`);
  }
  const bound = bindArguments(fn, e.arguments);
  const problem = problemOf(fn, bound);
  if (problem !== undefined) throw new MappingError(`${problem}.`);
  return fn.run(new CallFrame(fn, bound, scope, run));
}

function runObject(e: Node<"object">, scope: Scope): JsonObject {
  scope.env.budget.produce(e.entries.length);
  const result: Record<string, Json> = {};
  for (const [key, value] of e.entries) setOwn(result, key, run(value, scope));
  return result;
}

/** As in conditions: equality is exact, and ordering anything but two numbers is false. */
function compare(operator: CompareOperator, left: Json, right: Json, scope: Scope): boolean {
  if (operator === "==" || operator === "!=") return equalWithin(left, right, scope) === (operator === "==");
  if (typeof left !== "number" || typeof right !== "number") return false;
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

function equalWithin(left: Json, right: Json, scope: Scope): boolean {
  const bothDeep = typeof left === "object" && left !== null && typeof right === "object" && right !== null;
  if (bothDeep && left !== right) scope.env.budget.produceWhole(left);
  return equalJson(left, right);
}
