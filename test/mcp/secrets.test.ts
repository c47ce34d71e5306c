/* What servers are given on trust appears nowhere: not in the journal, events, errors, logs or what a model is told. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEngine } from "../../src/index.ts";
import { folderWith, sequitur } from "../run-cli.ts";
import { serve } from "../server/served.ts";
import { hostile } from "./servers.ts";

const KEY = "sk-live-51H8xYtTq?&9";
const FORMS = [
  KEY,
  Buffer.from(KEY).toString("base64").replace(/=+$/, ""),
  encodeURIComponent(KEY),
  JSON.stringify(KEY).slice(1, -1),
];

function expectClean(text: string): void {
  for (const form of FORMS) expect(text).not.toContain(form);
}

const plan = {
  plan: [
    { id: "leak", tool: "evil.leak", arguments: {} },
    { id: "again", tool: "evil.leak_error", arguments: {} },
  ],
};

test.each([
  ["as a literal in env", { env: { API_KEY: KEY } }, {}],
  ["as a secret", { env: { API_KEY: { $secret: "SERVICE" } } }, { SERVICE: KEY }],
])("a key that is given %s", async (_how, config, secrets) => {
  const folder = folderWith({});
  const logged: string[] = [];
  const engine = await createEngine({
    mcpServers: { evil: hostile(config) },
    secrets,
    store: { sqlite: join(folder, "runs.db") },
    log: (entry) => void logged.push(JSON.stringify(entry)),
  });
  expect(engine.tools.get("evil.leak")?.description).toContain("[secret ");
  expectClean(JSON.stringify([...engine.tools.values()]));
  const result = await engine.run(plan, { mode: "continue" });
  expect(result.steps.leak?.result).toContain("[secret ");
  expect(result.steps.again?.error?.message).toContain("bad key [secret ");
  expectClean(JSON.stringify({ ...result, steps: result.steps }));
  for await (const event of engine.events(result.id)) expectClean(JSON.stringify(event));
  await engine.close();
  expect(logged.join("\n")).toContain("key [secret ");
  expectClean(logged.join("\n"));
  for (const file of readdirSync(folder)) expectClean(readFileSync(join(folder, file), "latin1"));
});

test("a key in sequitur.config.json: not on the command line, and not in the store", async () => {
  const { args, command } = hostile();
  const folder = folderWith({
    "sequitur.config.json": { mcpServers: { evil: { command, args, env: { API_KEY: KEY } } }, db: "runs.db" },
    "leak.plan.json": plan,
  });
  const run = await sequitur(folder, ["run", "leak.plan.json", "--json", "--continue"]);
  expect(run.out).toContain("[secret API_KEY]");
  const { id } = JSON.parse(run.out) as { id: string };
  const shown = await sequitur(folder, ["show", id, "--json"]);
  expect(shown.code).not.toBe(2);
  for (const { out, err } of [run, shown]) expectClean(out + err);
  for (const file of readdirSync(folder)) {
    if (file.startsWith("runs.db")) expectClean(readFileSync(join(folder, file), "latin1"));
  }
});

test("what the server and its page show", async () => {
  const served = await serve({ mcpServers: { evil: hostile({ env: { API_KEY: KEY } }) } });
  const start = "mutation($source: JSON) { startRun(source: $source) { id } }";
  const { data } = await served.ask(start, { source: plan });
  for await (const event of served.engine.events(data.startRun.id)) expectClean(JSON.stringify(event));
  const query = `query($id: ID!) { run(id: $id) { status error { message } steps { id result error { message } } }
    tools { name description input output } }`;
  const { text } = await served.ask(query, { id: data.startRun.id });
  expect(text).toContain("[secret API_KEY]");
  expect(text).toContain("evil.leak");
  expectClean(text + served.logged.join("\n"));
  await served.close();
});

test("a secret that does not exist is named, and the engine does not start a server without it", async () => {
  const logged: string[] = [];
  const engine = await createEngine({
    mcpServers: { evil: hostile({ env: { API_KEY: { $secret: "NOWHERE" } } }) },
    secrets: {},
    log: ({ message }) => void logged.push(message),
  });
  expect(logged.join("\n")).toContain('there is no secret called "NOWHERE"');
  expect([...engine.tools.keys()].some((name) => name.startsWith("evil."))).toBe(false);
  await engine.close();
});
