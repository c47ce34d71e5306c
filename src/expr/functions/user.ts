import type { Json } from "../../base/json.ts";
import { cloneJson, setOwn } from "../../base/json.ts";
import { isName, KEYWORDS } from "../lexer.ts";
import { MappingError } from "../mapping-error.ts";
import type { Call, ExpressionFunction, Parameter, ParameterType, ResultType } from "./function.ts";
import { failure } from "./reading.ts";

export type UserFunction = (...args: Json[]) => Json;

export interface UserFunctionOptions {
  /** Given, arguments can be named, and are counted before the run. */
  readonly parameters?: readonly {
    readonly name: string;
    readonly type?: ParameterType;
    readonly optional?: boolean;
  }[];
  readonly result?: ResultType;
}

/** A plain function as one of the language. It must be pure and synchronous; it gets its own copies of its arguments. */
export function fromUser(
  name: string,
  fn: UserFunction,
  options: UserFunctionOptions = {},
): ExpressionFunction {
  if (!isName(name) || KEYWORDS.has(name)) {
    throw new MappingError(
      `"${name}" cannot be the name of a function: letters, digits, _ and - make a name.`,
    );
  }
  const parameters = options.parameters?.map(
    ({ name, type = "any", optional }): Parameter => ({
      name,
      kind: "value",
      type,
      ...(optional ? { optional } : {}),
    }),
  );
  return {
    name,
    parameters: parameters ?? [{ name: "arguments", kind: "value", type: "any", optional: true, rest: true }],
    result: options.result ?? "any",
    run(call) {
      const args = parameters === undefined ? call.rest() : parameters.map((p) => call.value(p.name));
      return runUser(call, fn, args);
    },
  };
}

function runUser(call: Call, fn: UserFunction, args: readonly Json[]): Json {
  const copies = args.map((arg) => {
    call.budget.produceWhole(arg);
    return cloneJson(arg);
  });
  let result: unknown;
  try {
    result = fn(...copies);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MappingError(`${call.functionName}: ${why}`, { cause: error });
  }
  return copyOfJson(call, result, 0);
}

const DEPTH_MAX = 1000;

/** The function may keep and change what it returned, and types do not hold at run time: copy, and check on the way. */
function copyOfJson(call: Call, value: unknown, depth: number): Json {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") {
    call.budget.produceText(value.length);
    return value;
  }
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (depth > DEPTH_MAX) throw failure(call, `it returned something nested deeper than ${DEPTH_MAX} levels`);
  if (Array.isArray(value)) {
    call.budget.produce(value.length);
    return Array.from(value, (item: unknown) => copyOfJson(call, item, depth + 1));
  }
  if (!isPlainObject(value)) throw failure(call, `it returned ${nonJson(value)}; a JSON value is expected`);
  const copy: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value)) {
    call.budget.produceText(key.length);
    call.budget.produce(1);
    setOwn(copy, key, copyOfJson(call, inner, depth + 1));
  }
  return copy;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function nonJson(value: unknown): string {
  if (value instanceof Promise) return "a promise (functions must be synchronous)";
  if (typeof value === "object" && value !== null) return `a ${value.constructor?.name ?? "special object"}`;
  return typeof value === "number" ? String(value) : typeof value;
}
