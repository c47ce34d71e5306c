import type { Json } from "../base/json.ts";
import type { Budget } from "./budget.ts";
import type { FunctionTable } from "./functions/function.ts";
import type { Reference } from "./reference.ts";

/** What an expression sees of the world. */
export interface Environment {
  /** The value of a name of the transform's context; undefined where there is none. */
  name(name: string): Json | undefined;
  /** The names there are, to suggest the one that was meant. */
  names?(): Iterable<string>;
  /** Strict: throws its own error where there is nothing. */
  reference(reference: Reference): Json;
  /** Lenient, for conditions: null where there is nothing. */
  referenceOrNull(reference: Reference): Json;
  readonly functions: FunctionTable;
  /** The recorded time of the event being handled, so that a replay gives the same. */
  readonly nowMs: number;
  readonly budget: Budget;
}

/** Where in an expression we are: what is bound there, and how a missing path is taken. */
export interface Scope {
  readonly env: Environment;
  /** In a condition, where a path that isn't there is null. */
  readonly lenient: boolean;
  /** The element at hand; undefined outside of arguments that are evaluated for each element. */
  readonly item: Json | undefined;
  readonly index: number;
  /** The value so far in a pipeline; undefined outside of one. */
  readonly current: Json | undefined;
  /** Whose element `item` is, for messages. */
  readonly functionName: string | undefined;
}
