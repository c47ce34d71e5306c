import { getOwn, type Json, type JsonObject } from "../../../src/base/json.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { readTable } from "../corpus.ts";
import { lists } from "./lists.ts";
import { numbers } from "./numbers.ts";
import { records } from "./records.ts";
import { text } from "./text.ts";

interface FunctionEntry {
  readonly args: readonly string[];
  readonly output: string;
}

type NestfulFunction = (...args: Json[]) => Json;

/** Every function says what it takes; the table as a whole is called with whatever the plans hold. */
const FUNCTIONS = { ...numbers, ...lists, ...text, ...records } as unknown as Record<string, NestfulFunction>;

/** The tools that `functions.json` names, each returning `{ <output>: value }`. */
export function nestfulTools(): Record<string, Tool> {
  const tools: Record<string, Tool> = {};
  for (const [name, { args, output }] of Object.entries(
    readTable<FunctionEntry>("nestful-v2/functions.json"),
  )) {
    const call = FUNCTIONS[name];
    if (call === undefined) continue;
    tools[name] = (params: JsonObject) => ({
      [output]: call(...args.map((arg) => getOwn(params, arg) ?? null)),
    });
  }
  return tools;
}
