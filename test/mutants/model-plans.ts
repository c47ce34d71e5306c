/* Plans as language models wrote them: LLMCompiler, ReWOO, HuggingGPT. What cannot be read for certain is left out. */
import { isList, isObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { type NeutralPlan, type NeutralStep, neutral } from "./neutral-plan.ts";

export function readModelPlans(rows: readonly JsonObject[]): NeutralPlan[] {
  const plans = rows.map(({ id, syntax, plan_text }) => {
    const text = String(plan_text);
    const steps =
      syntax === "$N" ? compilerSteps(text) : syntax === "#E N" ? rewooSteps(text) : generatedSteps(text);
    const tools = Object.fromEntries(
      steps.map(({ tool }) => [tool, { input: undefined, output: undefined }]),
    );
    return { id: String(id), steps, tools };
  });
  return plans.filter(({ steps }) => steps.length > 0);
}

/** `3. math("min($1, $2)", ["$1"])` */
function compilerSteps(text: string): NeutralStep[] {
  return [...text.matchAll(/^(\d+)\. (\w+)\((.*)\)$/gm)].flatMap(([, number = "", tool = "", args = ""]) => {
    const values = parsed(`[${args.replaceAll("'", '"')}]`);
    if (!isList(values)) return [];
    const split = (value: Json) =>
      neutral(value, /\$(\d+)/g, ([, step = ""]) => ({ step: `s${step}`, path: [] }));
    const entries = values.map((value, i) => [`arg_${i}`, split(value)] as const);
    return [{ id: `s${number}`, tool, arguments: Object.fromEntries(entries) }];
  });
}

/** `#E2 = LLM[Who was it? Given context: #E1]` */
function rewooSteps(text: string): NeutralStep[] {
  return [...text.matchAll(/^#E(\d+) = (\w+)\[(.*)\]$/gm)].map(([, number = "", tool = "", input = ""]) => {
    const value = neutral(input, /#E(\d+)/g, ([, step = ""]) => ({ step: `e${step}`, path: [] }));
    return { id: `e${number}`, tool, arguments: { input: value } };
  });
}

/** `{ "task": …, "id": 2, "dep": [1], "args": { "image": "<GENERATED>-1" } }` */
function generatedSteps(text: string): NeutralStep[] {
  const list = parsed(text);
  if (!isList(list)) return [];
  return list.filter(isObject).map((task) => {
    const split = (value: Json) =>
      neutral(value, /<GENERATED>-(\d+)|<GENERATED-(\d+)>/g, ([, a, b]) => ({
        step: `t${a ?? b}`,
        path: [],
      }));
    const entries = Object.entries(isObject(task.args) ? task.args : {}).map(
      ([name, value]) => [name, split(value)] as const,
    );
    return { id: `t${task.id}`, tool: String(task.task), arguments: Object.fromEntries(entries) };
  });
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
