/* The built-in primitives. A new one is one file and one line here. */
import type { JsonObject } from "../../base/json.ts";
import { defineTool, type ToolDefinition } from "../tool.ts";
import { combineContent } from "./combine-content.ts";
import type { CoreAgent, CoreServices } from "./core-agent.ts";
import { schemaOf } from "./core-schema.ts";
import { describeFile } from "./describe-file.ts";
import { embedding } from "./embedding.ts";
import { httpRequest } from "./http-request.ts";
import { jsonQuery } from "./json-query.ts";
import { listDirectory } from "./list-directory.ts";
import { math } from "./math.ts";
import { modelObject } from "./model-object.ts";
import { bedrockText, modelText } from "./model-text.ts";
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
  modelText,
  modelObject,
  embedding,
  bedrockText,
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
const coreToolDeclarations: Readonly<Record<string, Declaration>> = Object.fromEntries(
  coreAgents.map((agent) => [toolName(agent), declarationOf(agent)]),
);

function declarationOf(agent: CoreAgent): Declaration {
  const { description, sideEffects } = agent;
  // No output: a JSON Schema cannot say "file", and the definition, which can, would have to yield to it.
  return { name: toolName(agent), description, sideEffects, input: schemaOf(agent.arguments) };
}

/** What the compiler always knows; whatever a user calls the same comes first. */
export const coreBuiltIns = { agents: coreAgentDefinitions, tools: coreToolDeclarations };

/** The tools behind the definitions, by name. */
export function coreTools(services: CoreServices): Record<string, ToolDefinition> {
  const tools = coreAgents.map((agent) => defineTool({ ...declarationOf(agent), run: agent.tool(services) }));
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
}
