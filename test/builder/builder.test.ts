import { describe, expect, test } from "vitest";
import { compile, createEngine, defineTool, type Json, plan, type ToolTypes, text } from "../../src/index.ts";

const contacts = defineTool({
  name: "search_contacts",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  output: {
    type: "object",
    properties: {
      data: {
        type: "array",
        items: {
          type: "object",
          properties: { email: { type: "string" }, name: { type: "string" } },
          required: ["email", "name"],
        },
      },
    },
    required: ["data"],
  },
  run: ({ name }) => ({ data: [1, 2].map((i) => ({ email: `${name}${i}@example.com`, name })) }),
});
const mail = defineTool({
  name: "send_email",
  input: {
    type: "object",
    properties: {
      to: { type: "string" },
      body: { type: "string" },
      copies: { type: "array", items: { type: "string" } },
      note: {},
    },
    required: ["to", "body"],
  },
  output: { type: "object", properties: { sent: { type: "boolean" } }, required: ["sent"] },
  run: (params) => ({ sent: true, params }),
});
const tools = { search_contacts: contacts, send_email: mail };
type Tools = ToolTypes<typeof tools>;

test("a built plan is an action plan that checks clean and runs", async () => {
  const p = plan<Tools>();
  const john = p.step("find_john", "search_contacts", { name: "John" }, { intent: "Who is it?" });
  const sent = p.step("mail", "send_email", {
    to: john.result.data[0].email,
    body: text`Dear ${john.result.data[0].name}, there are ${john.result.data.length} of you.`,
    copies: john.result.data["*"].email,
  });
  p.step(
    "log",
    "send_email",
    { to: "log@example.com", body: "done" },
    { after: [sent], conditions: [{ param: sent.result.sent, operator: "equals", value: true }] },
  );
  expect(p.toJSON()).toEqual([
    { id: "find_john", tool: "search_contacts", intent: "Who is it?", arguments: { name: "John" } },
    {
      id: "mail",
      tool: "send_email",
      arguments: {
        to: "{{find_john.result.data[0].email}}",
        body: "Dear {{find_john.result.data[0].name}}, there are {{find_john.result.data.length}} of you.",
        copies: "{{find_john.result.data[*].email}}",
      },
    },
    {
      id: "log",
      tool: "send_email",
      arguments: { to: "log@example.com", body: "done" },
      dependencies: ["mail"],
      conditions: [{ param: "{{mail.result.sent}}", operator: "equals", value: true }],
    },
  ]);
  expect(compile(p.toJSON(), { tools }).diagnostics).toEqual([]);
  const engine = await createEngine({ tools });
  const result = await engine.run(p.toJSON());
  expect(result.status).toBe("completed");
  expect(result.steps.mail?.arguments).toEqual({
    to: "John1@example.com",
    body: "Dear John, there are 2 of you.",
    copies: ["John1@example.com", "John2@example.com"],
  });
  await engine.close();
});

describe("what is written as text stays text", () => {
  test.each(["{{find.result.x}}", "\\{{a", "\\\\{{b}}", "a {{PLACEHOLDER_x}} b", "REF:x.y", "plain \\ {"])(
    "%s",
    async (plain) => {
      const p = plan<Tools>();
      p.step("a", "send_email", { to: plain, body: text`${plain} and ${7}`, note: { deep: [plain] } });
      const engine = await createEngine({ tools });
      const { steps } = await engine.run(p.toJSON());
      expect(steps.a?.arguments).toEqual({ to: plain, body: `${plain} and 7`, note: { deep: [plain] } });
      await engine.close();
    },
  );
});

test("placeholders and context variables", () => {
  const p = plan<Tools>();
  p.step("a", "send_email", { to: p.ask("address"), body: text`For ${p.context<string>("user")}` });
  expect((p.toJSON() as Json[])[0]).toMatchObject({
    arguments: { to: "{{PLACEHOLDER_address}}", body: "For {{context.user}}" },
  });
});

test("keys that are no plain words are quoted", () => {
  const p = plan();
  const step = p.step("a", "t", {});
  p.step("b", "t", { x: step.result["first name"].y, z: step.result["a.b"] });
  expect((p.toJSON() as Json[])[1]).toMatchObject({
    arguments: { x: "{{a.result.first name.y}}", z: '{{a.result["a.b"]}}' },
  });
});

test("mistakes that types cannot see are said at once", () => {
  const p = plan<Tools>();
  const john = p.step("a", "search_contacts", { name: "John" });
  expect(() => p.step("a", "search_contacts", { name: "Ida" })).toThrow(
    'There already is a step called "a".',
  );
  expect(() => `Dear ${john.result.data[0].name as unknown as string}`).toThrow("text`");
});
