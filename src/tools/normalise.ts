import { type Json, type JsonObject, setOwn } from "../base/json.ts";
import { ToolError } from "./tool.ts";

const DEPTH_MAX = 1_000;

/**
 * The run's own copy of what a tool returned, as JSON: what the tool does with its object afterwards is not seen by anyone.
 * Reads as `JSON.stringify` would (`undefined` is left out, dates become text), but refuses what has no JSON form.
 */
export function normaliseResult(value: unknown, depth = 0): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "undefined":
      return null;
    case "object":
      return value === null ? null : copyObject(value, depth);
    default:
      throw notJson(`a ${typeof value}`);
  }
}

function copyObject(value: object, depth: number): Json {
  if (depth > DEPTH_MAX) throw notJson("a value that is nested too deep, or holds itself");
  if (Array.isArray(value)) {
    const copy = new Array<Json>(value.length);
    for (let i = 0; i < copy.length; i++) copy[i] = normaliseResult(value[i], depth + 1);
    return copy;
  }
  if ("toJSON" in value && typeof value.toJSON === "function")
    return normaliseResult(value.toJSON(), depth + 1);
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) {
    throw notJson(`a ${value.constructor.name}`);
  }
  // A spread copies all keys at once; then only what is not plain is left to do.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const item = copy[key];
    if (typeof item === "string" || typeof item === "boolean" || item === null) continue;
    if (item === undefined || typeof item === "function" || typeof item === "symbol") delete copy[key];
    else if (typeof item !== "number" || !Number.isFinite(item))
      setOwn(copy, key, normaliseResult(item, depth + 1));
  }
  return copy as JsonObject;
}

function notJson(what: string): ToolError {
  return new ToolError(`The tool returned ${what}, which has no JSON form.`, {
    code: "INVALID_RESULT",
    retryable: false,
  });
}
