import { expect, test } from "vitest";
import type { RunEvent } from "../../core/events.ts";
import { Journal } from "./journal.ts";

const error = { name: "ToolError", code: "TOOL", message: "no" };
const EVENTS: readonly RunEvent[] = [
  { kind: "RunResumed", at: 1 },
  { kind: "StepSucceeded", at: 2, call: 0, attempt: 1, result: null },
  { kind: "StepSucceeded", at: 3, call: 2, attempt: 1, result: { a: [1] } },
  { kind: "StepFailed", at: 4, call: 1, attempt: 1, error },
  { kind: "StepSucceeded", at: 5.5, call: 1, attempt: 2, result: "x" },
  { kind: "StepSucceeded", at: 6, call: 3, attempt: 1, result: false },
];

test("a journal gives back what it was given, from any event on", () => {
  const journal = new Journal();
  for (const event of EVENTS) journal.add(event);
  expect(journal.length).toBe(EVENTS.length);
  for (let after = 0; after <= EVENTS.length; after++)
    expect([...journal.from(after)]).toEqual(EVENTS.slice(after));
});
