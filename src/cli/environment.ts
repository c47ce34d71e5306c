import { type Dirent, readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { type CompileOptions, harmless } from "../compiler.ts";
import type { EngineOptions, RemoteTools } from "../index.ts";
import { UsageError } from "./command.ts";
import { type Config, type RemoteConfig, readConfig } from "./config.ts";
import type { Console } from "./console.ts";
import { loadTools, type Tools } from "./load-tools.ts";
import { readText } from "./named-files.ts";
import type { OptionSpec, Parsed } from "./options.ts";

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
  /** Servers and APIs, open; their tools are among the others. Whoever loaded them closes them, or an engine does. */
  readonly remote: RemoteTools | undefined;
  /** False where `ENABLE_STEP_REFERENCES` says so. */
  readonly stepReferences: boolean;
}

/** `call: false`: nothing is called, so that no server is started. */
export async function loadEnvironment(
  parsed: Parsed,
  console: Console,
  { call = true }: { readonly call?: boolean } = {},
): Promise<Environment> {
  const { folder, env } = console;
  const config = readConfig(parsed, folder, parsed.operands);
  const { agents, context } = config;
  const files = agents === undefined ? undefined : readAgents(agents);
  const contextVariables = context === undefined ? undefined : readText(context, "The context variables");
  const tools = config.tools.length === 0 ? undefined : await loadTools(config.tools, config.toolsFolder);
  const remote = call ? await openRemote(config.remote, parsed, console) : undefined;
  return {
    config,
    tools: remote === undefined ? tools : { ...remote.tools(), ...tools },
    remote,
    agents: files && Object.fromEntries([...files].map(([path, file]) => [path, file.text])),
    agentFiles: new Map([...(files ?? [])].map(([path, file]) => [path, file.file])),
    contextVariables,
    stepReferences: !["false", "0"].includes(env.ENABLE_STEP_REFERENCES?.trim().toLowerCase() ?? ""),
  };
}

/** Starts the servers and reads the documents that a configuration names; loads nothing where it names none. */
export async function openRemote(
  config: RemoteConfig,
  parsed: Parsed,
  console: Console,
): Promise<RemoteTools | undefined> {
  if (config.mcpServers === undefined && config.openapi === undefined) return undefined;
  const { openRemoteTools } = await import("../index.ts");
  return openRemoteTools({
    ...config,
    ...(await secretsOf(parsed, console)),
    log: ({ message }) => console.err(harmless(message)),
  });
}

export const SECRETS: OptionSpec = {
  name: "secrets",
  kind: "value",
  value: "FILE",
  about: `values of secrets: { "NAME": "value" }`,
};

/** The values of secrets in the file that `--secrets` names; the environment's, where none is named. */
export async function secretsOf(
  parsed: Parsed,
  { folder }: Console,
): Promise<Pick<EngineOptions, "secrets">> {
  const file = parsed.value("secrets");
  if (file === undefined) return {};
  const { readSecretsFile } = await import("../index.ts");
  return { secrets: readSecretsFile(resolve(folder, file)) };
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
function readAgents(folder: string): ReadonlyMap<string, AgentFile> {
  const found = entriesBelow(folder).filter(
    (entry) => !entry.isDirectory() && /\.(agent|tool)$/.test(entry.name),
  );
  const files = found.map((entry) => join(entry.parentPath, entry.name)).sort();
  const agents = new Map<string, AgentFile>();
  for (const file of files) {
    agents.set(`/${relative(folder, file).split(sep).join("/")}`, { file, text: readText(file, "An agent") });
  }
  return agents;
}

function entriesBelow(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    throw new UsageError(`The agents in ${folder} cannot be read: ${(error as Error).message}`);
  }
}
