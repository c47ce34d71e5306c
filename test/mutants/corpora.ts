/* The corpora that lie beside the project, read where they are and never copied. */
import { existsSync, readFileSync } from "node:fs";
import { isObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { readModelPlans } from "./model-plans.ts";
import {
  type NeutralPlan,
  type NeutralStep,
  type NeutralTool,
  type NeutralValue,
  neutral,
  neutralPath,
} from "./neutral-plan.ts";

const FOLDER = new URL("../../../shared/corpora/", import.meta.url);

export const haveCorpora = existsSync(FOLDER);

export interface Corpus {
  readonly name: string;
  readonly plans: () => NeutralPlan[];
}

export const CORPORA: readonly Corpus[] = [
  { name: "nestful-v1", plans: readNestful1 },
  { name: "nestful-v2", plans: readNestful2 },
  { name: "mathqa", plans: readMathqa },
  { name: "conductor", plans: readConductor },
  { name: "llm-plans", plans: () => readModelPlans(rows("llm-plans/plans.jsonl")) },
];

function read(path: string): string {
  return readFileSync(new URL(path, FOLDER), "utf8");
}

/** Rows are objects whose fields the folder's README names; a field of the wrong kind would fail the conversion. */
function rows(path: string): JsonObject[] {
  const lines = read(path).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as JsonObject);
}

interface Call {
  readonly name: string;
  readonly label?: string;
  readonly arguments: JsonObject;
}

const TYPES = new Map([
  ["string", "string"],
  ["date (yyyy-mm-dd)", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["float", "number"],
  ["boolean", "boolean"],
  ["array", "array"],
  ["object", "object"],
]);

/** `{ name: { type, required?, properties? } }`, as NESTFUL writes it, as JSON Schema. */
function schemaOf(parameters: Json | undefined): JsonObject | undefined {
  if (!isObject(parameters)) return undefined;
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!isObject(parameter)) continue;
    const type = TYPES.get(String(parameter.type).toLowerCase());
    const inner = type === "object" ? schemaOf(parameter.properties) : undefined;
    properties[name] =
      inner ?? (type === undefined || type === "array" ? { ...(type && { type }) } : { type });
    if (parameter.required === true) required.push(name);
  }
  return { type: "object", properties, required };
}

function readNestful1(): NeutralPlan[] {
  const tools: Record<string, NeutralTool> = { var_result: { input: undefined, output: undefined } };
  for (const tool of rows("nestful-v1/tools.jsonl")) {
    const input = schemaOf(tool.query_parameters ?? tool.parameters);
    tools[String(tool.name)] = { input, output: schemaOf(tool.output_parameters) };
  }
  return rows("nestful-v1/plans.jsonl").map(({ id, plan }) => {
    const calls = plan as unknown as Call[];
    return {
      id: String(id),
      steps: calls.map((call, i) => nestfulStep(call, call.label ?? `end${i}`)),
      tools,
    };
  });
}

function nestfulStep(call: Call, id: string): NeutralStep {
  const split = (value: Json) =>
    neutral(value, /\$(var_?\d+)([.[][^$]*)?\$/g, ([, step = "", path = ""]) => ({
      step,
      path: neutralPath(path),
    }));
  const args = Object.entries(call.arguments).map(([name, value]) => [name, split(value)] as const);
  return { id, tool: call.name, arguments: Object.fromEntries(args) };
}

function readNestful2(): NeutralPlan[] {
  const functions = JSON.parse(read("nestful-v2/functions.json")) as Record<
    string,
    { args: string[]; output: string }
  >;
  const tools: Record<string, NeutralTool> = {};
  for (const [name, { args, output }] of Object.entries(functions)) {
    // Only the arithmetic says what its types are, by the names of its arguments.
    const type = args.every((arg) => arg.startsWith("arg_")) ? { type: "number" } : {};
    const properties = Object.fromEntries(args.map((arg) => [arg, type]));
    tools[name] = {
      input: { type: "object", properties, required: args },
      output: { type: "object", properties: { [output]: type }, required: [output] },
    };
  }
  return rows("nestful-v2/executable.jsonl").map(({ id, plan }) => {
    const calls = plan as unknown as Call[];
    const steps = calls.map((call, i) => nestfulStep(call, (call.label ?? `$end${i}`).slice(1)));
    return { id: String(id), steps, tools };
  });
}

function readMathqa(): NeutralPlan[] {
  const operations = JSON.parse(read("mathqa/operations.json")) as Record<string, { arity: number }>;
  const number = { type: "number" };
  const tools: Record<string, NeutralTool> = {};
  for (const [name, { arity }] of Object.entries(operations)) {
    const names = Array.from({ length: arity }, (_, i) => `arg_${i}`);
    const input = {
      type: "object",
      properties: Object.fromEntries(names.map((arg) => [arg, number])),
      required: names,
    };
    tools[name] = { input, output: { type: "object", properties: { value: number }, required: ["value"] } };
  }
  return rows("mathqa/executable.jsonl").map(({ id, inputs, steps }) => {
    const list = steps as unknown as { id: string; op: string; args: string[] }[];
    const values = inputs as Record<string, number>;
    return { id: String(id), steps: list.map((step) => mathStep(step, values)), tools };
  });
}

function mathStep(
  step: { id: string; op: string; args: string[] },
  inputs: Record<string, number>,
): NeutralStep {
  const argument = (arg: string): NeutralValue => {
    if (arg.startsWith("#")) return { kind: "text", parts: [{ step: `s${arg.slice(1)}`, path: ["value"] }] };
    const constant = arg === "const_pi" ? Math.PI : Number(arg.replace("const_", "").replace("_", "."));
    return { kind: "constant", value: inputs[arg] ?? constant };
  };
  const args = step.args.map((arg, i) => [`arg_${i}`, argument(arg)] as const);
  return { id: `s${step.id.slice(1)}`, tool: step.op, arguments: Object.fromEntries(args) };
}

interface Task {
  readonly name: string;
  readonly taskReferenceName: string;
  readonly inputParameters?: JsonObject;
}

/** Definitions that are a plain list of tasks: what branches, loops or forks means more than a list of steps. */
function readConductor(): NeutralPlan[] {
  const control = /^(FORK|JOIN|DO_WHILE|SWITCH|DECISION|DYNAMIC|TERMINATE|SET_VARIABLE)/;
  const plain = rows("conductor/workflows.jsonl").filter(({ task_types }) => {
    return Array.isArray(task_types) && !task_types.some((type) => control.test(String(type)));
  });
  return plain.map(({ id, definition }) => {
    const tasks = (definition as JsonObject).tasks as unknown as Task[];
    const ids = new Set(tasks.map((task) => task.taskReferenceName));
    const steps = tasks.map((task) => conductorStep(task, ids));
    const tools = Object.fromEntries(
      tasks.map(({ name }) => [name, { input: undefined, output: undefined }]),
    );
    return { id: String(id), steps, tools };
  });
}

/** What a workflow is given is no step; such references stay text. */
function conductorStep(task: Task, ids: ReadonlySet<string>): NeutralStep {
  const split = (value: Json) =>
    neutral(value, /\$\{([\w-]+)\.output([.[][^}]*)?\}/g, ([, step = "", path = ""]) => {
      return ids.has(step) ? { step, path: neutralPath(path) } : undefined;
    });
  const args = Object.entries(task.inputParameters ?? {}).map(
    ([name, value]) => [name, split(value)] as const,
  );
  return { id: task.taskReferenceName, tool: task.name, arguments: Object.fromEntries(args) };
}
