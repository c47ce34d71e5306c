/*
 * Tools of MCP servers and HTTP APIs. A source that fails, changes or lies harms nobody but the plans that call it: names that
 * are taken stay with whoever had them first, and what is left out is reported.
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { HttpOptions } from "../tools/http/client.ts";
import type { McpServerConfig } from "../tools/mcp/server-config.ts";
import type { OpenApiConfig } from "../tools/openapi/api-config.ts";
import type { ToolDefinition } from "../tools/tool.ts";
import type { SourceHost, ToolSource } from "../tools/tool-source.ts";
import type { LogEntry } from "./executor.ts";
import { type SecretSource, SecretVault } from "./secrets.ts";
import { SchemaValidator } from "./validator.ts";

export interface RemoteToolOptions {
  /** MCP servers by name: their tools are `name.tool`. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /** HTTP APIs by name, each with its OpenAPI document: their operations are `name.operation`. */
  readonly openapi?: Readonly<Record<string, OpenApiConfig>>;
  readonly http?: HttpOptions;
  readonly secrets?: SecretSource;
  readonly log?: (entry: LogEntry) => void;
}

/** Loads nothing where no server and no API is named. */
export async function openRemoteTools(options: RemoteToolOptions): Promise<RemoteTools | undefined> {
  const { mcpServers = {}, openapi = {} } = options;
  if (Object.keys(mcpServers).length + Object.keys(openapi).length === 0) return undefined;
  const remote = new RemoteTools(options);
  try {
    await remote.open(options);
    return remote;
  } catch (error) {
    await remote.close();
    throw error;
  }
}

export class RemoteTools implements SourceHost {
  /** The engine's own, so that what servers are given is kept out of every run. */
  readonly secrets: SecretVault;
  readonly #log: (entry: LogEntry) => void;
  readonly #validator = new SchemaValidator();
  readonly #listeners = new Set<() => void>();
  #sources: readonly ToolSource[] = [];
  #reported = new Set<string>();

  constructor({ secrets, log }: RemoteToolOptions) {
    this.secrets = new SecretVault(secrets);
    this.#log = log ?? (() => {});
  }

  async open({ mcpServers = {}, openapi = {}, http = {} }: RemoteToolOptions): Promise<void> {
    if (Object.keys(mcpServers).length > 0) {
      const { openMcpServers } = await import("../tools/mcp/open-servers.ts");
      this.#sources = await openMcpServers(mcpServers, this);
    }
    if (Object.keys(openapi).length > 0) {
      const { openApis } = await import("../tools/openapi/open-apis.ts");
      this.#sources = [...this.#sources, ...(await openApis(openapi, http, this))];
    }
  }

  /** By name, as they are now, without those whose names are taken. */
  tools(taken: (name: string) => boolean = () => false): Record<string, ToolDefinition> {
    const tools = new Map<string, ToolDefinition>();
    for (const source of this.#sources) {
      for (const tool of source.tools) {
        if (!tools.has(tool.name) && !taken(tool.name)) tools.set(tool.name, tool);
        else
          this.#reportOnce(
            source.name,
            `The name "${tool.name}" is taken by another tool; this one is left out.`,
          );
      }
    }
    return Object.fromEntries(tools);
  }

  #reportOnce(source: string, message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.report(source, message);
  }

  report(source: string, message: string, data?: Json): void {
    // Of no run and no step.
    this.#log({ runId: "", stepId: "", message: `${source}: ${message}`, data });
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  schemaProblem(schema: JsonObject): Promise<string | undefined> {
    return this.#validator.schemaProblem(schema);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await Promise.all(this.#sources.map((source) => source.close()));
  }
}
