import type { ContextNews, ObservedEvent } from "../context/context-store.ts";
import type { Turn } from "./turn.ts";

/** Shows an event to the triggers of derived variables; every change is announced once. */
export function observe(turn: Turn, event: ObservedEvent): void {
  announceNews(turn, turn.state.setup.context.observe(event));
}

export function announceNews(turn: Turn, news: readonly ContextNews[]): void {
  for (const item of news) {
    if (item.kind === "changed") turn.add({ kind: "AnnounceContext", name: item.name, value: item.value });
    else turn.add({ kind: "AnnounceTriggerFailure", name: item.name, message: item.message });
  }
}
