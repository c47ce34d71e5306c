import { describe, expect, test } from "vitest";
import { expectTrigger, firesAt } from "../../../test/trigger-stage.ts";
import type { Json } from "../../base/json.ts";

const answered = (value: Json, name = "reply") => ({ kind: "InputProvided", name, value }) as const;

describe("ui_response", () => {
  test("fires on an answer to its question", () => {
    const trigger = { type: "ui_response", question: "reply" };
    expect(firesAt(trigger, [answered("x", "other"), answered("x")])).toBe(1);
  });

  test("with conditions on the answer", () => {
    const conditions = [{ param: "REF:answer.rating", operator: "greater_than_or_equal", value: 4 }];
    const trigger = { type: "ui_response", question: "reply", conditions };
    expect(firesAt(trigger, [answered({ rating: 3 }), answered("4"), answered({ rating: 4 })])).toBe(2);
  });

  test("a confirmation is answered with true or false", () => {
    const conditions = [{ param: "REF:answer", operator: "equals", value: false }];
    const trigger = { type: "ui_response", question: "send", conditions };
    expect(firesAt(trigger, [answered(true, "send"), answered(false, "send")])).toBe(1);
  });

  test("is checked before the run", () => {
    expectTrigger(`
    ⟦missing-field⟧{ "type": "ui_response" },
    { "type": "ui_response", "question": ⟦idle-trigger⟧"replay" },
    { "type": "ui_response", "question": ⟦idle-trigger⟧"send" },
    { "type": "ui_response", "question": "reply", "conditions": [{ "param": "⟦misplaced-reference⟧REF:response", "operator": "exists" }] },
    { "type": "ui_response", "question": "ask" },
    { "type": "ui_response", "question": "reply" }`);
  });
});
