/* `sequitur plan`, as a user calls it, with a scripted model on loopback. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Script, type ScriptedModel, scriptedModel } from "../models/scripted-model.ts";
import { folderWith, sequitur } from "../run-cli.ts";

const PLAN = JSON.stringify(
  [
    { id: "sum", tool: "add", arguments: { a: 19, b: 23 } },
    { id: "say", tool: "speak", arguments: { text: "It is {{summ.result.total}}" } },
  ],
  null,
  2,
);

const TOOLS = `
const number = { type: "number" };
const text = { type: "string" };
const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
export const add = { name: "add", input: object({ a: number, b: number }), output: object({ total: number }),
  run: ({ a, b }) => ({ total: a + b }) };
export const speak = { name: "speak", input: object({ text }), output: object({ said: text }), sideEffects: true,
  run: ({ text }) => ({ said: text }) };
`;

let server: ScriptedModel | undefined;
afterEach(async () => server?.close());

async function project(...script: Script[]): Promise<string> {
  server = await scriptedModel(...script);
  const models = { default: { baseUrl: server.baseUrl, model: "m", apiKey: { $secret: "KEY" } } };
  return folderWith({ "tools.mjs": TOOLS, "sequitur.config.json": { tools: "tools.mjs", models } });
}

const env = { SEQUITUR_SECRET_KEY: "sk-0123456789" };

test("the plan goes to standard output, and what it would do beside it", async () => {
  const folder = await project(`Here you are:\n\`\`\`json\n${PLAN}\n\`\`\``);
  const { code, out, err } = await sequitur(folder, ["plan", "Add 19 and 23 and say it"], { env });
  expect(err).toContain("1 round");
  expect(err).toContain("mended 1 problem");
  expect(err).toContain("speak");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(JSON.parse(PLAN.replace("summ.", "sum.")));
  expect(server?.requests[0]?.authorization).toBe("Bearer sk-0123456789");
});

test("--run runs it, and keeps the run; --out keeps the plan", async () => {
  const folder = await project(PLAN);
  const { code, out, err } = await sequitur(folder, ["plan", "Add", "--run", "--out", "made.plan.json"], {
    env,
  });
  expect(`${out}${err}`).toContain("It is 42");
  expect(code).toBe(0);
  expect(readFileSync(join(folder, "made.plan.json"), "utf8")).toContain("{{sum.result.total}}");
  expect((await sequitur(folder, ["runs", "--json"])).out).toContain("completed");
});

test("--json has the rounds, the tools and what was left out", async () => {
  const folder = await project("No.", PLAN);
  const { code, out } = await sequitur(
    folder,
    ["plan", "Add", "--json", "--may-use", "add", "--may-use", "speak"],
    {
      env,
    },
  );
  const planned = JSON.parse(out);
  expect(planned).toMatchObject({ ok: true, tools: ["add", "speak"], dialect: "actions" });
  expect(planned.rounds).toHaveLength(2);
  expect(planned.leftOut[0]).toMatchObject({ reason: "it may not be used here" });
  expect(code).toBe(0);
});

test("no plan, a failing model, no model, a key in the file: each says what is wrong", async () => {
  const none = await project(`{"impossible": "There is no tool that flies."}`);
  expect(await sequitur(none, ["plan", "Fly"], { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no plan: There is no tool that flies."),
  });
  const failing = await project({ status: 401 });
  expect(await sequitur(failing, ["plan", "Add"], { env })).toMatchObject({
    code: 3,
    err: expect.stringContaining("Is its apiKey right?"),
  });
  expect(await sequitur(folderWith({}), ["plan", "Add"])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`"models" in sequitur.config.json`),
  });
  const models = { default: { baseUrl: "http://127.0.0.1:1/v1", model: "m", apiKey: "sk-0123456789" } };
  const open = await sequitur(folderWith({ "sequitur.config.json": { models } }), ["plan", "Add"]);
  expect(open).toMatchObject({ code: 2, err: expect.stringContaining("SEQUITUR_SECRET_NAME") });
  expect(open.err).not.toContain("sk-0123456789");
});
