/*
 * The seam of triggers. A type of trigger is one file in `triggers/` and one line in `triggers/registry.ts`:
 *
 * T1  A watcher is a function of the events it has seen, in their order. No clock, no chance, no I/O: a replay of the same
 *     events must set the same variables at the same places.
 * T2  What can be found wrong with a declaration is found by its `schema` and its `check`, before a run.
 */
import type { Json } from "../base/json.ts";
import type { Condition } from "../ir/condition.ts";
import type { TriggerDeclaration } from "../ir/context-declarations.ts";
import type { Findings } from "../source/findings.ts";
import type { EventOf, ObservedEvent, ObservedKind } from "./context-store.ts";
import type { FormSchema } from "./form.ts";
import type { PlanNames } from "./plan-names.ts";

export interface TriggerType {
  /** As `type` says it. */
  readonly type: string;
  /** JSON Schema of the fields beside `type`. */
  readonly schema: FormSchema;
  /** What `conditions` of this type look at: `REF:response…`, `REF:answer…`. Absent: it takes none. */
  readonly conditionsOn?: "answer" | "event" | "response";
  /** Reports what the form alone does not show: names that are not in the plan, patterns that match nothing. */
  readonly check?: (trigger: TriggerDeclaration, names: PlanNames, findings: Findings) => void;
  /** The kinds of events it looks at; it sees no others. */
  readonly observes: readonly ObservedKind[];
  readonly watch: (trigger: TriggerDeclaration, means: TriggerMeans) => Watcher;
  /** When a timer has to fire for it. */
  readonly timer?: (trigger: TriggerDeclaration, startedAtMs: number) => number;
}

/** True sets the variable. A problem is reported once and counts as false; a final one ends the watching. */
export type Watcher = (event: ObservedEvent) => boolean | TriggerProblem;

export interface TriggerProblem {
  readonly problem: string;
  readonly isFinal: boolean;
}

/** What a watcher may use. */
export interface TriggerMeans {
  /** The variable that the trigger sets. */
  readonly variable: string;
  holds(conditions: Condition | undefined, value: Json): boolean;
  /** Matches in linear time, anywhere in the text. */
  matcher(pattern: string, ignoreCase: boolean): (text: string) => boolean;
  /** A function that an author wrote down, called where it can reach nothing. */
  sandboxed(source: string): (argument: Json) => boolean | TriggerProblem;
}

interface TriggerTypeOf<K extends ObservedKind> extends Omit<TriggerType, "observes" | "watch"> {
  readonly observes: readonly K[];
  readonly watch: (
    trigger: TriggerDeclaration,
    means: TriggerMeans,
  ) => (event: EventOf<K>) => boolean | TriggerProblem;
}

/** Types the events of a trigger by the kinds it says it looks at. */
export function defineTrigger<K extends ObservedKind>(type: TriggerTypeOf<K>): TriggerType {
  // Whoever calls a watcher calls it with events of these kinds only.
  return type as unknown as TriggerType;
}
