import type { SourceHost, ToolSource } from "../tool-source.ts";
import { McpServer } from "./mcp-server.ts";
import { type McpServerConfig, readServerConfig } from "./server-config.ts";

/** Starts all servers at once. Settings that make no sense are refused; a server that does not start is reported. */
export async function openMcpServers(
  configs: Readonly<Record<string, McpServerConfig>>,
  host: SourceHost,
): Promise<ToolSource[]> {
  const servers = Object.entries(configs)
    .map(([name, config]) => ({ name, config: readServerConfig(name, config) }))
    .filter(({ config }) => config.disabled !== true)
    .map(({ name, config }) => new McpServer(name, config, host));
  await Promise.all(servers.map((server) => server.open()));
  return servers;
}
