/*
 * Workflows of Conductor, turned into action plans where the meaning is clear: tasks one after the other, forks with their
 * joins, references to what a task put out and to the workflow's input. What decides or loops while it runs, changes
 * variables, or reads what only Conductor has, is `unclear`, with the reason.
 */
import { getOwn, isList, isObject, type Json, type JsonObject } from "../../src/base/json.ts";
import { literalInActions, mapStrings } from "./escape.ts";

export interface ConductorRow {
  readonly id: string;
  readonly definition: JsonObject;
}

export type ConductorPlan =
  | {
      readonly kind: "plan";
      readonly plan: Json;
      readonly edges: readonly Edge[];
      readonly tools: readonly string[];
    }
  | { readonly kind: "unclear"; readonly why: string };

/** A step and one that it refers to. */
export type Edge = readonly [step: string, needs: string];

class Unclear extends Error {}

/** Tasks that decide what runs while they run; a plan says that beforehand. */
const DECIDING = new Set([
  "SWITCH",
  "DECISION",
  "DO_WHILE",
  "DYNAMIC",
  "FORK_JOIN_DYNAMIC",
  "TERMINATE",
  "SET_VARIABLE",
]);

const REFERENCE = /\$\{([^{}]*)\}/g;

export function readConductorPlan({ definition }: ConductorRow): ConductorPlan {
  const reader = new Reader();
  try {
    const tasks = definition.tasks;
    if (!isList(tasks)) throw new Unclear("there is no list of tasks");
    reader.sequence(tasks, []);
  } catch (error) {
    if (error instanceof Unclear) return { kind: "unclear", why: error.message };
    throw error;
  }
  const { steps, edges } = reader;
  const variables = { runtime_variables: [{ name: "input", default: {} }] };
  const tools = steps.map((step) => step.tool as string);
  return { kind: "plan", plan: { context_variables: variables, plan: steps }, edges, tools };
}

class Reader {
  readonly steps: JsonObject[] = [];
  readonly edges: Edge[] = [];

  /** Tasks one after the other; gives the steps that whatever follows has to wait for. */
  sequence(tasks: readonly Json[], before: readonly string[]): readonly string[] {
    let last = before;
    for (const task of tasks.filter(isObject)) last = this.#task(task, last);
    return last;
  }

  #task(task: JsonObject, before: readonly string[]): readonly string[] {
    const type = textOf(task, "type") ?? "SIMPLE";
    if (DECIDING.has(type)) throw new Unclear(`${type} decides while it runs`);
    if (type === "FORK_JOIN") return this.#fork(task, before);
    const id = textOf(task, "taskReferenceName") ?? "";
    if (this.steps.some((step) => step.id === id))
      throw new Unclear("two tasks have the same reference name");
    const joined = type === "JOIN" && isList(task.joinOn) ? task.joinOn.map(String) : before;
    const name = type === "SIMPLE" ? (textOf(task, "name") ?? "") : type;
    this.steps.push({ id, tool: name, arguments: this.#arguments(id, task), dependencies: joined });
    return [id];
  }

  #fork(task: JsonObject, before: readonly string[]): readonly string[] {
    const branches = isList(task.forkTasks) ? task.forkTasks.filter(isList) : [];
    return branches.flatMap((branch) => this.sequence(branch, before));
  }

  #arguments(id: string, task: JsonObject): Json {
    return mapStrings(task.inputParameters ?? {}, (text) => {
      let [written, at] = ["", 0];
      for (const match of text.matchAll(REFERENCE)) {
        written += literalInActions(text.slice(at, match.index)) + this.#reference(id, match[1] ?? "");
        at = match.index + match[0].length;
      }
      return written + literalInActions(text.slice(at));
    });
  }

  #reference(id: string, inside: string): string {
    const [, root = "", field = "", rest = ""] = /^([^.[]+)\.([^.[]+)(.*)$/s.exec(inside) ?? [];
    const path = rest.replace(/\['([^']*)'\]/g, '["$1"]');
    if (root === "workflow") {
      if (field === "input") return `{{context.input${path}}}`;
      throw new Unclear(`it reads workflow.${field}`);
    }
    if (field !== "output") throw new Unclear(`it reads something of a task other than its output`);
    if (!this.steps.some((step) => step.id === root))
      throw new Unclear("it refers to a task that isn't there before it");
    this.edges.push([id, root]);
    return `{{${root}.result${path}}}`;
  }
}

function textOf(object: JsonObject, key: string): string | undefined {
  const value = getOwn(object, key);
  return typeof value === "string" ? value : undefined;
}
