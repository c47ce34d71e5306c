/*
 * Prints a tree so that parsing the text gives the tree again, apart from positions. With the table of functions that
 * the parser was given, a constant string that stands where a quoted expression may stand is quoted twice.
 */
import type { Json } from "../base/json.ts";
import { isList, isObject } from "../base/json.ts";
import { parameterOf } from "./call-binding.ts";
import type { Argument, Expression } from "./expression.ts";
import type { FunctionTable, Parameter } from "./functions/function.ts";
import { isName, isPlainKey } from "./lexer.ts";
import { type Path, WILDCARD } from "./path.ts";

const NO_FUNCTIONS: FunctionTable = new Map();

export function printExpression(expression: Expression, functions: FunctionTable = NO_FUNCTIONS): string {
  return print(expression, LOOSEST, functions);
}

const LOOSEST = 1;
const TIGHTEST = 5;

function tightness(expression: Expression): number {
  switch (expression.kind) {
    case "or":
      return LOOSEST;
    case "and":
      return 2;
    case "not":
      return 3;
    case "compare":
      return 4;
    default:
      return TIGHTEST;
  }
}

/** In parentheses where the expression binds less tightly than its place asks for. */
function print(expression: Expression, atLeast: number, functions: FunctionTable): string {
  const text = printBare(expression, functions);
  return tightness(expression) < atLeast ? `(${text})` : text;
}

function printBare(e: Expression, functions: FunctionTable): string {
  const own = tightness(e);
  switch (e.kind) {
    case "literal":
      return printLiteral(e.value);
    case "name":
      return e.name + printKeys(e.path);
    case "reference":
      return e.reference.text;
    case "call":
      return `${e.name}(${e.arguments.map((a, i) => printArgument(e.name, a, i, functions)).join(", ")})`;
    case "object":
      return `{${e.entries.map(([key, value]) => `${printKey(key)}: ${print(value, LOOSEST, functions)}`).join(", ")}}`;
    case "list":
      return `[${e.items.map((item) => print(item, LOOSEST, functions)).join(", ")}]`;
    case "compare":
      return `${print(e.left, TIGHTEST, functions)} ${e.operator} ${print(e.right, TIGHTEST, functions)}`;
    case "and":
    case "or":
      // Chains lean to the left.
      return `${print(e.left, own, functions)} ${e.kind} ${print(e.right, own + 1, functions)}`;
    case "not":
      return `not ${print(e.operand, own, functions)}`;
  }
}

function printLiteral(value: Json): string {
  if (isList(value)) return `[${value.map(printLiteral).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${printKey(key)}: ${printLiteral(inner)}`)
    .join(", ")}}`;
}

/** `{REF: 1}` would begin a reference. */
function printKey(key: string): string {
  return isName(key) && key !== "REF" ? key : JSON.stringify(key);
}

function printKeys(path: Path): string {
  let out = "";
  for (const segment of path) {
    if (typeof segment === "number" || segment === WILDCARD) out += `[${segment}]`;
    else out += isPlainKey(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
  }
  return out;
}

function printArgument(
  functionName: string,
  argument: Argument,
  position: number,
  functions: FunctionTable,
): string {
  const fn = functions.get(functionName);
  const parameter = fn && parameterOf(fn, argument, position);
  const value = printValue(argument.value, parameter, functions);
  return argument.name === undefined ? value : `${argument.name}=${value}`;
}

function printValue(value: Expression, parameter: Parameter | undefined, functions: FunctionTable): string {
  if (parameter === undefined || parameter.kind === "value") return print(value, LOOSEST, functions);
  if (parameter.kind === "operations" && value.kind === "list") {
    return `[${value.items.map((item) => printQuotable(item, functions)).join(", ")}]`;
  }
  return printQuotable(value, functions);
}

function printQuotable(value: Expression, functions: FunctionTable): string {
  const text = print(value, LOOSEST, functions);
  return value.kind === "literal" && typeof value.value === "string" ? JSON.stringify(text) : text;
}
