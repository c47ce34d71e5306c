import { describe, expect, test } from "vitest";
import { expectTrigger, firesAt, watching } from "../../../test/trigger-stage.ts";
import type { ObservedEvent } from "../context-store.ts";

const EVENTS: readonly ObservedEvent[] = [
  { kind: "TextEmitted", agent: "a", text: "hello" },
  { kind: "TurnTaken", agent: "a" },
  { kind: "ToolResponded", tool: "t", status: "failed", response: { code: "X" } },
  { kind: "TimerFired", name: "x" },
  { kind: "InputProvided", name: "q", value: [1] },
  { kind: "CustomEmitted", agent: "a", event: { kind: "Scored", score: 9 } },
];

describe("function", () => {
  test.each([
    ["(event) => event.kind === 'TextEmitted' && event.text.length === 5", 0],
    ["(event) => event.kind === 'TurnTaken'", 1],
    ["({ kind, response }) => kind === 'ToolResponded' && response.code === 'X'", 2],
    ["(event) => event.kind === 'TimerFired'", 3],
    ["function (event) { return event.value?.[0] === 1 }", 4],
    ["(event) => event.kind === 'CustomEmitted' && event.event.score > 8", 5],
    ["() => false", -1],
  ])("%s", (source, expected) => {
    expect(firesAt({ type: "function", source }, EVENTS)).toBe(expected);
  });

  test("that throws on one event still sees the next, and is reported once", () => {
    const context = watching({ type: "function", source: "(event) => event.text.length === 3" });
    const turn = { kind: "TurnTaken", agent: "a" } as const;
    const [first] = context.observe(turn);
    expect(first).toMatchObject({ kind: "failed", name: "seen" });
    expect(context.observe(turn)).toEqual([]);
    expect(context.observe({ kind: "TextEmitted", agent: "a", text: "yes" })).toEqual([
      { kind: "changed", name: "seen", value: true },
    ]);
  });

  test("that is stopped is not called again, and harms no other trigger", () => {
    const context = watching(
      { type: "function", source: "() => { for (;;); }" },
      { type: "agent_turn_count", agent: "a", at_least: 2 },
    );
    const turn = { kind: "TurnTaken", agent: "a" } as const;
    expect(context.observe(turn)).toEqual([
      {
        kind: "failed",
        name: "seen",
        message:
          "A trigger of this variable could not look at an event: it ran for too long. It is not called again in this run.",
      },
    ]);
    expect(context.observe(turn)).toEqual([{ kind: "changed", name: "seen", value: true }]);
  });

  test("is checked before the run", () => {
    expectTrigger(`
    ⟦missing-field⟧{ "type": "function" },
    { "type": "function", "source": ⟦wrong-shape⟧"" },
    { "type": "function", "source": ⟦wrong-shape⟧["x"] },
    { "type": "function", "source": ⟦invalid-function⟧"(event) => {" },
    { "type": "function", "source": ⟦invalid-function⟧"event.text === 'x'" },
    { "type": "function", "source": ⟦invalid-function⟧"async (event) => true" },
    { "type": "function", "source": ⟦invalid-function⟧"function* (event) { yield true }" },
    { "type": "function", "source": ⟦invalid-function⟧"return true" },
    { "type": "function", "source": "/* why */ (event) => true // because" },
    { "type": "function", "source": "async => true" },
    { "type": "function", "source": "function done(event) { return event.text === 'x' }" }`);
  });

  test("is never called while it is checked", () => {
    expectTrigger(`{ "type": "function", "source": "(globalThis.called = true, (event) => true)" }`);
    expect("called" in globalThis).toBe(false);
  });
});
