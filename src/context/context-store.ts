import type { Json, JsonObject } from "../base/json.ts";

/** Context variables, as a run uses them: values, and triggers that look at what happens. Synchronous and deterministic. */
export interface ContextStore {
  get(name: string): Json | undefined;
  /** Why the variable cannot be set to this value; undefined where it can. */
  refusal(name: string, value: Json): string | undefined;
  set(name: string, value: Json): readonly ContextNews[];
  /** There are no variables, and there will be none. */
  readonly isEmpty: boolean;
  /** There are triggers; where there are none, nothing need be shown to them. */
  readonly observes: boolean;
  /** Shows an event to the triggers. */
  observe(event: ObservedEvent): readonly ContextNews[];
  values(): JsonObject;
  /** Timers that triggers wait for, one a variable, as of the run's start. */
  timers(startedAtMs: number): readonly { readonly name: string; readonly atMs: number }[];
}

/** What came of an event: a variable has changed, or one of its triggers could not look at the event. */
export type ContextNews =
  | { readonly kind: "changed"; readonly name: string; readonly value: Json }
  | { readonly kind: "failed"; readonly name: string; readonly message: string };

/** What triggers can look at. */
export type ObservedEvent =
  | { readonly kind: "TextEmitted"; readonly agent: string; readonly text: string }
  | { readonly kind: "TurnTaken"; readonly agent: string }
  | {
      readonly kind: "ToolResponded";
      readonly tool: string;
      readonly status: "succeeded" | "failed";
      /** What the tool returned, or the error: `{ code, name, message }`. */
      readonly response: Json;
    }
  /** `name` is that of the derived variable which waits for the time. */
  | { readonly kind: "TimerFired"; readonly name: string }
  /** A person's answer to a question; to a confirmation, true or false. */
  | { readonly kind: "InputProvided"; readonly name: string; readonly value: Json }
  /** An event of a tool's own making. */
  | { readonly kind: "CustomEmitted"; readonly agent: string; readonly event: JsonObject };

export type ObservedKind = ObservedEvent["kind"];
export type EventOf<K extends ObservedKind> = Extract<ObservedEvent, { readonly kind: K }>;
