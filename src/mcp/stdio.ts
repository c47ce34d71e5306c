import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { planServer } from "./plan-server.ts";
import type { Workplace } from "./plan-tool.ts";

/** Serves whoever started this process, until they close our input. */
export async function serveStdio(workplace: Workplace, version: string): Promise<void> {
  const server = planServer(workplace, version);
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}
