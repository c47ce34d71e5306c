import { describe, expect, test } from "vitest";
import { expectTrigger, firesAt } from "../../../test/trigger-stage.ts";

const fires = (match: Record<string, string | boolean>, text: string): boolean =>
  firesAt({ type: "agent_text", agent: "a", match }, [{ kind: "TextEmitted", agent: "a", text }]) === 0;

describe("agent_text", () => {
  test.each([
    [{ equals: "BYE" }, "BYE", true],
    [{ equals: "BYE" }, "bye", false],
    [{ equals: "BYE" }, "BYE ", false],
    [{ equals: "BYE", ignore_case: true }, "bye", true],
    [{ equals: "BYE", ignore_case: true }, "bye ", false],
    [{ equals: "" }, "", true],
    [{ contains: "bye" }, "good bye!", true],
    [{ contains: "bye" }, "good BYE!", false],
    [{ contains: "bye", ignore_case: true }, "good BYE!", true],
    [{ regex: "^bye\\b" }, "bye now", true],
    [{ regex: "^bye\\b" }, "good bye", false],
    [{ regex: "b.e" }, "goodbye", true],
    [{ regex: "BYE" }, "bye", false],
    [{ regex: "BYE", ignore_case: true }, "bye", true],
    [{ regex: "\\u00e9t\\u00e9$" }, "l'été", true],
    [{ equals: ".*" }, "anything", false],
    [{ contains: "REF:arguments.x" }, "REF:arguments.x", true],
  ])("%j and %j: %s", (match, text, expected) => {
    expect(fires(match, text)).toBe(expected);
  });

  test("a pattern takes linear time, whatever the text", () => {
    expect(fires({ regex: "(a+)+$" }, `${"a".repeat(50_000)}b`)).toBe(false);
  });

  test("looks at one agent", () => {
    const trigger = { type: "agent_text", agent: "a", match: { equals: "x" } };
    const events = ["b", "A", "a"].map((agent) => ({ kind: "TextEmitted", agent, text: "x" }) as const);
    expect(firesAt(trigger, events)).toBe(2);
  });

  test("is checked before the run", () => {
    expectTrigger(`
    ⟦missing-field⟧⟦missing-field⟧{ "type": "agent_text" },
    { "type": "agent_text", "agent": ⟦unknown-trigger-agent⟧"Interveiw", "match": { "equals": "x" } },
    { "type": "agent_text", "agent": ⟦wrong-shape⟧"", "match": ⟦wrong-shape⟧"x" },
    { "type": "agent_text", "agent": "interview", "match": ⟦missing-field⟧{ "ignore_case": ⟦wrong-shape⟧1 } },
    { "type": "agent_text", "agent": "interview", "match": ⟦conflicting-fields⟧{ "equals": "x", "regex": "y" } },
    { "type": "agent_text", "agent": "interview", "match": { "equals": "x", ⟦unknown-field⟧"ignoreCase": true } },
    { "type": "agent_text", "agent": "interview", "match": { "equals": "x" }, ⟦unknown-field⟧"conditions": [] },
    { "type": "agent_text", "agent": "interview", "match": { "regex": ⟦invalid-pattern⟧"a(" } },
    { "type": "agent_text", "agent": "interview", "match": { "regex": ⟦invalid-pattern⟧"(?=a)" } },
    { "type": "agent_text", "agent": "interview", "match": { "regex": ⟦dead-trigger⟧"TERMINATE$." } },
    { "type": "agent_text", "agent": "interview", "match": { "regex": "TERMINATE$" }, "description": "fine" }`);
  });
});
