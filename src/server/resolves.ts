import type { Access } from "./access.ts";

/** What a request brings to its resolvers. */
export interface RequestContext {
  readonly access: Access;
  /** Fires when the client is gone. */
  readonly signal: AbortSignal;
}

/** A field's value, or what gives it: graphql-js calls functions that it finds in the place of values. */
export type Resolves<T, Args = Record<string, never>> =
  | T
  | Promise<T>
  | ((args: Args, context: RequestContext) => T | Promise<T>);
