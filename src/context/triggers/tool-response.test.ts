import { describe, expect, test } from "vitest";
import { expectTrigger, firesAt } from "../../../test/trigger-stage.ts";
import type { Json, JsonObject } from "../../base/json.ts";

const responded = (status: "succeeded" | "failed", response: Json = null, tool = "t") =>
  ({ kind: "ToolResponded", tool, status, response }) as const;
const fires = (more: JsonObject, event: ReturnType<typeof responded>): boolean =>
  firesAt({ type: "tool_response", tool: "t", ...more }, [event]) === 0;

describe("tool_response", () => {
  test("without a status waits for success", () => {
    expect(fires({}, responded("succeeded"))).toBe(true);
    expect(fires({}, responded("failed"))).toBe(false);
    expect(fires({}, responded("succeeded", null, "other"))).toBe(false);
  });

  test("waits for the status it names", () => {
    expect(fires({ status: "failed" }, responded("failed"))).toBe(true);
    expect(fires({ status: "failed" }, responded("succeeded"))).toBe(false);
    expect(fires({ status: "succeeded" }, responded("succeeded"))).toBe(true);
  });

  test.each([
    [[{ param: "REF:response.score", operator: "greater_than", value: 5 }], { score: 6 }, true],
    [[{ param: "REF:response.score", operator: "greater_than", value: 5 }], { score: "6" }, false],
    [[{ param: "REF:response", operator: "equals", value: "ok" }], "ok", true],
    [
      [{ param: "REF:response.items[*].id", operator: "contains", value: 2 }],
      { items: [{ id: 1 }, { id: 2 }] },
      true,
    ],
    [[{ param: "REF:response.a", operator: "equals", value: "REF:response.b" }], { a: [1], b: [1] }, true],
    [[{ param: "REF:response.absent.below", operator: "not_exists" }], null, true],
    [[{ param: "REF:response.toString", operator: "exists" }], {}, false],
    [
      {
        logic: "OR",
        conditions: [
          { param: "REF:response.x", operator: "exists" },
          { param: "REF:response.y", operator: "exists" },
        ],
      },
      { y: 1 },
      true,
    ],
    [[{ param: "REF:response", operator: "equals", value: "\\REF:response" }], "REF:response", true],
  ] as const)("with conditions %j and %j: %s", (conditions, response, expected) => {
    expect(
      fires({ conditions: conditions as unknown as Json }, responded("succeeded", response as Json)),
    ).toBe(expected);
  });

  test("sees the error of a failure", () => {
    const conditions = [{ param: "REF:response.code", operator: "equals", value: "RATE_LIMITED" }];
    const error = { code: "RATE_LIMITED", name: "ToolError", message: "slow down" };
    expect(fires({ status: "failed", conditions }, responded("failed", error))).toBe(true);
    expect(fires({ status: "failed", conditions }, responded("failed", { ...error, code: "X" }))).toBe(false);
  });

  test("is checked before the run", () => {
    expectTrigger(`
    ⟦missing-field⟧{ "type": "tool_response" },
    { "type": "tool_response", "tool": ⟦idle-trigger⟧"send_mail" },
    { "type": "tool_response", "tool": "send_email", "status": ⟦invalid-value⟧"done" },
    { "type": "tool_response", "tool": "send_email", "conditions": ⟦wrong-shape⟧"yes" },
    { "type": "tool_response", "tool": "send_email", "conditions": [{ "param": "⟦misplaced-reference⟧REF:answer", "operator": "exists" }] },
    { "type": "tool_response", "tool": "send_email", "conditions": [{ "param": "⟦misplaced-reference⟧REF:arguments.x", "operator": "exists" }] },
    { "type": "tool_response", "tool": "send_email", "conditions": [{ "param": "REF:response.x", "operator": ⟦unknown-operator⟧"is", "value": 1 }] },
    { "type": "tool_response", "tool": "send_email", "status": "failed", "conditions": [{ "param": "REF:response.code", "operator": "exists" }] }`);
  });
});
