import type { ContextChange, ObservedEvent } from "./state.ts";
import type { Turn } from "./turn.ts";

/** Shows an event to the triggers of derived variables; every change is announced once. */
export function observe(turn: Turn, event: ObservedEvent): void {
  announceChanges(turn, turn.state.setup.context.observe(event));
}

export function announceChanges(turn: Turn, changes: readonly ContextChange[]): void {
  for (const { name, value } of changes) turn.commands.push({ kind: "AnnounceContext", name, value });
}
