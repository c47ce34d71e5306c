/* One conversation with a server, from its beginning to its end. The SDK is loaded here, when the first one begins. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { Settings } from "../settings.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { TOOLS_MAX } from "./read-tools.ts";
import type { McpServerConfig } from "./server-config.ts";
import { StdioTransport } from "./stdio-transport.ts";

const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const START_TIMEOUT_MS = 30_000;
const PAGES_MAX = 100;

export interface Listeners {
  /** The server's list of tools is another one now. */
  listChanged(): void;
  logged(level: string, data: Json): void;
  closed(): void;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly meta: JsonObject;
  readonly onProgress: (progress: JsonObject) => void;
}

export class Connection {
  readonly #client: Client;
  readonly #lastWords: readonly string[];
  #whyGone: string | undefined;
  #gone = false;

  private constructor(client: Client, lastWords: readonly string[]) {
    this.#client = client;
    this.#lastWords = lastWords;
  }

  static async open(config: McpServerConfig, settings: Settings, listeners: Listeners): Promise<Connection> {
    const [sdk, types, { FloodGuard }] = await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/types.js"),
      import("./flood-guard.ts"),
    ]);
    const client = new sdk.Client({ name: "sequitur", version: "0.1.0" }, { capabilities: {} });
    const drop = (why: string): void => void connection.drop(why);
    const transport = await transportOf(config, settings, drop);
    const connection = new Connection(client, transport instanceof StdioTransport ? transport.lastWords : []);
    client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => listeners.listChanged());
    client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) =>
      listeners.logged(params.level, (params.data ?? null) as Json),
    );
    client.onclose = () => {
      connection.#gone = true;
      listeners.closed();
    };
    client.onerror = (error) => {
      // The calls under way would wait for answers that cannot come any more.
      if (/SSE stream disconnected|Maximum reconnection attempts/.test(error.message)) drop(error.message);
    };
    try {
      await client.connect(new FloodGuard(transport), { timeout: config.startTimeoutMs ?? START_TIMEOUT_MS });
    } catch (error) {
      await client.close().catch(() => {});
      throw new Error(connection.explain(messageOf(error)), { cause: error });
    }
    if (client.getServerCapabilities()?.logging !== undefined) client.setLoggingLevel("info").catch(() => {});
    return connection;
  }

  get isGone(): boolean {
    return this.#gone;
  }

  /** A sentence of what went wrong, with what the program said last. */
  explain(message: string): string {
    const words = this.#lastWords.slice(-3).join(" | ");
    const why = this.#whyGone ?? message;
    return words === "" || why.includes(words) ? why : `${why} It said: ${words}`;
  }

  /** All entries of the list, unread. Not by the SDK's own method, for which one bad entry spoils the list. */
  async list(): Promise<readonly Json[]> {
    const { ResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
    const found: Json[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_MAX && found.length <= TOOLS_MAX; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const answer: JsonObject = (await this.#client.request({ method: "tools/list", params }, ResultSchema, {
        timeout: START_TIMEOUT_MS,
      })) as JsonObject;
      if (isList(answer.tools)) found.push(...answer.tools);
      if (typeof answer.nextCursor !== "string" || answer.nextCursor === cursor) break;
      cursor = answer.nextCursor;
    }
    return found;
  }

  async call(name: string, args: JsonObject, options: CallOptions): Promise<JsonObject> {
    const { ResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
    const result = await this.#client.request(
      { method: "tools/call", params: { name, arguments: args, _meta: options.meta } },
      ResultSchema,
      {
        signal: options.signal,
        timeout: options.timeoutMs,
        onprogress: (progress) => options.onProgress(progress as unknown as JsonObject),
      },
    );
    return isObject(result) ? (result as JsonObject) : {};
  }

  /** Ends it; the calls under way fail. */
  async drop(why: string): Promise<void> {
    this.#whyGone ??= why;
    await this.#client.close().catch(() => {});
  }
}

async function transportOf(
  config: McpServerConfig,
  settings: Settings,
  drop: (why: string) => void,
): Promise<Transport> {
  const bytesMax = config.messageBytesMax ?? MESSAGE_BYTES_MAX;
  if (config.command !== undefined) {
    const args = (config.args ?? []).map((arg, i) => settings.value(`args[${i}]`, arg, false));
    const env = valuesOf(config.env, settings, false);
    const command = settings.value("command", config.command, false);
    return new StdioTransport({ command, args, env, cwd: config.cwd }, bytesMax);
  }
  const url = new URL(settings.value("url", config.url ?? "", false));
  const headers = valuesOf(config.headers, settings, true);
  if (config.token !== undefined)
    headers.Authorization = `Bearer ${settings.value("token", config.token, true)}`;
  const options = { requestInit: { headers }, fetch: boundedFetch(bytesMax, drop) };
  if (config.type === "sse") {
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    return new SSEClientTransport(url, options);
  }
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  // The SDK's own types are at odds with exact optional properties.
  return new StreamableHTTPClientTransport(url, options) as Transport;
}

function valuesOf(
  given: McpServerConfig["env"],
  settings: Settings,
  areSecrets: boolean,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([name, value]) => [name, settings.value(name, value, areSecrets)]),
  );
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" && path !== undefined) return `There is no program "${path}".`;
  if (code === "EPIPE") return "The program has ended.";
  const cause =
    error.cause instanceof Error && error.message === "fetch failed" ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
