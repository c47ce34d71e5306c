/* What `mcpServers` may say of a server: the form that other clients read, and a few words of our own. */
import { quote } from "../../base/describe.ts";
import { SequiturError } from "../../base/error.ts";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { isSetting, type Setting } from "../settings.ts";

export interface McpServerConfig {
  /** A program that speaks MCP on its standard input and output. */
  readonly command?: string;
  readonly args?: readonly Setting[];
  readonly env?: Readonly<Record<string, Setting>>;
  readonly cwd?: string;
  /** Or a server at an address. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, Setting>>;
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: Setting;
  /** Needed only for `sse`, the transport of old servers. */
  readonly type?: "stdio" | "http" | "streamable-http" | "streamableHttp" | "sse";
  readonly disabled?: boolean;
  /** The only tools that plans may call; all, unless given. */
  readonly tools?: readonly string[];
  /** When a person is asked: before tools that call themselves destructive (the default), before all, or never. */
  readonly confirm?: "destructive" | "always" | "never";
  /** Read a text that is a JSON object or list as what it says. */
  readonly parseJson?: boolean;
  /** The longest that one call may take. */
  readonly timeoutMs?: number;
  readonly startTimeoutMs?: number;
  /** The largest message that is read. */
  readonly messageBytesMax?: number;
}

const TEXTS = ["command", "cwd", "url"];
const NUMBERS = ["timeoutMs", "startTimeoutMs", "messageBytesMax"];
const FLAGS = ["disabled", "parseJson"];
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  type: ["stdio", "http", "streamable-http", "streamableHttp", "sse"],
  confirm: ["destructive", "always", "never"],
};
/** Other clients' own settings, which mean nothing here. */
const OTHERS = [
  "autoApprove",
  "alwaysAllow",
  "description",
  "timeout",
  "envFile",
  "trust",
  "gallery",
  "name",
];
const KEYS = [
  ...TEXTS,
  ...NUMBERS,
  ...FLAGS,
  ...Object.keys(CHOICES),
  "args",
  "env",
  "headers",
  "token",
  "tools",
];

/** Checks what a file or a caller says; every mistake has a sentence. */
export function readServerConfig(name: string, config: unknown): McpServerConfig {
  const problem = problemOf(name, config);
  if (problem !== undefined) throw new SequiturError("INVALID_OPTION", `mcpServers.${name}: ${problem}`);
  return config as McpServerConfig;
}

function problemOf(name: string, config: unknown): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    return "a server's name has letters, digits, - and _ (plans write it before a dot).";
  if (name === "sequitur") return 'the name "sequitur" is taken by the built-in tools.';
  if (!isObject(config as Json)) return `it must be an object, with "command" or "url".`;
  const given = config as JsonObject;
  for (const [key, value] of Object.entries(given)) {
    if (OTHERS.includes(key)) continue;
    if (!KEYS.includes(key)) return `there is no setting "${key}". Settings: ${KEYS.join(", ")}.`;
    const wrong = wrongSetting(key, value);
    if (wrong !== undefined) return `"${key}" must be ${wrong}.`;
  }
  if ((given.command === undefined) === (given.url === undefined))
    return `give it either "command", for a program, or "url", for a server at an address.`;
  if (typeof given.url === "string" && !given.url.includes("${") && !/^https?:\/\//.test(given.url))
    return `${quote(given.url)} is not an address; it begins with http:// or https://.`;
  return undefined;
}

function wrongSetting(key: string, value: Json): string | undefined {
  if (TEXTS.includes(key)) return typeof value === "string" && value !== "" ? undefined : "a text";
  if (NUMBERS.includes(key))
    return typeof value === "number" && value > 0 ? undefined : "a number greater than 0";
  if (FLAGS.includes(key)) return typeof value === "boolean" ? undefined : "true or false";
  const choices = CHOICES[key];
  if (choices !== undefined)
    return choices.includes(value as string) ? undefined : `one of ${choices.join(", ")}`;
  if (key === "token") return isSetting(value) ? undefined : SETTING;
  if (key === "args")
    return isList(value) && value.every(isSetting) ? undefined : `a list; each item ${SETTING}`;
  if (key === "tools")
    return isList(value) && value.every((item) => typeof item === "string") ? undefined : "a list of names";
  return isObject(value) && Object.values(value).every(isSetting)
    ? undefined
    : `an object; each value ${SETTING}`;
}

const SETTING = `a text, or { "$secret": "NAME" }`;
