/*
 * The documents' examples as workloads. They show neither the agents they call nor what those give, so both are made up: each
 * step gives whatever is referred to of it.
 */
import { isList, isObject, type Json, type JsonObject, setOwn } from "../../../src/base/json.ts";
import { type Tool, type ToolContext, ToolError } from "../../../src/index.ts";
import { documentExamples } from "../../documents/document-examples.ts";
import type { Workload } from "../play.ts";

export function documentWorkloads(): Workload[] {
  return documentExamples().flatMap(({ title, plan }) => [
    workloadOf(title, plan, false),
    workloadOf(`${title}, where the first call fails`, plan, true),
  ]);
}

function workloadOf(title: string, plan: Json, fails: boolean): Workload {
  const text = JSON.stringify(plan);
  const given = shapesOf(text, plan);
  const ids = [...text.matchAll(/"(?:execution_id|id)":"([\w-]+)"/g)].map(([, id = ""]) => id);
  const broken = fails ? ids[0] : undefined;
  const tool = (_: JsonObject, { stepId, emit }: ToolContext): Json => {
    const id = stepId.replace(/\[\d+\]$/, "");
    emit({ kind: "TextEmitted", text: "TERMINATE" });
    if (id === broken) throw new ToolError("it broke", { code: "BROKEN" });
    return { done: stepId, ...given.get("response"), ...given.get(id) };
  };
  const paths = [...text.matchAll(/"agent_definition_path":"([^"]+)"/g)].map(([, path = ""]) => path);
  const names = [...text.matchAll(/"tool":"([^"]+)"/g)].map(([, name = ""]) => name);
  const tools: Record<string, Tool> = Object.fromEntries([...names, "made_up"].map((name) => [name, tool]));
  const agents = Object.fromEntries(paths.map((path) => [path, { system_event_endpoint: "made_up" }]));
  const inner = isObject(plan) && isObject(plan.plan) ? plan.plan : plan;
  return { title, plan, tools, agents, options: { arguments: argumentsOf(inner, items(text)) } };
}

/** A list of things that have every property that an expression asks for. */
function items(text: string): Json[] {
  const names = new Set(
    [...text.matchAll(/(?:\bitem|\[\d+\]|\.(?:\d+|first|last|\*))\.(\w+)/g)].map(([, name = ""]) => name),
  );
  return [1, 2, 3].map((n) =>
    Object.fromEntries([["name", `n${n}`], ...[...names].map((name) => [name, n])]),
  );
}

function sampleOf(type: Json | undefined, list: Json): Json {
  const values: Readonly<Record<string, Json>> = {
    string: "text",
    number: 3,
    boolean: true,
    object: { made: "up" },
    file: "/made/up.txt",
  };
  return (typeof type === "string" ? values[type] : undefined) ?? list;
}

function argumentsOf(plan: Json, list: Json): JsonObject {
  const declared = isObject(plan) && isList(plan.arguments) ? plan.arguments : [];
  const entries = declared.flatMap((field): [string, Json][] =>
    isObject(field) ? [[String(field.name), sampleOf(field.type_name, list)]] : [],
  );
  return Object.fromEntries(entries);
}

/** What each step has to give, by its id, so that everything that is referred to is there. */
function shapesOf(text: string, plan: Json): Map<string, JsonObject> {
  const shapes = new Map<string, Record<string, Json>>();
  const list = items(text);
  const types = responseTypes(plan);
  const references = [...text.matchAll(/(?:REF:|\{\{)([\w-]+)((?:\.[\w-]+|\[\d+\])+)/g)];
  // The longest first: what has something inside is an object, whoever takes the whole of it.
  references.sort((a, b) => b[0].length - a[0].length);
  for (const [reference, id = "", path = ""] of references) {
    const keys = [...path.matchAll(/[\w-]+/g)].map(([key]) => key);
    if (reference.startsWith("{{")) keys.shift();
    const end = keys.findIndex((key) => /^(\d+|first|last|length)$/.test(key));
    const leaf = end < 0 ? sampleOf(types.get(reference), list) : list;
    const shape = shapes.get(id) ?? {};
    shapes.set(id, shape);
    put(shape, end < 0 ? keys : keys.slice(0, end), leaf);
  }
  return shapes;
}

/** Leaves what is there already. */
function put(shape: Record<string, Json>, [key = "", ...inside]: readonly string[], leaf: Json): void {
  const there = shape[key];
  if (inside.length === 0) {
    if (there === undefined) setOwn(shape, key, leaf);
  } else if (there === undefined || isObject(there)) {
    const deeper: Record<string, Json> = { ...there };
    setOwn(shape, key, deeper);
    put(deeper, inside, leaf);
  }
}

/** Types of what the plan responds with, by the references it takes them from. */
function responseTypes(plan: Json): Map<string, Json | undefined> {
  const types = new Map<string, Json | undefined>();
  if (!isObject(plan) || !isObject(plan.response_reference_map)) return types;
  for (const field of isList(plan.responses) ? plan.responses : []) {
    const reference = isObject(field) ? plan.response_reference_map[String(field.name)] : undefined;
    if (typeof reference === "string" && isObject(field)) types.set(reference, field.type_name);
  }
  return types;
}
