import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { nearest } from "../compiler.ts";
import { UsageError } from "./command.ts";
import type { OptionSpec, Parsed } from "./options.ts";

/** Where the surroundings of a plan are, as absolute paths. The command line wins over the file, key by key. */
export interface Config {
  readonly tools: readonly string[];
  readonly agents: string | undefined;
  readonly files: string | undefined;
  readonly context: string | undefined;
  readonly db: string | undefined;
}

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
const KEYS = ["tools", "agents", "files", "context", "db"] as const;
type Key = (typeof KEYS)[number];

/** Reads `sequitur.config.json` of the folder, if there is one, and the options over it. */
export async function readConfig(parsed: Parsed, folder: string): Promise<Config> {
  const file = await readConfigFile(folder);
  const one = (key: Key): string | undefined => {
    const value = parsed.value(key) ?? file.get(key)?.at(-1);
    return value === undefined ? undefined : resolve(folder, value);
  };
  const tools = parsed.list("tools").length > 0 ? parsed.list("tools") : (file.get("tools") ?? []);
  return { tools, agents: one("agents"), files: one("files"), context: one("context"), db: one("db") };
}

async function readConfigFile(folder: string): Promise<ReadonlyMap<Key, readonly string[]>> {
  const text = await readFile(join(folder, CONFIG_FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new UsageError(`${CONFIG_FILE} cannot be read: ${error.message}`);
  });
  return text === undefined ? new Map() : parseConfig(text);
}

function parseConfig(text: string): ReadonlyMap<Key, readonly string[]> {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `${CONFIG_FILE} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new UsageError(`${CONFIG_FILE} must be an object with the keys ${KEYS.join(", ")}.`);
  }
  const settings = new Map<Key, readonly string[]>();
  for (const [key, value] of Object.entries(config)) {
    if (key === "$schema") continue;
    const known = KEYS.find((name) => name === key);
    if (known === undefined) throw unknownKey(key);
    settings.set(known, readSetting(known, value));
  }
  return settings;
}

function readSetting(key: Key, value: unknown): readonly string[] {
  const list: unknown[] = key === "tools" && Array.isArray(value) ? value : [value];
  const strings = list.filter((item) => typeof item === "string" && item !== "") as string[];
  if (strings.length === list.length) return strings;
  const expected = key === "tools" ? "a path, or a list of paths" : "a path";
  throw new UsageError(`"${key}" in ${CONFIG_FILE} must be ${expected}.`);
}

function unknownKey(key: string): UsageError {
  const near = nearest(key, KEYS);
  const instead = near === undefined ? `Its keys are ${KEYS.join(", ")}.` : `Did you mean "${near}"?`;
  return new UsageError(`${CONFIG_FILE} has no key "${key}". ${instead}`);
}
