/*
 * The seam of the built-in primitives: a definition, as an `.agent` file would have it, and the tool behind it. Nothing in this
 * folder imports a node module, so that the compiler knows the definitions in a browser, too; what touches the world comes in
 * through `CoreServices` and the tool's context.
 */
import type { Clock } from "../../base/clock.ts";
import type { Json } from "../../base/json.ts";
import type { ToolFunction } from "../tool.ts";

/** What the built-in tools need of their engine. */
export interface CoreServices {
  readonly clock: Clock;
  readonly http: HttpClient;
}

/** A request that has been read and checked, but not yet for where it goes. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
  readonly redirectsMax: number;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** A declared argument or response. */
export interface CoreField {
  readonly name: string;
  readonly type_name: "string" | "number" | "boolean" | "list" | "object" | "file" | "any";
  readonly description: string;
  readonly required?: boolean;
  readonly default_value?: Json;
  readonly enum?: readonly Json[];
}

export interface CoreAgent {
  /** `math` is `/agents/core/math.agent`, and the tool `sequitur.core.math`. */
  readonly name: string;
  readonly description: string;
  /** Does a call change the world? */
  readonly sideEffects: boolean;
  readonly arguments: readonly CoreField[];
  readonly responses: readonly CoreField[];
  readonly tool: (services: CoreServices) => ToolFunction;
}
