/*
 * A server and its tools, for as long as an engine is open.
 *
 * I1  Whatever happens to a server, only calls to it fail, and plans can try them again: it is started anew by the next call.
 * I2  A call is repeated without the plan saying so only where the server says that repeating does no harm.
 * I3  What a server sends unasked, lists, log lines, progress, is taken in amounts that are bounded.
 */
import { quote } from "../../base/describe.ts";
import { type Json, type JsonObject, setOwn } from "../../base/json.ts";
import { Settings } from "../settings.ts";
import { type ToolContext, type ToolDefinition, ToolError } from "../tool.ts";
import type { SourceHost, ToolSource } from "../tool-source.ts";
import { failureOf } from "./call-failure.ts";
import { valueOfResult } from "./call-result.ts";
import { Connection, messageOf } from "./connection.ts";
import { type ListedTool, readTools } from "./read-tools.ts";
import type { McpServerConfig } from "./server-config.ts";

const CALL_TIMEOUT_MS = 600_000;
const STARTS_MAX = 5;
const STARTS_WITHIN_MS = 60_000;
/** Lists are read again at most so often. */
const LIST_PAUSE_MS = 500;
const REPORTS_A_LIST = 50;
const EVENTS_A_CALL = 200;
const LINES_A_START = 1_000;
const TEXT_CHARACTERS_MAX = 2_000;

/** A call under way, as far as log lines of its server are concerned. */
interface Listening {
  readonly context: ToolContext;
  events: number;
}

