/* Each agent definition as a tool of its own: a plan that somebody has written already. */
import { type Engine, type Json, type JsonObject, jsonTypeOf } from "../index.ts";
import { isRecord, type PlanTool } from "./plan-tool.ts";
import { startAndFollow } from "./run-plan.ts";

const AGENTS_MAX = 100;

export function agentTools(engine: Engine, taken: ReadonlySet<string>): PlanTool[] {
  const names = new Set(taken);
  const tools: PlanTool[] = [];
  for (const [path, given] of Object.entries(engine.agents).slice(0, AGENTS_MAX)) {
    const definition = parsed(given);
    if (definition === undefined) continue;
    const name = toolName(path, names);
    names.add(name);
    tools.push(agentTool(name, path, definition));
  }
  return tools;
}

function parsed(definition: Json): JsonObject | undefined {
  try {
    const value = typeof definition === "string" ? (JSON.parse(definition) as Json) : definition;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `/reports/weekly.agent` is `reports_weekly`: a name that every client takes. */
function toolName(path: string, taken: ReadonlySet<string>): string {
  const base =
    path
      .replace(/\.(agent|tool)$/, "")
      .replace(/[^A-Za-z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 56) || "agent";
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${base}_${i}`;
  return name;
}

function agentTool(name: string, path: string, definition: JsonObject): PlanTool {
  const { description, arguments: args } = definition;
  const fields = Array.isArray(args) ? (args as readonly Json[]).filter(isRecord) : [];
  return {
    name,
    title: typeof definition.name === "string" ? definition.name : name,
    description: `${typeof description === "string" ? description : `The agent ${path}.`} (agent ${path})`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [String(field.name), schemaOf(field)])),
      required: fields.filter(isRequired).map((field) => String(field.name)),
    },
    readOnly: false,
    destructive: true,
    call: (exchange, workplace) =>
      startAndFollow(definition, { ...exchange, args: { arguments: exchange.args } }, workplace),
  };
}

function isRequired({ required, default_value }: JsonObject): boolean {
  return required !== false && default_value === undefined;
}

function schemaOf({ type_name, description, enum: choices, default_value }: JsonObject): JsonObject {
  const type = jsonTypeOf(String(type_name));
  return {
    ...(type !== undefined && { type }),
    ...(typeof description === "string" && { description }),
    ...(Array.isArray(choices) && { enum: choices as readonly Json[] }),
    ...(default_value !== undefined && { default: default_value }),
  };
}
