/* The seam of the MCP server: one tool a file. */
import type { Engine, Json, JsonObject } from "../index.ts";

/** What the tools work with. */
export interface Workplace {
  readonly engine: Engine;
  /** What a run may do with the file store; undefined where there is none. */
  readonly fileToken: () => Promise<string | undefined>;
  readonly contextVariables: string | undefined;
}

/** One call, and whoever made it. */
export interface Exchange {
  readonly args: JsonObject;
  /** Fires when the caller takes the call back. */
  readonly signal: AbortSignal;
  /** Tells the caller how far things are, if it wants to know. */
  progress(done: number, total: number, message: string): void;
  /** Asks the person behind the caller; undefined where the caller has no way to. */
  readonly ask: Ask | undefined;
}

/** One form. Gives the answers, or undefined where the person did not want to. */
export type Ask = (message: string, schema: JsonObject) => Promise<JsonObject | undefined>;

export interface PlanTool {
  readonly name: string;
  readonly title: string;
  /** May depend on what there is: it is read anew whenever a client asks for the list. */
  readonly description: string | ((workplace: Workplace) => string);
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  /** May change or remove what is there. */
  readonly destructive: boolean;
  call(exchange: Exchange, workplace: Workplace): Promise<JsonObject>;
}

/** The call itself makes no sense: a message that says what would. */
export class CallError extends Error {
  override name = "CallError";
}

export function textArgument(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value === "string" && value !== "") return value;
  throw new CallError(`"${name}" is missing: give it as text.`);
}

export function objectArgument(args: JsonObject, name: string): JsonObject {
  const value = args[name] ?? {};
  if (isRecord(value)) return value;
  throw new CallError(`"${name}" must be an object.`);
}

export function numberArgument(args: JsonObject, name: string, otherwise: number, most: number): number {
  const value = args[name] ?? otherwise;
  if (typeof value === "number" && value >= 0) return Math.min(value, most);
  throw new CallError(`"${name}" must be a number from 0.`);
}

export function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
