import type { Json } from "../base/json.ts";
import type { Place } from "./place.ts";

export type Severity = "error" | "warning" | "info";

/** The kinds of error that callers can tell apart, in diagnostics and in failed runs alike. */
export type ErrorName =
  | "CircularDependencyError"
  | "DefinitionError"
  | "InvalidReferenceError"
  | "MappingError"
  | "SchemaValidationError";

/** One problem of a plan, ready to be shown. `line` and `column` count from 1 and need the source text. */
export interface Diagnostic {
  readonly code: string;
  readonly name: ErrorName;
  readonly severity: Severity;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** JSON pointer of the offending value. */
  readonly pointer: string;
  readonly hints: readonly string[];
  readonly fix?: Fix;
  /** Repairs of which at most one is right; only where they were asked for. */
  readonly choices?: readonly Fix[];
}

/** A repair that needs no thinking: the edits are applied together, to the document of the diagnostic. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** `pointer` names a value; `splice` replaces characters `from` to `to` of the string that stands there. */
export type Edit =
  | { readonly op: "replace"; readonly pointer: string; readonly value: Json }
  | { readonly op: "add"; readonly pointer: string; readonly key: string; readonly value: Json }
  | { readonly op: "remove"; readonly pointer: string }
  | { readonly op: "rename"; readonly pointer: string; readonly key: string }
  | {
      readonly op: "splice";
      readonly pointer: string;
      readonly from: number;
      readonly to: number;
      readonly text: string;
    };

/** Where a finding points: a value, its key, or some characters of the string that stands there. */
export interface Spot {
  readonly place: Place;
  readonly on?: "value" | "key";
  readonly from?: number;
  readonly to?: number;
}
