import { SequiturError } from "../base/error.ts";
import type { Tool, ToolDefinition } from "./tool.ts";

/** The tools of an engine, by name. */
export type ToolRegistry = ReadonlyMap<string, ToolDefinition>;

export function toolRegistry(
  ...sources: readonly Readonly<Record<string, Tool>>[]
): Map<string, ToolDefinition> {
  const tools = new Map<string, ToolDefinition>();
  for (const source of sources) {
    for (const [key, tool] of Object.entries(source)) {
      const definition = typeof tool === "function" ? { name: key, run: tool } : tool;
      if (typeof definition?.run !== "function") {
        throw new SequiturError(
          "INVALID_TOOL",
          `The tool "${key}" is neither a function nor something that defineTool made.`,
        );
      }
      tools.set(key, definition);
    }
  }
  return tools;
}
