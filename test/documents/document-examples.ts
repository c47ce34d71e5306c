/* Plans out of the documents: every example that is one, or a step that can be put into one, as it stands there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isList, isObject, type Json, type JsonObject } from "../../src/base/json.ts";

const FOLDER = new URL("../../../shared/seeds/", import.meta.url);

export interface DocumentExample {
  readonly title: string;
  readonly plan: Json;
}

/** JSON in the document's code blocks; comments are the document's, not the plan's. */
function* examplesIn(file: string): Generator<DocumentExample> {
  const text = readFileSync(new URL(file, FOLDER), "utf8");
  for (const block of text.matchAll(/```(?:json)?\n(.*?)```/gs)) {
    const plan = asPlan(parsed((block[1] ?? "").replaceAll(/^\s*\/\/.*$|\s\/\/ .*$/gm, "")));
    if (plan === undefined) continue;
    const line = text.slice(0, block.index).split("\n").length + 1;
    yield { title: `${file}, line ${line}`, plan };
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text.trim().startsWith('"') ? `{${text}}` : text) as Json;
  } catch {
    return undefined;
  }
}

/** The plan that the example is or can stand in. */
function asPlan(example: Json | undefined): Json | undefined {
  if (isList(example)) return example.every((step) => isObject(step) && "tool" in step) ? example : undefined;
  if (!isObject(example)) return undefined;
  if (isList(example.instructions)) return completed(example, example.instructions);
  if (example.execution_id !== undefined && example.agent_definition_path !== undefined)
    return completed({}, [example]);
  if (example.transform_arguments !== undefined || example.transform_results !== undefined)
    return completed({}, [step("x", example)]);
  if (example.parallel_execution !== undefined) return completed({}, [step("x", example)]);
  if (isList(example.conditions)) return completed({}, [step("x", example)]);
  if (example.derived_variables !== undefined)
    return { context_variables: example, plan: [{ id: "i", tool: "InterviewAgent" }] };
  if (example.id !== undefined && example.tool !== undefined) return [example];
  const known = ["user_profile", "all_files", "text_input", "user_data", "file_content"];
  return known.some((key) => example[key] !== undefined)
    ? completed({}, [step("x", { arguments: example })])
    : undefined;
}

function step(id: string, more: JsonObject): JsonObject {
  return { execution_id: id, agent_definition_path: `/agents/${id}.agent`, ...more };
}

/** With the arguments and steps that a fragment speaks of but does not show. */
function completed(definition: JsonObject, instructions: readonly Json[]): Json {
  const text = JSON.stringify([definition, instructions]);
  const referred = [...text.matchAll(/REF:([\w-]+)\.([\w-]+)/g)].map(([, context = "", key = ""]) => [
    context,
    key,
  ]);
  const ids = new Set(instructions.map((item) => (isObject(item) ? String(item.execution_id) : "")));
  for (const item of instructions) {
    for (const id of isObject(item) && isList(item.dependencies) ? item.dependencies : [])
      referred.push([String(id), ""]);
  }
  const missing = new Set(
    referred
      .map(([context = ""]) => context)
      .filter((id) => !["arguments", "response"].includes(id) && !ids.has(id)),
  );
  const names = new Set(referred.flatMap(([context, key = ""]) => (context === "arguments" ? [key] : [])));
  const declared = [...names].map((name) => ({ name, type_name: "any", required: false }));
  return {
    arguments: declared,
    ...definition,
    instructions: [...[...missing].map((id) => step(id, {})), ...instructions],
  };
}

/** None where the documents are not at hand. */
export function documentExamples(): DocumentExample[] {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((file) => file.endsWith(".md")) : [];
  return files.flatMap((file) => [...examplesIn(file)]);
}
