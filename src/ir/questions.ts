import { getOwn, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { Block, Question, Step } from "./program.ts";
import type { Template } from "./template.ts";

/** Gives each question the schema and description of the argument that its answer becomes, where the tool declares one. */
export function describeQuestions(questions: readonly Question[], { steps }: Block): readonly Question[] {
  if (questions.length === 0) return questions;
  const wanted = new Map<string, JsonObject>();
  for (const step of steps) {
    const schema = step.call.kind === "tool" ? step.call.signature?.inputSchema : undefined;
    if (schema !== undefined) collect(step.arguments, schema, wanted);
  }
  return questions.map((question) => describe(question, wanted.get(question.name), steps));
}

function describe(question: Question, schema: JsonObject | undefined, steps: readonly Step[]): Question {
  const text = schema?.description;
  const intent = steps.find((step) => step.id === question.stepIds[0])?.intent;
  const description = typeof text === "string" ? text : intent;
  return { ...question, schema, description };
}

/** A placeholder that is a whole value is described by the schema of that value. */
function collect(template: Template, schema: Json | undefined, wanted: Map<string, JsonObject>): void {
  if (!isObject(schema)) return;
  if (template.kind === "reference") {
    const { root } = template;
    if (root.kind === "input" && !wanted.has(root.name)) wanted.set(root.name, schema);
  } else if (template.kind === "list") {
    for (const item of template.items) collect(item, schema.items, wanted);
  } else if (template.kind === "object" && isObject(schema.properties)) {
    for (const [i, key] of template.keys.entries()) {
      collect(template.values[i] as Template, getOwn(schema.properties, key), wanted);
    }
  }
}
