import type { SQLInputValue } from "node:sqlite";
import type { RunEvent } from "../../core/events.ts";
import { EVENTS_AT_ONCE, type Statements } from "./statements.ts";

/** Adds to the journal of the run `key`, whose next event is number `after`. */
export function addEvents(sql: Statements, key: number, after: number, events: readonly RunEvent[]): void {
  let at = 0;
  for (; at + EVENTS_AT_ONCE <= events.length; at += EVENTS_AT_ONCE) {
    const values: SQLInputValue[] = [];
    for (let i = at; i < at + EVENTS_AT_ONCE; i++) values.push(key, after + i, JSON.stringify(events[i]));
    sql.addManyEvents.run(...values);
  }
  for (; at < events.length; at++) sql.addEvent.run(key, after + at, JSON.stringify(events[at]));
}
