import { describe } from "../../base/describe.ts";
import type { Json } from "../../base/json.ts";
import { isList, isObject, setOwn } from "../../base/json.ts";
import type { BoundArguments } from "../call-binding.ts";
import { explainMissing, isPathProblem, type Path, parsePath, WILDCARD, walk } from "../path.ts";
import type { Call, ExpressionFunction } from "./function.ts";
import { OBJ } from "./parameters.ts";
import { failure, mismatch, objectOf, textOf } from "./reading.ts";

/** `get_object_property(user, "address.city")`: for paths that are not known when the plan is written. */
const getObjectProperty: ExpressionFunction = {
  name: "get_object_property",
  parameters: [
    { ...OBJ, type: "any" },
    { name: "property_path", kind: "value", type: "string" },
  ],
  result: "any",
  run(call) {
    const obj = call.value("obj");
    const path = propertyPath(call);
    if (!isObject(obj) && !isList(obj) && !call.lenient)
      throw mismatch(call, `"obj"`, obj, "an object or a list");
    if (path.includes(WILDCARD)) call.budget.produceWhole(obj);
    const value = walk(obj, path);
    if (value !== undefined) return value;
    if (call.lenient) return null;
    throw failure(call, `Attribute not found: ${explainMissing(obj, path)}`);
  },
};

function propertyPath(call: Call): Path {
  const text = textOf(call, "property_path");
  const dotted = text.startsWith(".") || text.startsWith("[") ? text : `.${text}`;
  const path = parsePath(dotted, 0, dotted.length);
  if (isPathProblem(path))
    throw failure(call, `"property_path" is ${describe(text)}, which is not a path: ${path.message}`);
  return path;
}

const jsonParse: ExpressionFunction = {
  name: "json_parse",
  parameters: [{ name: "json_string", kind: "value", type: "string" }],
  result: "any",
  run(call) {
    const text = textOf(call, "json_string");
    call.budget.produceText(text.length);
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw failure(call, `"json_string" is ${describe(text)}, which is not JSON: ${why}`);
    }
    return call.budget.admit(value);
  },
};

/** `create_object(id=item.id, total=4)`, or `create_object("id", item.id, "total", 4)` for keys that are no names. */
const createObject: ExpressionFunction = {
  name: "create_object",
  parameters: [{ name: "keys_and_values", kind: "value", type: "any", optional: true, rest: true }],
  result: "object",
  named: "any",
  check: checkPairs,
  run(call) {
    const pairs = call.rest();
    const named = call.named();
    call.budget.produce(pairs.length / 2 + named.length);
    const result: Record<string, Json> = {};
    for (let i = 0; i < pairs.length; i += 2) {
      const key = pairs[i] ?? null;
      if (typeof key !== "string") throw mismatch(call, `argument ${i + 1}, a key,`, key, "a string");
      setOwn(result, key, pairs[i + 1] ?? null);
    }
    for (const [name, value] of named) setOwn(result, name, value);
    return result;
  },
};

function checkPairs(bound: BoundArguments): string | undefined {
  if (bound.rest.length % 2 === 0) return undefined;
  return 'a key has no value; write create_object(key=value) or create_object("key", value)';
}

const keys: ExpressionFunction = {
  name: "keys",
  parameters: [OBJ],
  result: "list",
  run(call) {
    const found = Object.keys(objectOf(call, "obj"));
    call.budget.produce(found.length);
    return found;
  },
};

const values: ExpressionFunction = {
  name: "values",
  parameters: [OBJ],
  result: "list",
  run(call) {
    const found = Object.values(objectOf(call, "obj"));
    call.budget.produce(found.length);
    return found;
  },
};

export const objectFunctions: readonly ExpressionFunction[] = [
  getObjectProperty,
  jsonParse,
  createObject,
  keys,
  values,
];
