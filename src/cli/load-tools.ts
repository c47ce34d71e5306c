import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ToolDeclaration } from "../compiler.ts";
import { UsageError } from "./command.ts";

export type Tool = ToolDeclaration | ((...args: never[]) => unknown);
export type Tools = Readonly<Record<string, Tool>>;

/** The tools of all modules together; of a name that two of them have, the later counts. */
export async function loadTools(modules: readonly string[], folder: string): Promise<Tools> {
  const tools = new Map<string, Tool>();
  for (const module of modules)
    for (const [name, tool] of await loadModule(module, folder)) tools.set(name, tool);
  return Object.fromEntries(tools);
}

/**
 * The default export, or else the named exports: an object of tools by name, a list of tools that have names, or one such
 * tool. A tool's own name wins over the name it is exported under.
 */
async function loadModule(module: string, folder: string): Promise<ReadonlyMap<string, Tool>> {
  const exported: unknown = await import(pathToFileURL(modulePath(module, folder)).href).catch(
    (error: unknown) => {
      throw new UsageError(
        `The tools in ${module} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      );
    },
  );
  const whole = isRecord(exported) ? (exported.default ?? exported) : exported;
  const tools = new Map<string, Tool>();
  for (const [key, tool] of entriesOf(whole)) {
    if (!isTool(tool))
      throw new UsageError(
        `"${key}" in ${module} is not a tool: a tool is a function, or what defineTool gives.`,
      );
    tools.set(nameOf(tool) ?? key, tool);
  }
  if (tools.size === 0) throw new UsageError(`There are no tools in ${module}: it exports nothing.`);
  return tools;
}

function entriesOf(exported: unknown): [string, unknown][] {
  if (Array.isArray(exported)) return exported.map((tool: unknown, i) => [String(i), tool]);
  if (typeof exported === "function") return [[exported.name, exported]];
  if (!isRecord(exported)) return [];
  return nameOf(exported) === undefined ? Object.entries(exported) : [["default", exported]];
}

/** A path from the folder, or else the name of an installed package: the file that it stands for. */
export function modulePath(module: string, folder: string): string {
  const file = resolve(folder, module);
  if (existsSync(file)) return file;
  try {
    return createRequire(resolve(folder, "package.json")).resolve(module);
  } catch {
    throw new UsageError(`There is no module ${module}: no file ${file}, and no package of that name.`);
  }
}

function isTool(value: unknown): value is Tool {
  return typeof value === "function" || isRecord(value);
}

/** What `defineTool` gives has a name and something to run. */
function nameOf(tool: Tool): string | undefined {
  if (typeof tool === "function") return undefined;
  const { name, run } = tool as { readonly name?: unknown; readonly run?: unknown };
  return typeof name === "string" && typeof run === "function" ? name : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
