/* Documents 3, 4 and 5: whole plans in our own words, with the tools they call declared. */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { expectClean, expectMarked } from "../marked-plan.ts";

const text = { type: "string" };
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
});
const list = (items: JsonObject): JsonObject => ({ type: "array", items });

describe("a step plan (document 3)", () => {
  const tools = {
    depots: {
      input: object({ town: text }, ["town"]),
      output: list(object({ id: text, beds: { type: "integer" } })),
    },
    trips: {
      input: object({ depot: text, limit: { type: "number" } }, ["depot"]),
      output: object({ trips: list({}) }),
    },
  };
  const plan = (depot: string, more = "") => `{ "requestId": "r-7", "steps": [
  { "tool": "depots", "params": { "town": "Ulm" }, "dependsOn": [], "parallel": false },
  { "tool": "trips", "params": { "depot": "${depot}" }, "dependsOn": [0], "parallel": false, "optional": true, "retryCount": 1, "timeout": 900${more} }
] }`;

  test("is fine", () => {
    const { program } = expectMarked(plan("${step[0].data[0].id}"), { tools });
    expect(program?.requestId).toBe("r-7");
    expect(program?.blocks[0].steps[1]?.needs).toContainEqual(
      expect.objectContaining({ step: 0, mode: "data" }),
    );
  });

  test.each([
    ["⟦unknown-step⟧${step[5].data[0].id}"],
    ["⟦later-step⟧${step[1].data.trips}"],
    ["⟦missing-root⟧${step[0][0].id}"],
    ["⟦missing-root⟧${step[0].id}"],
    ["⟦malformed-reference⟧${step[0.data}"],
    ["⟦malformed-reference⟧${steps[0].data[0].id}"],
    ["⟦unknown-attribute⟧${step[0].data.id}"],
    ["⟦unknown-attribute⟧${step[0].data[0].ident}"],
    ["⟦type-mismatch⟧${step[0].data[0].beds}"],
  ])("%s is found", (reference) => {
    expectMarked(plan(reference), { tools });
  });

  test("a dependency on a later step is found", () => {
    expectMarked(plan("x").replace('"dependsOn": []', '"dependsOn": [⟦later-step⟧1]'), { tools });
  });
});

describe("an action plan (document 4)", () => {
  const mail = object({ id: text, from: object({ email: text, name: text }), subject: text });
  const tools = {
    read_mail: { input: object({ input: object({ sender: text }) }), output: object({ data: list(mail) }) },
    answer: {
      input: object({ input: object({ to: text, subject: text, body: text }, ["to", "body"]) }, ["input"]),
    },
  };
  const plan = (to: string, body = "{{PLACEHOLDER_message}}") => `[
  { "id": "from_ida", "intent": "What did Ida write?", "tool": "read_mail", "arguments": { "input": { "sender": "ida" } } },
  { "id": "answer-ida", "intent": "Answer her", "tool": "answer", "arguments": { "input": {
    "to": "${to}", "subject": "Re: {{from_ida.result.data[0].subject}}", "body": "${body}" } } }
]`;

  test("is fine, with a question to a person", () => {
    const { program } = expectMarked(plan("{{from_ida.result.data[0].from.email}}"), { tools });
    expect(program?.questions).toMatchObject([{ name: "message", stepIds: ["answer-ida"], schema: text }]);
  });

  test.each([
    ["⟦unknown-step⟧{{from_eda.result.data[0].from.email}}"],
    ["⟦missing-root⟧{{from_ida.data[0].from.email}}"],
    ["⟦missing-root⟧{{from_ida}}"],
    ["⟦malformed-reference⟧{{from_ida..result}}"],
    ["⟦unknown-attribute⟧{{from_ida.result.data[0].from.mail}}"],
    ["⟦unknown-response⟧{{from_ida.result.date[0]}}"],
    ["⟦type-mismatch⟧{{from_ida.result.data}}"],
  ])("%s is found", (reference) => {
    expectMarked(plan(reference), { tools });
  });

  test("four steps in a diamond, and a circle among them", () => {
    const step = (id: string, ...needs: string[]) => ({
      id,
      tool: "t",
      arguments: { input: { x: needs.map((need) => `{{${need}.result.data[0]}}`) } },
    });
    expectClean([step("A"), step("B", "A"), step("C", "A"), step("D", "B", "C")]);
    const [a, b] = [step("A", "B"), step("B", "A")].map((plan) => JSON.stringify(plan));
    expectMarked(`[⟦cycle⟧${a}, ${b}]`);
  });
});

describe("context variables (document 5)", () => {
  test("a flag that an agent's words set, read by another step", () => {
    expectClean({
      name: "onboarding",
      context_variables: {
        derived_variables: [
          {
            name: "talk_over",
            description: "The host has said goodbye.",
            default: false,
            triggers: [{ type: "agent_text", agent: "Host", match: { equals: "GOODBYE" } }],
          },
        ],
      },
      plan: [
        {
          id: "talk",
          tool: "Host",
          repeat: { until: [{ param: "{{context.talk_over}}", operator: "equals", value: true }], max: 20 },
        },
        {
          id: "sum_up",
          tool: "summarize",
          arguments: { text: "{{talk.result}}" },
          conditions: [{ param: "{{context.talk_over}}", operator: "equals", value: true }],
        },
      ],
    });
  });
});
