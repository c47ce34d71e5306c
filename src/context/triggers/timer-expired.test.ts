import { describe, expect, test } from "vitest";
import { codesOf } from "../../../test/marked-plan.ts";
import { expectTrigger, firesAt } from "../../../test/trigger-stage.ts";
import type { Json } from "../../base/json.ts";
import { compile } from "../../compiler.ts";
import { ContextVariables } from "../context.ts";

function timersOf(...triggers: readonly Json[]): unknown {
  const context_variables = {
    derived_variables: [
      { name: "late", triggers },
      { name: "other", triggers: [] },
    ],
  };
  const { program } = compile({ context_variables, plan: [{ id: "a", tool: "t" }] });
  return new ContextVariables(program?.context, {}).timers(1_000);
}

describe("timer_expired", () => {
  test("fires when the timer of its own variable does", () => {
    const trigger = { type: "timer_expired", after_ms: 10 };
    expect(
      firesAt(trigger, [
        { kind: "TimerFired", name: "other" },
        { kind: "TimerFired", name: "seen" },
      ]),
    ).toBe(1);
  });

  test("asks for one timer a variable, the earliest, from the run's start", () => {
    expect(timersOf({ type: "timer_expired", after_ms: 500 })).toEqual([{ name: "late", atMs: 1_500 }]);
    const at = new Date(1_200).toISOString();
    expect(timersOf({ type: "timer_expired", after_ms: 500 }, { type: "timer_expired", at })).toEqual([
      { name: "late", atMs: 1_200 },
    ]);
    expect(timersOf()).toEqual([]);
  });

  test("a time in the past is a time", () => {
    expect(timersOf({ type: "timer_expired", at: "1969-12-31T00:00:00Z" })).toEqual([
      { name: "late", atMs: -86_400_000 },
    ]);
    const triggers = [{ type: "timer_expired", at: "2001-01-01T00:00:00Z" }];
    const context_variables = { derived_variables: [{ name: "late", triggers }] };
    expect(codesOf({ context_variables, plan: [{ id: "a", tool: "t" }] })).toEqual([]);
  });

  test("is checked before the run", () => {
    expectTrigger(`
    ⟦missing-field⟧{ "type": "timer_expired" },
    ⟦conflicting-fields⟧{ "type": "timer_expired", "after_ms": 1, "at": "2031-01-01T00:00:00Z" },
    { "type": "timer_expired", "at": ⟦invalid-value⟧"tomorrow" },
    { "type": "timer_expired", "at": ⟦wrong-shape⟧1000 },
    { "type": "timer_expired", "after_ms": ⟦wrong-shape⟧-1 },
    { "type": "timer_expired", "after_ms": 0 }`);
  });
});
