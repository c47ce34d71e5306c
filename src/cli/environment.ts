import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { CompileOptions } from "../compiler.ts";
import { UsageError } from "./command.ts";
import { type Config, readConfig } from "./config.ts";
import type { Console } from "./console.ts";
import { loadTools, type Tools } from "./load-tools.ts";
import type { Parsed } from "./options.ts";

/** What surrounds the plans of a command: options and `sequitur.config.json`, read and loaded. */
export interface Environment {
  readonly config: Config;
  /** Undefined where no module was named. */
  readonly tools: Tools | undefined;
  /** Definitions by agent path, as text, so that diagnostics have positions. Undefined where no folder was named. */
  readonly agents: Readonly<Record<string, string>> | undefined;
  /** Where each agent path came from. */
  readonly agentFiles: ReadonlyMap<string, string>;
  /** The text of a `context_variables.json`. */
  readonly contextVariables: string | undefined;
  /** False where `ENABLE_STEP_REFERENCES` says so. */
  readonly stepReferences: boolean;
}

export async function loadEnvironment(parsed: Parsed, { folder, env }: Console): Promise<Environment> {
  const config = await readConfig(parsed, folder, parsed.operands);
  const { agents, context } = config;
  const [tools, files, contextVariables] = await Promise.all([
    config.tools.length === 0 ? undefined : loadTools(config.tools, config.toolsFolder),
    agents === undefined ? undefined : readAgents(agents),
    context === undefined ? undefined : readText(context, "The context variables"),
  ]);
  return {
    config,
    tools,
    agents: files && Object.fromEntries([...files].map(([path, file]) => [path, file.text])),
    agentFiles: new Map([...(files ?? [])].map(([path, file]) => [path, file.file])),
    contextVariables,
    stepReferences: !["false", "0"].includes(env.ENABLE_STEP_REFERENCES?.trim().toLowerCase() ?? ""),
  };
}

/** The environment as the compiler takes it. */
export function compileOptions(environment: Environment): CompileOptions {
  const { tools, agents, contextVariables, stepReferences } = environment;
  return { tools, agents, contextVariables, stepReferences };
}

interface AgentFile {
  readonly file: string;
  readonly text: string;
}

/** `DIR/a/b.agent` is `/a/b.agent`; tools' definitions may be called `.tool`. */
async function readAgents(folder: string): Promise<ReadonlyMap<string, AgentFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw new UsageError(`The agents in ${folder} cannot be read: ${error.message}`);
  });
  const found = entries.filter((entry) => !entry.isDirectory() && /\.(agent|tool)$/.test(entry.name));
  const files = found.map((entry) => join(entry.parentPath, entry.name)).sort();
  const texts = await Promise.all(files.map((file) => readText(file, "An agent")));
  const agents = new Map<string, AgentFile>();
  for (const [i, file] of files.entries()) {
    agents.set(`/${relative(folder, file).split(sep).join("/")}`, { file, text: texts[i] ?? "" });
  }
  return agents;
}

async function readText(file: string, what: string): Promise<string> {
  return readFile(file, "utf8").catch((error: Error) => {
    throw new UsageError(`${what} cannot be read: ${error.message}`);
  });
}
