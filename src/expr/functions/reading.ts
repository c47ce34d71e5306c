/*
 * Reading arguments with the type that a function needs. A wrong type is a MappingError that names the function, the
 * parameter, what was there and what was expected.
 */
import { describe } from "../../base/describe.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { isList, isObject } from "../../base/json.ts";
import { MappingError } from "../mapping-error.ts";
import type { Call } from "./function.ts";

export function failure(call: Call, message: string): MappingError {
  return new MappingError(`${call.functionName}: ${message}.`);
}

export function mismatch(call: Call, what: string, value: Json, expected: string): MappingError {
  return failure(call, `${what} is ${describe(value)}; ${expected} is expected`);
}

export function listOf(call: Call, parameter: string): readonly Json[] {
  const value = call.value(parameter);
  if (!isList(value)) throw mismatch(call, `"${parameter}"`, value, "a list");
  return value;
}

export function objectOf(call: Call, parameter: string): JsonObject {
  const value = call.value(parameter);
  if (!isObject(value)) throw mismatch(call, `"${parameter}"`, value, "an object");
  return value;
}

export function textOf(call: Call, parameter: string): string {
  const value = call.value(parameter);
  if (typeof value !== "string") throw mismatch(call, `"${parameter}"`, value, "a string");
  return value;
}

/** An optional string: `otherwise` where it was left out or is null. */
export function textOr<T>(call: Call, parameter: string, otherwise: T): string | T {
  const value = call.value(parameter);
  if (value === null) return otherwise;
  if (typeof value !== "string") throw mismatch(call, `"${parameter}"`, value, "a string");
  return value;
}

export function numberOf(call: Call, parameter: string): number {
  const value = call.value(parameter);
  if (typeof value !== "number") throw mismatch(call, `"${parameter}"`, value, "a number");
  return value;
}

/** A value as text: a string as it is, anything else as JSON. */
export function asText(call: Call, value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) call.budget.produceWhole(value);
  return JSON.stringify(value);
}
