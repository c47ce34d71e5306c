import { isList, isObject, type Json } from "../base/json.ts";
import type { Program } from "../ir/program.ts";
import type { CatalogueEntry } from "./catalogue.ts";

/** Calls of what exists, but was not to be used: a model may have heard of it elsewhere. */
export function foreignCalls(program: Program, plan: Json, entries: readonly CatalogueEntry[]): string[] {
  const known = new Set(entries.map(({ name }) => name));
  return calledNames(program, plan)
    .filter((name) => !known.has(name) && !known.has(`/${name}`))
    .map((name) => `"${name}" may not be used here.`);
}

function calledNames({ dialect, blocks: [block] }: Program, plan: Json): string[] {
  if (dialect !== "agent")
    return block.steps.map(({ call }) => (call.kind === "tool" ? call.tool : call.agent));
  // The program has the agents' short names; the plan has their paths.
  const instructions = isObject(plan) && isList(plan.instructions) ? plan.instructions : [];
  return instructions.filter(isObject).map((instruction) => {
    const path = instruction.agent_definition_path ?? instruction.tool_definition_path;
    // A definition of its own could call any tool.
    return typeof path === "string" ? path : "agent_definition";
  });
}
