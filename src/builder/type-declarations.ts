/* What `sequitur types` writes: an interface of tools and one of agents, by name, with what each takes and gives. */
import { isObject, type Json } from "../base/json.ts";
import { fieldsText, schemaText } from "../ir/schema-text.ts";
import type { ToolDeclaration } from "../ir/tool-signature.ts";

type Tools = Readonly<Record<string, ToolDeclaration | ((...args: never[]) => unknown)>>;

export function typeDeclarations(tools: Tools, agents: Readonly<Record<string, Json>>): string {
  const toolEntries = Object.entries(tools).map(([name, tool]) => {
    const { description, input, output }: ToolDeclaration = typeof tool === "function" ? {} : tool;
    return entry(name, description, schemaText(input), schemaText(output));
  });
  const agentEntries = Object.entries(agents).flatMap(([path, agent]) => {
    const definition = typeof agent === "string" ? parsed(agent) : agent;
    if (!isObject(definition)) return [];
    const { description, arguments: args, responses } = definition;
    const gives = responses === undefined ? "unknown" : fieldsText(responses, false);
    return [entry(path, description, fieldsText(args ?? [], true), gives)];
  });
  const parts = [
    "/* Written by `sequitur types`; write it again when tools or agents change. */",
    block("Tools", "What step and action plans call: `plan<Tools>()`.", toolEntries),
    block("Agents", "What instructions of agents call.", agentEntries),
  ];
  return `${parts.join("\n\n")}\n`;
}

function block(name: string, about: string, entries: readonly string[]): string {
  return `/** ${about} */\nexport interface ${name} {\n${entries.join("\n")}\n}`;
}

function entry(name: string, description: unknown, input: string, output: string): string {
  const about =
    typeof description === "string" && description.trim() !== "" ? oneLine(description) : undefined;
  const lines = [
    ...(about === undefined ? [] : [`  /** ${about} */`]),
    `  ${JSON.stringify(name)}: {`,
    `    input: ${input};`,
    `    output: ${output};`,
    "  };",
  ];
  return lines.join("\n");
}

/** A description comes from anywhere: it must not end the comment that it stands in. */
function oneLine(description: string): string {
  return description.replace(/\s+/g, " ").replaceAll("*/", "* /").trim();
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
