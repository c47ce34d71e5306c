/*
 * Templates as functions: for whoever fills one template again and again. Measured against looking at the kinds of a template
 * each time, closures over slots are about twice as fast, and making them costs about one filling.
 */
import { type Json, setOwn } from "../base/json.ts";
import { explainMissing, type Path, walk } from "../expr/path.ts";
import type { Reference } from "../expr/reference.ts";
import { asText } from "./fill-template.ts";
import type { Template } from "./template.ts";

/** From the results of steps, by number, to the value. Constants are shared; whoever hands them out copies. */
export type TemplateFunction = (results: readonly Json[]) => Json;

export function templateFunction(template: Template): TemplateFunction {
  switch (template.kind) {
    case "constant":
      return constant(template.value);
    case "secret":
      return constant(template.marker);
    case "reference":
      return lookUp(template.reference);
    case "text":
      return text(template.parts.map((part) => (typeof part === "string" ? part : lookUp(part.reference))));
    case "list":
      return list(template.items.map(templateFunction));
    case "object":
      return object(template.keys, template.values.map(templateFunction));
  }
}

function constant(value: Json): TemplateFunction {
  return () => value;
}

function text(parts: readonly (string | TemplateFunction)[]): TemplateFunction {
  return (results) => {
    let filled = "";
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] as string | TemplateFunction;
      filled += typeof part === "string" ? part : asText(part(results));
    }
    return filled;
  };
}

function list(items: readonly TemplateFunction[]): TemplateFunction {
  return (results) => {
    const filled = new Array<Json>(items.length);
    for (let i = 0; i < filled.length; i++) filled[i] = (items[i] as TemplateFunction)(results);
    return filled;
  };
}

function object(keys: readonly string[], values: readonly TemplateFunction[]): TemplateFunction {
  return (results) => {
    const filled: Record<string, Json> = {};
    for (let i = 0; i < keys.length; i++)
      setOwn(filled, keys[i] as string, (values[i] as TemplateFunction)(results));
    return filled;
  };
}

function lookUp({ root, path, text: written }: Reference): TemplateFunction {
  const step = root.kind === "result" ? root.step : -1;
  return (results) => {
    const result = results[step] as Json;
    const found = path.length === 0 ? result : walk(result, path);
    return found === undefined ? missing(written, result, path) : found;
  };
}

function missing(written: string, result: Json | undefined, path: Path): never {
  throw new ReferenceError(`${written}: ${explainMissing(result ?? null, path)}`);
}
