import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { nearest } from "../compiler.ts";
import type { Budget, ModelOptions, RemoteToolOptions } from "../index.ts";
import { UsageError } from "./command.ts";
import { isFolder, readText } from "./named-files.ts";
import type { OptionSpec, Parsed } from "./options.ts";
import { REMOTE_KEYS, readRemoteSetting } from "./remote-config.ts";

/** Where the surroundings of a plan are, as absolute paths but for the tools. The command line wins over the file, key by key. */
export interface Config {
  /** Paths from `toolsFolder`, or names of packages that are installed there. */
  readonly tools: readonly string[];
  readonly toolsFolder: string;
  readonly agents: string | undefined;
  readonly files: string | undefined;
  readonly context: string | undefined;
  readonly db: string | undefined;
  /** Models by name; only the file has them. */
  readonly models: Readonly<Record<string, ModelOptions>> | undefined;
  /** What the models of one run may take. */
  readonly budget: Budget | undefined;
  /** MCP servers, HTTP APIs, and the hosts that may be called; `file` is where they are written. */
  readonly remote: RemoteConfig;
}

export type RemoteConfig = Pick<RemoteToolOptions, "mcpServers" | "openapi" | "http"> & {
  readonly file?: string;
};

export const TOOLS: OptionSpec = {
  name: "tools",
  kind: "list",
  value: "MODULE",
  about: "a module whose default export, or whose named exports, are tools",
};
export const AGENTS: OptionSpec = {
  name: "agents",
  kind: "value",
  value: "DIR",
  about: "the agents' definitions: DIR/a/b.agent is /a/b.agent",
};
export const FILES: OptionSpec = {
  name: "files",
  kind: "value",
  value: "DIR",
  about: "the root of the file store",
};
export const CONTEXT: OptionSpec = {
  name: "context",
  kind: "value",
  value: "FILE",
  about: "context variables, as in a context_variables.json",
};
export const DB: OptionSpec = { name: "db", kind: "value", value: "FILE", about: "the store of runs" };

const CONFIG_FILE = "sequitur.config.json";
const PATHS = ["tools", "agents", "files", "context", "db"] as const;
const ALL_KEYS = [...PATHS, "models", "budget", ...REMOTE_KEYS];
type Key = (typeof PATHS)[number];

/** A `sequitur.config.json`. */
interface ConfigFile {
  readonly paths: ReadonlyMap<Key, readonly string[]>;
  readonly models: Config["models"];
  readonly budget: Config["budget"];
  readonly remote: RemoteConfig;
}

/**
 * The options, over the `sequitur.config.json` of the current folder, or else of the folder that all the plans are in. What the
 * file says is meant from its own folder.
 */
export function readConfig(parsed: Parsed, folder: string, plans: readonly string[] = []): Config {
  const base = configFolder(folder, plans);
  const file = readConfigFile(base);
  const one = (key: Key): string | undefined => {
    const given = parsed.value(key);
    // SQLite's own word for a store that ends with the process; there is no such file.
    if (given === ":memory:") return given;
    if (given !== undefined) return resolve(folder, given);
    const value = file.paths.get(key)?.at(-1);
    return value === undefined ? undefined : resolve(base, value);
  };
  const named = parsed.list("tools");
  return {
    tools: named.length > 0 ? named : (file.paths.get("tools") ?? []),
    toolsFolder: named.length > 0 ? folder : base,
    agents: one("agents"),
    files: one("files"),
    context: one("context"),
    db: one("db"),
    models: file.models,
    budget: file.budget,
    remote: file.remote,
  };
}

/** What a run's record says of servers and APIs: the file that names them. */
export function readRemoteConfig(file: string): RemoteConfig {
  return readConfigFile(dirname(file)).remote;
}

function configFolder(folder: string, plans: readonly string[]): string {
  if (existsSync(join(folder, CONFIG_FILE))) return folder;
  const folders = new Set(plans.map((plan) => (plan === "-" ? folder : folderOf(resolve(folder, plan)))));
  const [only = folder] = folders;
  return folders.size === 1 && existsSync(join(only, CONFIG_FILE)) ? only : folder;
}

function folderOf(path: string): string {
  return isFolder(path) ? path : dirname(path);
}

function readConfigFile(folder: string): ConfigFile {
  const file = join(folder, CONFIG_FILE);
  if (!existsSync(file)) return { paths: new Map(), models: undefined, budget: undefined, remote: {} };
  return parseConfig(readText(file, CONFIG_FILE), folder);
}

function parseConfig(text: string, folder: string): ConfigFile {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `${CONFIG_FILE} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new UsageError(`${CONFIG_FILE} must be an object with the keys ${ALL_KEYS.join(", ")}.`);
  }
  const paths = new Map<Key, readonly string[]>();
  let models: Config["models"];
  let budget: Config["budget"];
  const remote: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config)) {
    if (key === "$schema") continue;
    const path = PATHS.find((name) => name === key);
    const remoteKey = REMOTE_KEYS.find((name) => name === key);
    if (path !== undefined) paths.set(path, readSetting(path, value));
    else if (remoteKey !== undefined) remote[remoteKey] = readRemoteSetting(remoteKey, value, folder);
    else if (key === "models") models = readModels(value);
    else if (key === "budget") budget = readBudget(value);
    else throw unknownKey(key);
  }
  const file = Object.keys(remote).length === 0 ? {} : { file: join(folder, CONFIG_FILE) };
  return { paths, models, budget, remote: { ...remote, ...file } };
}

/** The engine checks what is in it. */
function readBudget(value: unknown): Config["budget"] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new UsageError(`"budget" in ${CONFIG_FILE} must be an object: { "tokens": 50000, "cost": 0.5 }.`);
}

/** The engine checks the rest; a key in a file that is kept with the project would not stay a secret. */
function readModels(value: unknown): Config["models"] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(
      `"models" in ${CONFIG_FILE} must be an object: { "default": { "baseUrl": …, "model": … } }.`,
    );
  }
  for (const [name, model] of Object.entries(value)) {
    if (typeof (model as ModelOptions | null)?.apiKey !== "string") continue;
    throw new UsageError(
      `The apiKey of the model "${name}" in ${CONFIG_FILE} must be { "$secret": "NAME" }, and its value stand in the environment variable SEQUITUR_SECRET_NAME.`,
    );
  }
  return value as Config["models"];
}

function readSetting(key: Key, value: unknown): readonly string[] {
  const list: unknown[] = key === "tools" && Array.isArray(value) ? value : [value];
  const strings = list.filter((item) => typeof item === "string" && item !== "") as string[];
  if (strings.length === list.length) return strings;
  const expected = key === "tools" ? "a path, or a list of paths" : "a path";
  throw new UsageError(`"${key}" in ${CONFIG_FILE} must be ${expected}.`);
}

function unknownKey(key: string): UsageError {
  const near = nearest(key, ALL_KEYS);
  const instead = near === undefined ? `Its keys are ${ALL_KEYS.join(", ")}.` : `Did you mean "${near}"?`;
  return new UsageError(`${CONFIG_FILE} has no key "${key}". ${instead}`);
}
