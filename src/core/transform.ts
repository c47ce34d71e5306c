import { getOwn, isObject, type Json, setOwn } from "../base/json.ts";
import { Budget } from "../expr/budget.ts";
import type { Environment } from "../expr/environment.ts";
import { evaluate } from "../expr/evaluator.ts";
import { MappingError } from "../expr/mapping-error.ts";
import type { Transform, TransformEntry } from "../ir/transform.ts";
import { resolve, resolveOrNull, resolveTemplate, type Scope } from "./resolve.ts";
import { failure, StepFailure } from "./step-error.ts";

/**
 * Applies a transform to the arguments or the response. Variables come first, each seeing the ones above it; every output
 * sees the target overlaid with the variables, and falls back to the outputs made so far for names that lacks. The outputs
 * are laid over the target; variables do not leak.
 */
export function applyTransform(transform: Transform, target: Json, scope: Scope): Json {
  const fields = isObject(target) ? target : {};
  const variables = new Map<string, Json>();
  const outputs = new Map<string, Json>();
  const name = (key: string): Json | undefined => {
    if (variables.has(key)) return variables.get(key);
    const field = getOwn(fields, key);
    return field === undefined ? outputs.get(key) : field;
  };
  const environment: Environment = {
    name,
    names: () => [...variables.keys(), ...Object.keys(fields), ...outputs.keys()],
    reference: (reference) => resolve(reference, scope),
    referenceOrNull: (reference) => resolveOrNull(reference, scope),
    functions: scope.state.setup.functions,
    nowMs: scope.state.now,
    budget: new Budget(),
  };
  for (const variable of transform.variables)
    variables.set(variable.name, entryValue(variable, environment, scope));
  for (const output of transform.outputs) outputs.set(output.name, entryValue(output, environment, scope));
  if (!isObject(target) && outputs.size === 0) return target;
  const result: Record<string, Json> = {};
  for (const key of Object.keys(fields)) setOwn(result, key, fields[key] as Json);
  for (const [key, value] of outputs) setOwn(result, key, value);
  return result;
}

function entryValue(entry: TransformEntry, environment: Environment, scope: Scope): Json {
  const { value } = entry;
  if (value.kind === "template") return resolveTemplate(value.template, scope);
  try {
    return evaluate(value.expression, environment);
  } catch (error) {
    if (error instanceof MappingError)
      throw new StepFailure(failure("MappingError", `${entry.name}: ${error.message}`));
    throw error;
  }
}