export class McpServer implements ToolSource {
  readonly name: string;
  readonly #config: McpServerConfig;
  readonly #host: SourceHost;
  readonly #settings: Settings;
  readonly #calls = new Set<Listening>();
  #tools: readonly ToolDefinition[] = [];
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #starts: number[] = [];
  #lines = 0;
  #listTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(name: string, config: McpServerConfig, host: SourceHost) {
    this.name = name;
    this.#config = config;
    this.#host = host;
    this.#settings = new Settings(`mcpServers.${name}`, host.secrets);
  }

  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  /** Starts the server and reads its list. A server that cannot be started is reported, and has no tools. */
  async open(): Promise<void> {
    try {
      await this.#connected();
    } catch (error) {
      this.#report(`The server cannot be used: ${messageOf(error)}`);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#listTimer);
    const connection = this.#connection ?? (await this.#opening?.catch(() => undefined));
    await connection?.drop("The engine has been closed.");
  }

  #report(message: string, data?: Json): void {
    const { secrets } = this.#host;
    this.#host.report(this.name, secrets.scrub(message), data && secrets.scrub(data));
  }

  /** One start at a time, whoever asks. */
  #connected(): Promise<Connection> {
    if (this.#connection !== undefined) return Promise.resolve(this.#connection);
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #start(): Promise<Connection> {
    const now = Date.now();
    this.#starts = this.#starts.filter((at) => now - at < STARTS_WITHIN_MS);
    if (this.#closed || this.#starts.length >= STARTS_MAX)
      throw new Error(
        this.#closed
          ? "The engine has been closed."
          : `It has been started ${STARTS_MAX} times within a minute, and ended each time.`,
      );
    this.#starts.push(now);
    this.#lines = 0;
    const connection = await Connection.open(this.#config, this.#settings, {
      listChanged: () => this.#listLater(),
      logged: (level, data) => this.#logged(level, data),
      closed: () => this.#lost(),
    });
    this.#connection = connection;
    try {
      await this.#list(connection);
    } catch (error) {
      const why = connection.explain(messageOf(error));
      await connection.drop(why);
      throw new Error(why, { cause: error });
    }
    return connection;
  }

  #lost(): void {
    if (this.#connection === undefined) return;
    this.#connection = undefined;
    if (!this.#closed) this.#report("The server has ended; the next call starts it again.");
  }

  #listLater(): void {
    if (this.#listTimer !== undefined || this.#closed) return;
    this.#listTimer = setTimeout(() => {
      this.#listTimer = undefined;
      if (this.#connection !== undefined)
        this.#list(this.#connection).catch((error) =>
          this.#report(`Its tools cannot be listed: ${messageOf(error)}`),
        );
    }, LIST_PAUSE_MS);
    this.#listTimer.unref();
  }

  async #list(connection: Connection): Promise<void> {
    // A server that repeats its key in a description would have it shown to everybody.
    const listed = this.#host.secrets.scrub(await connection.list());
    const reported = new Set<string>();
    const report = (message: string): void => {
      if (reported.has(message) || reported.size >= REPORTS_A_LIST) return;
      reported.add(message);
      this.#report(message);
    };
    const tools = await readTools(listed, report, (schema) => this.#host.schemaProblem(schema));
    const { tools: wanted } = this.#config;
    const used = wanted === undefined ? tools : tools.filter(({ name }) => wanted.includes(name));
    for (const name of wanted ?? [])
      if (!tools.some((tool) => tool.name === name)) report(`It has no tool ${quote(name)}.`);
    this.#tools = used.map((tool) => this.#define(tool));
    this.#host.changed();
  }

  #define(tool: ListedTool): ToolDefinition {
    const { description, input, output, readOnly, destructive } = tool;
    const { confirm = "destructive" } = this.#config;
    return {
      name: `${this.name}.${tool.name}`,
      ...(description !== undefined && { description }),
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...((readOnly !== undefined || destructive) && { sideEffects: readOnly !== true }),
      requiresConfirmation: confirm === "always" || (confirm === "destructive" && destructive),
      isRemote: true,
      run: (params: JsonObject, context) => this.#call(tool, params, context),
    };
  }

  async #call(tool: ListedTool, params: JsonObject, context: ToolContext): Promise<Json> {
    for (let repeats = tool.repeatable ? 1 : 0; ; repeats--) {
      const connection = await this.#connectedFor(context);
      try {
        return await this.#ask(connection, tool, params, context);
      } catch (error) {
        const failure = failureOf(error, this.name, connection, context);
        const isGone = failure instanceof ToolError && failure.code === "SERVER_GONE";
        const isForgotten = failure instanceof ToolError && failure.code === "MCP_404";
        // An address gives no sign when whoever was there has gone.
        if (isGone || isForgotten) await connection.drop("The server has forgotten us.");
        if (!(isGone || isForgotten) || repeats <= 0 || context.signal.aborted) throw failure;
      }
    }
  }

  async #connectedFor({ signal }: ToolContext): Promise<Connection> {
    signal.throwIfAborted();
    return this.#connected().catch((error: unknown) => {
      throw new ToolError(`The server ${this.name} cannot be used: ${messageOf(error)}`, {
        code: "SERVER_GONE",
      });
    });
  }

  async #ask(
    connection: Connection,
    tool: ListedTool,
    params: JsonObject,
    context: ToolContext,
  ): Promise<Json> {
    const call: Listening = { context, events: 0 };
    this.#calls.add(call);
    try {
      const result = await connection.call(tool.name, withoutNulls(params, tool.input), {
        signal: context.signal,
        timeoutMs: this.#config.timeoutMs ?? CALL_TIMEOUT_MS,
        meta: { "sequitur/idempotency-key": context.idempotencyKey },
        onProgress: ({ progress, total, message }) =>
          emit(call, {
            kind: "ToolProgress",
            progress: progress ?? null,
            total: total ?? null,
            message: cut(message),
          }),
      });
      return await valueOfResult(result, context, this.#config.parseJson ?? false);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** MCP does not say which call a log line belongs to; with one under way there is no doubt. */
  #logged(level: string, data: Json): void {
    const [call, another] = this.#calls;
    const text = cut(typeof data === "string" ? data : JSON.stringify(data));
    if (call !== undefined && another === undefined) emit(call, { kind: "ToolLogged", level, message: text });
    if (["warning", "error", "critical", "alert", "emergency"].includes(level)) this.#warn(text ?? "");
  }

  #warn(line: string): void {
    if (++this.#lines <= LINES_A_START) this.#report(line);
    if (this.#lines === LINES_A_START) this.#report("It warns so often that the rest is left out.");
  }
}

function emit(call: Listening, event: JsonObject & { readonly kind: string }): void {
  if (++call.events <= EVENTS_A_CALL) call.context.emit(event);
}

function cut(text: Json | undefined): string | null {
  return typeof text === "string" ? text.slice(0, TEXT_CHARACTERS_MAX) : null;
}

/** A reference may give null for what is optional; a server that did not ask for null is told nothing instead. */
function withoutNulls(params: JsonObject, schema: JsonObject | undefined): JsonObject {
  const required = Array.isArray(schema?.required) ? (schema.required as readonly Json[]) : [];
  const given: Record<string, Json> = {};
  for (const [key, value] of Object.entries(params))
    if (value !== null || required.includes(key)) setOwn(given, key, value);
  return given;
}
