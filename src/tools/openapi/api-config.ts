import { SequiturError } from "../../base/error.ts";
import { isList, isObject, type JsonObject } from "../../base/json.ts";
import { isSetting, type Setting } from "../settings.ts";

export interface OpenApiConfig {
  /** The OpenAPI document (3.0 or 3.1, JSON): a path, an address, or the document itself. */
  readonly document: string | JsonObject;
  /** Where the API is; what the document says, unless given. */
  readonly baseUrl?: string;
  /** Credentials by the name of the document's security scheme. */
  readonly secrets?: Readonly<Record<string, Setting>>;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, Setting>>;
  /** The only operations that plans may call; all, unless given. */
  readonly operations?: readonly string[];
  /** When a person is asked: before DELETE requests (the default), before all that change something, or never. */
  readonly confirm?: "destructive" | "changes" | "never";
  /** The API is in this machine or its network. */
  readonly allowPrivate?: boolean;
  readonly timeoutMs?: number;
}

const KEYS = [
  "document",
  "baseUrl",
  "secrets",
  "headers",
  "operations",
  "confirm",
  "allowPrivate",
  "timeoutMs",
];
const CONFIRM = ["destructive", "changes", "never"];

/** Checks what a file or a caller says; every mistake has a sentence. */
export function readApiConfig(name: string, config: unknown): OpenApiConfig {
  const problem = problemOf(name, config);
  if (problem !== undefined) throw new SequiturError("INVALID_OPTION", `openapi.${name}: ${problem}`);
  return config as OpenApiConfig;
}

function problemOf(name: string, config: unknown): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    return "an API's name has letters, digits, - and _ (plans write it before a dot).";
  if (name === "sequitur") return 'the name "sequitur" is taken by the built-in tools.';
  if (!isObject(config)) return `it must be an object with "document".`;
  const unknown = Object.keys(config).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return `there is no setting "${unknown}". Settings: ${KEYS.join(", ")}.`;
  const { document, baseUrl, secrets, headers, operations, confirm, allowPrivate, timeoutMs } = config;
  if (!isObject(document) && (typeof document !== "string" || document === ""))
    return `"document" must be a path or an address of an OpenAPI document in JSON.`;
  if (baseUrl !== undefined && (typeof baseUrl !== "string" || !/^https?:\/\//.test(baseUrl)))
    return `"baseUrl" must be an address such as https://api.example.com/v1.`;
  for (const [key, value] of Object.entries({ secrets, headers }))
    if (value !== undefined && !(isObject(value) && Object.values(value).every(isSetting)))
      return `"${key}" must be an object; each value a text, or { "$secret": "NAME" }.`;
  if (
    operations !== undefined &&
    !(isList(operations) && operations.every((item) => typeof item === "string"))
  )
    return `"operations" must be a list of names.`;
  if (confirm !== undefined && !CONFIRM.includes(confirm as string))
    return `"confirm" must be one of ${CONFIRM.join(", ")}.`;
  if (allowPrivate !== undefined && typeof allowPrivate !== "boolean")
    return `"allowPrivate" must be true or false.`;
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0))
    return `"timeoutMs" must be a number greater than 0.`;
  return undefined;
}
