/* Tools that come from elsewhere: an MCP server, an HTTP API. The seam between them and the engine. */
import type { Json, JsonObject } from "../base/json.ts";
import type { ToolDefinition } from "./tool.ts";

export interface ToolSource {
  /** What plans write before the dot, as in `files.read`. */
  readonly name: string;
  /** As they are now; a source may change them. */
  readonly tools: readonly ToolDefinition[];
  close(): Promise<void>;
}

/** What a source is given by its engine. */
export interface SourceHost {
  /** Tells people what a source did that they should know of. */
  report(source: string, message: string, data?: Json): void;
  /** The tools of a source are others now. */
  changed(): void;
  readonly secrets: SecretKeeper;
  /** Why a JSON Schema cannot be used; undefined where it can. */
  schemaProblem(schema: JsonObject): Promise<string | undefined>;
}

/** Looks secrets up, and keeps what it was shown out of everything that is recorded or shown. */
export interface SecretKeeper {
  find(name: string): string | undefined;
  keep(name: string, value: string): void;
  scrub<T extends Json>(value: T): T;
}
