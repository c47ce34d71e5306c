/*
 * The seam of the built-in primitives: a definition, as an `.agent` file would have it, and the tool behind it. Nothing in this
 * folder imports a node module, so that the compiler knows the definitions in a browser, too; what touches the world comes in
 * through `CoreServices` and the tool's context.
 */
import type { Clock } from "../../base/clock.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { ModelUse, ToolFunction } from "../tool.ts";

/** What the built-in tools need of their engine. */
export interface CoreServices {
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly models: ModelClient;
  /** What is wrong with a value by a JSON Schema; undefined where it fits. */
  readonly fits: (schema: JsonObject, value: Json) => Promise<string | undefined>;
}

export interface ModelClient {
  chat(request: ChatRequest): Promise<ChatAnswer>;
  embed(request: EmbeddingRequest): Promise<Embeddings>;
}

export interface ChatRequest {
  /** A configured name, or a model's own id; undefined: the default. */
  readonly model: string | undefined;
  readonly messages: readonly JsonObject[];
  readonly settings: JsonObject;
  readonly signal: AbortSignal;
  /** Called with each piece of the answer, as it comes. */
  readonly onText?: ((text: string) => void) | undefined;
}

export interface ChatAnswer {
  readonly text: string;
  /** `stop`, `length`, … */
  readonly finish: string;
  readonly use: ModelUse;
}

export interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly signal: AbortSignal;
}

export interface Embeddings {
  readonly vectors: readonly (readonly Json[])[];
  readonly use: ModelUse;
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
