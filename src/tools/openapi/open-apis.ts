/* HTTP APIs as tools. Each has a client of its own, which can call the API's host and nothing else. */
import { quote } from "../../base/describe.ts";
import { SequiturError } from "../../base/error.ts";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { HttpClient } from "../core/core-agent.ts";
import { bodyOf } from "../core/http-request.ts";
import { type HttpOptions, httpClient } from "../http/client.ts";
import { Settings } from "../settings.ts";
import { type ToolContext, type ToolDefinition, ToolError } from "../tool.ts";
import type { SourceHost, ToolSource } from "../tool-source.ts";
import { type OpenApiConfig, readApiConfig } from "./api-config.ts";
import { Credentials } from "./credentials.ts";
import { type OpenDocument, openDocument } from "./document.ts";
import { type Operation, readOperations } from "./operations.ts";
import { requestParts } from "./request.ts";

const TIMEOUT_MS = 60_000;
const UNCHANGING = ["GET", "HEAD", "OPTIONS"];
const ERROR_CHARACTERS_MAX = 300;

export async function openApis(
  configs: Readonly<Record<string, OpenApiConfig>>,
  http: HttpOptions,
  host: SourceHost,
): Promise<ToolSource[]> {
  return Promise.all(
    Object.entries(configs).map(async ([name, given]) =>
      openApi(name, readApiConfig(name, given), http, host),
    ),
  );
}

async function openApi(
  name: string,
  config: OpenApiConfig,
  http: HttpOptions,
  host: SourceHost,
): Promise<ToolSource> {
  const report = (message: string): void => host.report(name, message);
  const allowPrivate = config.allowPrivate ?? http.allowPrivate ?? false;
  const clientFor = (allowed: string): HttpClient => httpClient({ ...http, allow: [allowed], allowPrivate });
  const opened = await openDocument(name, config.document, async (allowed) => clientFor(allowed));
  const base = baseOf(name, config, opened);
  const api = new Api(
    config,
    base,
    clientFor(base.host),
    new Credentials(opened.document, config, new Settings(`openapi.${name}`, host.secrets), report),
  );
  const all = readOperations(opened.document, report);
  for (const wanted of config.operations ?? [])
    if (!all.some((operation) => operation.name === wanted))
      report(`There is no operation ${quote(wanted)}.`);
  const used = all.filter((operation) => config.operations?.includes(operation.name) ?? true);
  const tools: ToolDefinition[] = [];
  for (const operation of used) tools.push(await define(name, operation, config, api, host, report));
  return { name, tools, close: async () => {} };
}

function baseOf(name: string, { baseUrl }: OpenApiConfig, { document, url }: OpenDocument): URL {
  const [server] = isList(document.servers) ? document.servers : [];
  const text = baseUrl ?? (isObject(server) ? withDefaults(server) : undefined);
  if (text !== undefined && URL.canParse(text, url?.href)) return new URL(text, url?.href);
  throw new SequiturError(
    "INVALID_OPTION",
    `openapi.${name}: the document does not say where the API is; give "baseUrl".`,
  );
}

/** `https://{region}.example.com`, with what the document says of region. */
function withDefaults({ url, variables }: JsonObject): string | undefined {
  if (typeof url !== "string") return undefined;
  return url.replace(/\{([^}]+)\}/g, (all, key: string) => {
    const variable = isObject(variables) ? variables[key] : undefined;
    return isObject(variable) && typeof variable.default === "string" ? variable.default : all;
  });
}

async function define(
  api: string,
  operation: Operation,
  { confirm = "destructive" }: OpenApiConfig,
  caller: Api,
  host: SourceHost,
  report: (message: string) => void,
): Promise<ToolDefinition> {
  const usable = async (what: string, schema: JsonObject | undefined): Promise<JsonObject | undefined> => {
    const problem = schema && (await host.schemaProblem(schema));
    if (problem !== undefined) report(`The ${what} schema of "${operation.name}" is not used: ${problem}.`);
    return problem === undefined ? schema : undefined;
  };
  const input = await usable("input", operation.input);
  const output = await usable("output", operation.output);
  const changes = !UNCHANGING.includes(operation.method);
  return {
    name: `${api}.${operation.name}`,
    ...(operation.description !== undefined && { description: operation.description }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    sideEffects: changes,
    requiresConfirmation:
      (confirm === "changes" && changes) || (confirm === "destructive" && operation.method === "DELETE"),
    isRemote: true,
    run: (params: JsonObject, context) => caller.call(operation, params, context),
  };
}

class Api {
  readonly #base: URL;
  readonly #http: HttpClient;
  readonly #credentials: Credentials;
  readonly #timeoutMs: number;

  constructor({ timeoutMs }: OpenApiConfig, base: URL, http: HttpClient, credentials: Credentials) {
    this.#base = base;
    this.#http = http;
    this.#credentials = credentials;
    this.#timeoutMs = timeoutMs ?? TIMEOUT_MS;
  }

  async call(operation: Operation, params: JsonObject, context: ToolContext): Promise<Json> {
    const { method } = operation;
    const parts = requestParts(operation, this.#base, params);
    this.#credentials.addTo(parts, operation);
    if (!parts.headers.has("accept")) parts.headers.set("accept", "application/json, */*;q=0.5");
    // Services that know the header can tell a repeated attempt from a second order.
    if (!UNCHANGING.includes(method)) parts.headers.set("idempotency-key", context.idempotencyKey);
    const response = await this.#http.send({
      ...parts,
      method,
      timeoutMs: this.#timeoutMs,
      redirectsMax: 5,
      signal: context.signal,
    });
    const body = bodyOf(response, "auto");
    if (response.status < 400) return body;
    const { status } = response;
    const said =
      body === null
        ? ""
        : `: ${(typeof body === "string" ? body : JSON.stringify(body)).slice(0, ERROR_CHARACTERS_MAX)}`;
    throw new ToolError(`${method} ${operation.path} answered with status ${status}${said}`, {
      code: `HTTP_${status}`,
      retryable: status === 408 || status === 425 || status === 429 || status >= 500,
    });
  }
}
