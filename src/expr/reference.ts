import type { Path } from "./path.ts";

/**
 * A compiled reference: a root, and a path below it. Languages spell references differently; from here on
 * there is one form. Roots speak of slots, never of names that would have to be looked up again.
 */
export interface Reference {
  readonly root: Root;
  /** Below the root. */
  readonly path: Path;
  /** As the author wrote it, for messages. */
  readonly text: string;
}

export type Root =
  /** The arguments of the block; the path begins with the argument's name. */
  | { readonly kind: "arguments" }
  /** What step number `step` of the block returned. */
  | { readonly kind: "result"; readonly step: number }
  /** How step number `step` ended: its status, or its error. */
  | {
      readonly kind: "outcome";
      readonly step: number;
      readonly field: OutcomeField;
      readonly declared: boolean;
    }
  /** What the agent returned, while its results are transformed. */
  | { readonly kind: "response" }
  /** Context variables; the path begins with the variable's name. */
  | { readonly kind: "context" }
  /** A repeated step's own previous turn. */
  | { readonly kind: "previous" }
  /** A person's answer. */
  | { readonly kind: "input"; readonly name: string }
  /** The event a trigger looks at (`REF:answer…`), bound where conditions of triggers are evaluated. */
  | { readonly kind: "event" };

/** `declared`: the agent has a response of that name, which is meant when the step succeeded. */
export type OutcomeField = "status" | "error" | "error_message";
