/* The MCP servers that the tests talk to: real ones, which nobody here wrote, and one that means harm. */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { McpServerConfig } from "../../src/index.ts";

const resolve = createRequire(import.meta.url).resolve;

function packaged(name: string, args: readonly string[] = []): McpServerConfig {
  return {
    command: process.execPath,
    args: [resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  };
}

export const filesystem = (folder: string): McpServerConfig => packaged("filesystem", [folder]);
export const everything = (): McpServerConfig => packaged("everything");
export const memory = (file: string): McpServerConfig => ({
  ...packaged("memory"),
  env: { MEMORY_FILE_PATH: file },
});

export const hostile = (config: McpServerConfig = {}): McpServerConfig => ({
  command: process.execPath,
  args: [fileURLToPath(new URL("hostile-server.ts", import.meta.url))],
  ...config,
});
