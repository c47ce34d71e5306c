/* One derived variable with one trigger, on its own and in a workflow. */
import type { Json, JsonObject } from "../src/base/json.ts";
import { type Context, createContext, type ObservedEvent } from "../src/index.ts";
import { expectMarked } from "./marked-plan.ts";

export function watching(...triggers: readonly Json[]): Context {
  return createContext({ derived_variables: [{ name: "seen", triggers }] });
}

/** After which of the events, counting from 0, the variable is true; -1: after none. */
export function firesAt(trigger: JsonObject, events: readonly ObservedEvent[]): number {
  const context = watching(trigger);
  return events.findIndex((event) => {
    context.observe(event);
    return context.get("seen") === true;
  });
}

/** Compiles a workflow with the trigger, whose problems are marked in it. */
export function expectTrigger(marked: string): void {
  expectMarked(`{
  "context_variables": { "derived_variables": [{ "name": "seen", "triggers": [
    ${marked}
  ] }] },
  "plan": [
    { "id": "ask", "tool": "interview", "requires_confirmation": true },
    { "id": "send", "tool": "send_email", "arguments": { "text": "{{PLACEHOLDER_reply}}" } }
  ]
}`);
}
