/* The values of context variables at a run's start: given by the caller, read from the store, or their defaults. */
import { describe, withArticle } from "../base/describe.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../base/json.ts";
import { fitsType } from "../context/value-type.ts";
import type { Collections } from "../drivers/driver.ts";
import type { ContextDeclarations } from "../ir/context-declarations.ts";
import { normaliseResult } from "../tools/normalise.ts";
import { readDefined } from "./defined-variables.ts";
import { PlanError } from "./plan-error.ts";

const NOTHING: JsonObject = {};

/** What the caller gives, checked against the declarations. Names that nobody declared are variables all the same. */
export function givenContext(
  declarations: ContextDeclarations | undefined,
  given: Json | undefined,
): JsonObject {
  if (given === undefined && declarations === undefined) return NOTHING;
  const values = normaliseResult(given ?? {});
  if (!isObject(values))
    throw refused([`The context must be an object of names and values, not ${describe(values)}`]);
  const problems: string[] = [];
  const check = (name: string, expected: string, fits: (value: Json) => boolean): void => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || fits(value)) return;
    problems.push(`The context variable "${name}" must be ${expected}, but it is given ${describe(value)}`);
  };
  for (const { name, typeName } of [...(declarations?.defined ?? []), ...(declarations?.runtime ?? [])]) {
    check(name, withArticle(typeName), (value) => fitsType(value, typeName));
  }
  for (const { name } of declarations?.derived ?? []) {
    check(name, "true or false", (value) => typeof value === "boolean");
  }
  if (problems.length > 0) throw refused(problems);
  return values;
}

/** Every variable with its value, as the run's first event records it. */
export function startingContext(
  declarations: ContextDeclarations | undefined,
  args: JsonObject,
  given: JsonObject,
  collections: Collections,
): JsonObject {
  if (declarations === undefined) return given;
  const values: Record<string, Json> = {};
  const stored = readDefined(declarations, args, given, collections);
  if (stored.problems.length > 0) throw refused(stored.problems);
  for (const { name } of declarations.defined) setOwn(values, name, stored.values[name] ?? null);
  for (const { name, default: value } of declarations.runtime) setOwn(values, name, value ?? null);
  for (const { name, default: value } of declarations.derived) setOwn(values, name, value);
  for (const [name, value] of Object.entries(given)) setOwn(values, name, value);
  return values;
}

function refused(problems: readonly string[]): PlanError {
  return new PlanError(
    problems.map((why) => ({
      code: "given-context",
      name: "SchemaValidationError",
      severity: "error",
      message: `${why}.`,
      pointer: "",
      hints: [],
    })),
  );
}
