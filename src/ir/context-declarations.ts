import type { Json } from "../base/json.ts";
import type { Place } from "../source/place.ts";
import type { Condition } from "./condition.ts";
import type { TypeName } from "./signature.ts";
import type { Template } from "./template.ts";

/** The context variables that a plan declares. */
export interface ContextDeclarations {
  readonly defined: readonly DefinedVariable[];
  readonly runtime: readonly RuntimeVariable[];
  readonly derived: readonly DerivedVariable[];
}

/** A field of a document in a collection of the store. */
export interface DefinedVariable {
  readonly name: string;
  readonly typeName: TypeName;
  readonly default: Json | undefined;
  readonly required: boolean;
  readonly collection: string;
  readonly searchBy: Template;
  readonly field: string;
  readonly place: Place;
}

/** Lives as long as the run. */
export interface RuntimeVariable {
  readonly name: string;
  readonly typeName: TypeName;
  readonly default: Json | undefined;
  readonly place: Place;
}

/** A flag that events set. */
export interface DerivedVariable {
  readonly name: string;
  readonly default: boolean;
  readonly triggers: readonly TriggerDeclaration[];
  readonly place: Place;
}

/** What a trigger type makes of its declaration is its own affair; `conditions` are compiled for it. */
export interface TriggerDeclaration {
  /** Undefined where none could be read, which is an error. */
  readonly type: string | undefined;
  readonly settings: Readonly<Record<string, Json>>;
  readonly conditions: Condition | undefined;
  readonly place: Place;
}

/** What conditions of triggers can look at; which of them, the type of the trigger says. */
export const EVENT_ROOTS: readonly string[] = ["response", "answer", "event"];

export function variableNames(declarations: ContextDeclarations): string[] {
  return [...declarations.defined, ...declarations.runtime, ...declarations.derived].map(
    (variable) => variable.name,
  );
}
