/* What a plan may call, of all there is: by what the user may use, then by what the goal is about. */
import { isObject, type Json } from "../base/json.ts";
import type { DialectName } from "../ir/program.ts";
import { fieldsText, schemaText } from "../ir/schema-text.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { relevance } from "./relevance.ts";

/** A tool or an agent, as a model is told of it. */
export interface CatalogueEntry {
  readonly name: string;
  readonly description: string;
  /** TypeScript types. */
  readonly takes: string;
  readonly gives: string;
}

export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

export interface Selection {
  readonly entries: readonly CatalogueEntry[];
  readonly leftOut: readonly LeftOut[];
}

/** Agents call agents, by path; step and action plans call tools, by name. */
export function catalogueOf(
  dialect: DialectName,
  tools: ToolRegistry,
  agents: Readonly<Record<string, Json>>,
): CatalogueEntry[] {
  if (dialect === "agent") return Object.entries(agents).flatMap(([path, agent]) => agentEntry(path, agent));
  return [...tools].map(([name, { description, input, output }]) => ({
    name,
    description: oneLine(description),
    takes: input === undefined ? "Record<string, unknown>" : schemaText(input),
    gives: schemaText(output),
  }));
}

function agentEntry(name: string, agent: Json): CatalogueEntry[] {
  const definition = typeof agent === "string" ? parsed(agent) : agent;
  if (!isObject(definition)) return [];
  return [
    {
      name,
      description: oneLine(definition.description),
      takes: fieldsText(definition.arguments, true),
      gives: fieldsText(definition.responses, false),
    },
  ];
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

const DESCRIPTION_MAX = 300;

/** Descriptions come from anywhere: one that has many lines must not look like a part of the instructions. */
function oneLine(description: unknown): string {
  const text = typeof description === "string" ? description.replace(/\s+/g, " ").trim() : "";
  return text.length > DESCRIPTION_MAX ? `${text.slice(0, DESCRIPTION_MAX)}…` : text;
}

export function selectTools(
  goal: string,
  all: readonly CatalogueEntry[],
  mayUse: (name: string) => boolean,
  toolsMax: number,
): Selection {
  const leftOut: LeftOut[] = [];
  const allowed = all.filter(({ name }) => {
    if (mayUse(name)) return true;
    leftOut.push({ name, reason: "it may not be used here" });
    return false;
  });
  if (allowed.length <= toolsMax) return { entries: allowed, leftOut };
  const scores = relevance(
    goal,
    allowed.map(({ name, description, takes, gives }) => [name, name, description, takes, gives].join(" ")),
  );
  const ranked = allowed
    .map((entry, i) => ({ entry, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score);
  for (const [i, { entry, score }] of ranked.entries()) {
    if (i < toolsMax) continue;
    const reason =
      score === 0
        ? "it has nothing to do with the goal"
        : `${toolsMax} others have more to do with the goal (it is number ${i + 1} of ${ranked.length})`;
    leftOut.push({ name: entry.name, reason });
  }
  return { entries: ranked.slice(0, toolsMax).map(({ entry }) => entry), leftOut };
}
