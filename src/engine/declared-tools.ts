/*
 * A run is compiled again wherever it is taken up, and has to come out the same: also after a server has changed what its
 * tools take and give, and where the server is not at hand at all. So what those tools declared is recorded with the run.
 */
import { isObject, type Json, type JsonObject, setOwn } from "../base/json.ts";
import type { Program } from "../ir/program.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { Tool, ToolDefinition } from "../tools/tool.ts";

const KEY = "declared";

/** What the remote tools of a program declare, for the run's record. */
export function declaredTools({ blocks }: Program, tools: ToolRegistry): JsonObject {
  const declared: Record<string, Json> = {};
  for (const { steps } of blocks) {
    for (const { call } of steps) {
      const tool = call.kind === "tool" ? tools.get(call.tool) : undefined;
      if (tool?.isRemote === true) setOwn(declared, tool.name, declarationOf(tool));
    }
  }
  return Object.keys(declared).length === 0 ? {} : { [KEY]: declared };
}

function declarationOf({ input, output, sideEffects, requiresConfirmation }: ToolDefinition): JsonObject {
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(sideEffects !== undefined && { sideEffects }),
    ...(requiresConfirmation !== undefined && { requiresConfirmation }),
  };
}

/** The same, for the compiler: a call goes to the tool that there is now. */
export function toolsOfRecord(environment: JsonObject): Record<string, Tool> {
  const declared = environment[KEY];
  const tools: Record<string, Tool> = {};
  for (const [name, declaration] of Object.entries(isObject(declared) ? declared : {}))
    if (isObject(declaration)) setOwn<Tool>(tools, name, { ...declaration, name, run: () => null });
  return tools;
}
