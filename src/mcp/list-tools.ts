import type { Engine, Json, JsonObject } from "../index.ts";
import { outline } from "./outline.ts";
import type { PlanTool } from "./plan-tool.ts";

const DESCRIPTION_CHARACTERS_MAX = 160;
const SHOWN_MAX = 60;
/** More tools than that are listed by name, until some are asked for. */
const SIGNATURES_MAX = 30;

export const listTools: PlanTool = {
  name: "list_tools",
  title: "List the tools of plans",
  description:
    'The tools that plans can call, with what they take and give. "query" looks for words; "names" gives the full description of some.',
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: "words to look for in names and descriptions" },
      names: { type: "array", items: { type: "string" }, description: "tools to describe in full" },
    },
  },
  readOnly: true,
  destructive: false,
  call: async ({ args }, { engine }) => {
    const all = toolsOf(engine);
    const names = Array.isArray(args.names) ? (args.names as readonly Json[]) : [];
    if (names.length > 0) {
      const found = all.filter(({ name }) => names.includes(name));
      const missing = names.filter((name) => !found.some((tool) => tool.name === name));
      return { tools: found.map((tool) => inFull(tool)), ...(missing.length > 0 && { unknown: missing }) };
    }
    const words = typeof args.query === "string" ? args.query.toLowerCase().split(/\W+/).filter(Boolean) : [];
    const fitting = words.length === 0 ? all : ranked(all, words);
    const shown = fitting.slice(0, SHOWN_MAX);
    const brief = shown.length > SIGNATURES_MAX;
    return {
      tools: shown.map((tool) => (brief ? `${tool.name}: ${short(tool.description)}` : signature(tool))),
      ...(fitting.length > shown.length && {
        more: `${fitting.length - shown.length} more: narrow it down with "query".`,
      }),
      ...(brief && { next: 'Give "names" or "query" to see what tools take and give.' }),
    };
  },
};

/** A few tools stand where a model that writes a plan looks anyway; of many it has to ask for those it needs. */
const CATALOGUE_CHARACTERS_MAX = 6_000;

export function catalogue(engine: Engine): string {
  const own = toolsOf(engine).filter(({ name }) => !name.startsWith("sequitur."));
  const lines = own.map(signature).join("\n");
  if (own.length > 0 && lines.length <= CATALOGUE_CHARACTERS_MAX)
    return `Tools of plans (list_tools has the built-in ones as well):\n${lines}`;
  return `There are ${engine.tools.size} tools: find them with list_tools first.`;
}

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
  readonly confirms: boolean;
}

function toolsOf(engine: Engine): ListedTool[] {
  // The built-in ones are there anyway: what this place is about comes first.
  const own = [...engine.tools].filter(([name]) => !name.startsWith("sequitur."));
  const builtIn = [...engine.tools].filter(([name]) => name.startsWith("sequitur."));
  return [...own, ...builtIn].map(
    ([name, { description = "", input, output, requiresConfirmation = false }]) => ({
      name,
      description,
      input,
      output,
      confirms: requiresConfirmation,
    }),
  );
}

/** Most words first; a word in the name counts double. */
function ranked(tools: readonly ListedTool[], words: readonly string[]): ListedTool[] {
  const score = ({ name, description }: ListedTool): number =>
    words.reduce(
      (sum, word) =>
        sum +
        (name.toLowerCase().includes(word) ? 2 : 0) +
        (description.toLowerCase().includes(word) ? 1 : 0),
      0,
    );
  return tools
    .map((tool) => ({ tool, score: score(tool) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** `name(input) -> output  // what it does` */
function signature({ name, description, input, output, confirms }: ListedTool): string {
  const gives = output === undefined ? "" : ` -> ${outline(output)}`;
  const asks = confirms ? " (asks the user first)" : "";
  return `${name}(${outline(input)})${gives}  // ${short(description)}${asks}`;
}

function inFull({ name, description, input, output, confirms }: ListedTool): JsonObject {
  return {
    name,
    description,
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(confirms && { asks_the_user_first: true }),
  };
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > DESCRIPTION_CHARACTERS_MAX
    ? `${line.slice(0, DESCRIPTION_CHARACTERS_MAX - 1)}…`
    : line;
}
