/* A neutral plan in each of our three languages, with everything it calls declared. */
import { isList, isObject, type Json, type JsonObject } from "../../src/base/json.ts";
import type { CompileOptions } from "../../src/compiler.ts";
import { printPath } from "../../src/expr/path.ts";
import {
  type NeutralPlan,
  type NeutralReference,
  type NeutralTool,
  type NeutralValue,
  referencesIn,
} from "./neutral-plan.ts";

export type Language = "actions" | "steps" | "agent";
export const LANGUAGES: readonly Language[] = ["actions", "steps", "agent"];

export interface WrittenPlan {
  readonly language: Language;
  readonly plan: Json;
  readonly options: CompileOptions;
}

/** Undefined where the language has no words for it: a part of a string, or a whole result, in agents. */
export function writePlan(plan: NeutralPlan, language: Language): WrittenPlan | undefined {
  if (language === "agent") return writeAgent(plan);
  const numbers = new Map(plan.steps.map((step, i) => [step.id, i]));
  const refer = ({ step, path }: NeutralReference): string =>
    language === "actions"
      ? `{{${step}.result${printPath(path)}}}`
      : `\${step[${numbers.get(step) ?? 999}].data${printPath(path)}}`;
  const steps = plan.steps.map(({ id, tool, arguments: args }): JsonObject => {
    const values = writeArguments(args, refer);
    return language === "actions" ? { id, tool, arguments: values } : { tool, params: values };
  });
  const tools = Object.fromEntries(
    Object.entries(plan.tools).map(([name, { input, output }]) => [name, { input, output }]),
  );
  return { language, plan: language === "actions" ? steps : { steps }, options: { tools } };
}

function writeAgent(plan: NeutralPlan): WrittenPlan | undefined {
  const values = plan.steps.flatMap((step) => Object.values(step.arguments));
  const isWhole = (value: NeutralValue): boolean => {
    if (value.kind === "text") return value.parts.length === 1;
    if (value.kind === "list") return value.items.every(isWhole);
    return value.kind !== "object" || value.entries.every(([, item]) => isWhole(item));
  };
  const hasKey = ({ path }: NeutralReference) => typeof path[0] === "string";
  if (!values.every((value) => isWhole(value) && referencesIn(value).every(hasKey))) return undefined;
  const refer = ({ step, path }: NeutralReference) => `REF:${step}${printPath(path)}`;
  const instructions = plan.steps.map(({ id, tool, arguments: args }) => ({
    execution_id: id,
    agent_definition_path: `/${tool}.agent`,
    arguments: writeArguments(args, refer),
  }));
  const used = new Set(plan.steps.map(({ tool }) => tool));
  const agents = Object.fromEntries(
    [...used].map((tool) => [`/${tool}.agent`, definitionOf(tool, plan.tools[tool])]),
  );
  return { language: "agent", plan: { instructions }, options: { agents } };
}

function definitionOf(tool: string, declared: NeutralTool | undefined): JsonObject {
  const args = fieldsOf(declared?.input);
  const responses = fieldsOf(declared?.output);
  return { system_event_endpoint: tool, ...(args && { arguments: args }), ...(responses && { responses }) };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "list",
  string: "string",
  number: "number",
  boolean: "boolean",
  object: "object",
};

function fieldsOf(schema: JsonObject | undefined): Json[] | undefined {
  if (!isObject(schema?.properties)) return undefined;
  const required = isList(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const type = isObject(property) ? String(property.type) : "";
    return { name, type_name: TYPE_NAMES[type] ?? "any", required: required.includes(name) };
  });
}

function writeArguments(
  args: Readonly<Record<string, NeutralValue>>,
  refer: (reference: NeutralReference) => string,
): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, writeValue(value, refer)]));
}

function writeValue(value: NeutralValue, refer: (reference: NeutralReference) => string): Json {
  switch (value.kind) {
    case "constant":
      return value.value;
    case "text":
      return value.parts.map((part) => (typeof part === "string" ? part : refer(part))).join("");
    case "list":
      return value.items.map((item) => writeValue(item, refer));
    case "object":
      return Object.fromEntries(value.entries.map(([key, item]) => [key, writeValue(item, refer)]));
  }
}
