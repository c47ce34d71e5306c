import { describe, expect, test } from "vitest";
import { expectTrigger, firesAt } from "../../../test/trigger-stage.ts";

const turns = (...agents: string[]) => agents.map((agent) => ({ kind: "TurnTaken", agent }) as const);

describe("agent_turn_count", () => {
  test("counts the turns of one agent", () => {
    const trigger = { type: "agent_turn_count", agent: "a", at_least: 3 };
    expect(firesAt(trigger, turns("a", "b", "a", "b", "a", "a"))).toBe(4);
    expect(firesAt(trigger, turns("a", "b", "b", "b", "a"))).toBe(-1);
    expect(firesAt({ ...trigger, at_least: 1 }, turns("b", "a"))).toBe(1);
  });

  test("what an agent says is no turn", () => {
    const trigger = { type: "agent_turn_count", agent: "a", at_least: 1 };
    expect(firesAt(trigger, [{ kind: "TextEmitted", agent: "a", text: "x" }])).toBe(-1);
  });

  test("is checked before the run", () => {
    expectTrigger(`
    ⟦missing-field⟧⟦missing-field⟧{ "type": "agent_turn_count" },
    { "type": "agent_turn_count", "agent": ⟦unknown-trigger-agent⟧"nobody", "at_least": 1 },
    { "type": "agent_turn_count", "agent": "interview", "at_least": ⟦wrong-shape⟧0 },
    { "type": "agent_turn_count", "agent": "interview", "at_least": ⟦wrong-shape⟧1.5 },
    { "type": "agent_turn_count", "agent": "interview", "at_least": ⟦wrong-shape⟧"3" },
    { "type": "agent_turn_count", "agent": "interview", "at_least": 3 }`);
  });
});
