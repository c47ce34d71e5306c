/* The built-in primitives. A new one is one file and one line here. */
import { type Json, type JsonObject, setOwn } from "../../base/json.ts";
import { defineTool, type ToolDefinition } from "../tool.ts";
import { combineContent } from "./combine-content.ts";
import type { CoreAgent, CoreField, CoreServices } from "./core-agent.ts";
import { describeFile } from "./describe-file.ts";
import { httpRequest } from "./http-request.ts";
import { jsonQuery } from "./json-query.ts";
import { listDirectory } from "./list-directory.ts";
import { math } from "./math.ts";
import { putFile } from "./put-file.ts";
import { readFile } from "./read-file.ts";
import { renderTemplate } from "./render-template.ts";
import { wait } from "./wait.ts";

export const coreAgents: readonly CoreAgent[] = [
  readFile,
  putFile,
  listDirectory,
  describeFile,
  math,
  renderTemplate,
  combineContent,
  httpRequest,
  jsonQuery,
  wait,
];

const toolName = (agent: CoreAgent): string => `sequitur.core.${agent.name}`;

/** By path, as the agents of a folder are. */
export const coreAgentDefinitions: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  coreAgents.map((agent) => [`/agents/core/${agent.name}.agent`, definitionOf(agent)]),
);

function definitionOf(agent: CoreAgent): JsonObject {
  return {
    name: agent.name,
    description: agent.description,
    system_event_endpoint: toolName(agent),
    arguments: agent.arguments.map((field) => ({ ...field })),
    responses: agent.responses.map((field) => ({ ...field })),
  };
}

type Declaration = Omit<ToolDefinition, "run">;

/** The tools without what they do: all that a compiler needs, in a browser as well. */
export const coreToolDeclarations: Readonly<Record<string, Declaration>> = Object.fromEntries(
  coreAgents.map((agent) => [toolName(agent), declarationOf(agent)]),
);

function declarationOf(agent: CoreAgent): Declaration {
  const { description, sideEffects } = agent;
  const input = schemaOf(agent.arguments);
  return { name: toolName(agent), description, sideEffects, input, output: schemaOf(agent.responses) };
}

/** What the compiler always knows; whatever a user calls the same comes first. */
export const coreBuiltIns = { agents: coreAgentDefinitions, tools: coreToolDeclarations };

/** The tools behind the definitions, by name. */
export function coreTools(services: CoreServices): Record<string, ToolDefinition> {
  const tools = coreAgents.map((agent) => defineTool({ ...declarationOf(agent), run: agent.tool(services) }));
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
}

const JSON_TYPES: Readonly<Record<CoreField["type_name"], string | undefined>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  list: "array",
  object: "object",
  file: "string",
  any: undefined,
};

/** Step and action plans call the tools by their names, and are checked against this. */
function schemaOf(fields: readonly CoreField[]): JsonObject {
  const properties: Record<string, Json> = {};
  for (const field of fields) setOwn(properties, field.name, schemaOfField(field));
  const required = fields.filter((field) => field.required !== false).map((field) => field.name);
  return { type: "object", properties, required };
}

function schemaOfField(field: CoreField): JsonObject {
  const type = JSON_TYPES[field.type_name];
  const optional = field.required === false;
  return {
    description: field.description,
    ...(type !== undefined && { type: optional ? [type, "null"] : type }),
    ...(field.enum !== undefined && { enum: optional ? [...field.enum, null] : field.enum }),
  };
}
