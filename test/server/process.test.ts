import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { folderWith, sequitur } from "../run-cli.ts";
import { type ServerProcess, startProcess } from "./server-process.ts";

/** Notes each call in a file, and `slow` ends when there is a file called `go`. */
const TOOLS = `
import { appendFileSync, existsSync } from "node:fs";
const note = (name, { idempotencyKey }) => appendFileSync("calls.txt", name + " " + idempotencyKey + "\\n");
export const first = (params, context) => note("first", context);
export const slow = async (params, context) => {
  note("slow", context);
  while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 5));
  return "slow";
};
export const last = (params, context) => note("last", context);
`;

const PLAN = { steps: [{ tool: "first" }, { tool: "slow" }, { tool: "last" }] };
const processes: ServerProcess[] = [];

afterEach(async () => {
  for (const { child, ended } of processes.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
});

async function start(folder: string, args: readonly string[] = []): Promise<ServerProcess> {
  const started = await startProcess(folder, ["--tools", "tools.mjs", ...args]);
  processes.push(started);
  return started;
}

const callsIn = (folder: string): string[] => {
  const file = join(folder, "calls.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function startRun(server: ServerProcess): Promise<string> {
  const { data } = await server.ask("mutation($source: JSON) { startRun(source: $source) { id } }", {
    source: PLAN,
  });
  return data.startRun.id;
}

async function statusOf(server: ServerProcess, id: string): Promise<string> {
  const { data } = await server.ask("query($id: ID!) { run(id: $id) { status } }", { id });
  return data.run.status;
}

describe("stopping", () => {
  test("lets the steps under way end, starts no others, and the next start goes on from there", async () => {
    const folder = folderWith({ "tools.mjs": TOOLS });
    const server = await start(folder);
    const id = await startRun(server);
    await until(() => callsIn(folder).length === 2);
    server.child.kill("SIGTERM");
    await until(async () => !(await isReady(server)));
    writeFileSync(join(folder, "go"), "");
    expect(await server.ended).toBe(0);
    expect(callsIn(folder).map((line) => line.split(" ")[0])).toEqual(["first", "slow"]);
    const again = await start(folder);
    await until(async () => (await statusOf(again, id)) === "completed");
    expect(callsIn(folder).map((line) => line.split(" ")[0])).toEqual(["first", "slow", "last"]);
    expect(again.log()).toContain(`"recovered":1`);
  }, 30_000);

  test("does not wait for ever: what did not end is called again, under the same key", async () => {
    const folder = folderWith({ "tools.mjs": TOOLS, "limits.json": { drainMs: 50 } });
    const server = await start(folder, ["--limits", "limits.json"]);
    const id = await startRun(server);
    await until(() => callsIn(folder).length === 2);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    writeFileSync(join(folder, "go"), "");
    const again = await start(folder);
    await until(async () => (await statusOf(again, id)) === "completed");
    const [first, slow, slowAgain, last] = callsIn(folder);
    expect([first, last].map((line) => line?.split(" ")[0])).toEqual(["first", "last"]);
    expect(slowAgain).toBe(slow);
  }, 30_000);

  test("a killed server goes on where it was", async () => {
    const folder = folderWith({ "tools.mjs": TOOLS });
    const server = await start(folder);
    const id = await startRun(server);
    await until(() => callsIn(folder).length === 2);
    server.child.kill("SIGKILL");
    expect(await server.ended).toBe("SIGKILL");
    writeFileSync(join(folder, "go"), "");
    const again = await start(folder);
    await until(async () => (await statusOf(again, id)) === "completed");
    const calls = callsIn(folder);
    expect(calls.map((line) => line.split(" ")[0])).toEqual(["first", "slow", "slow", "last"]);
    expect(calls[1]).toBe(calls[2]);
  }, 30_000);
});

async function isReady({ url }: ServerProcess): Promise<boolean> {
  return fetch(`${url}readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

describe("serve", () => {
  test("prints an address with a token, is healthy, and lets nobody in without it", async () => {
    const folder = folderWith({ "tools.mjs": TOOLS });
    const server = await start(folder);
    expect((await fetch(`${server.url}healthz`)).status).toBe(200);
    expect(await isReady(server)).toBe(true);
    expect((await fetch(`${server.url}graphql?query={tools{name}}`)).status).toBe(401);
    const page = await fetch(`${server.url}?token=${server.token}`, { redirect: "manual" });
    expect(page.status).toBe(303);
    const { data } = await server.ask("{ tools { name } }");
    expect(data.tools).toContainEqual({ name: "slow" });
    expect(server.log()).not.toContain(server.token);
    expect(statSync(join(folder, ".sequitur", "runs.db-tokens.key")).mode & 0o077).toBe(0);
  }, 30_000);

  test("refuses other hosts without tokens, and any host without a name", async () => {
    const folder = folderWith({ "tools.mjs": TOOLS });
    const bare = await sequitur(folder, ["serve", "--host", "0.0.0.0", "--port", "0"]);
    expect(bare).toMatchObject({ out: "" });
    expect(bare.code).not.toBe(0);
    expect(bare.err).toContain("sequitur token issue");
    await sequitur(folder, ["token", "issue", "--name", "ci", "--scope", "runs:read"]);
    const nameless = await sequitur(folder, ["serve", "--host", "0.0.0.0", "--port", "0"]);
    expect(nameless.code).not.toBe(0);
    expect(nameless.err).toContain("--origin");
  }, 30_000);

  test.each([
    [["--port", "x"], "--port is a number"],
    [["--origin", "nowhere"], "--origin is an address"],
    [["--limits", "limits.json"], `There is no limit "bodyMax"`],
    [["here"], "serve takes no operand"],
  ])("explains what it cannot use: %s", async (args, words) => {
    const folder = folderWith({ "limits.json": { bodyMax: 1 } });
    const { code, err } = await sequitur(folder, ["serve", ...args]);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});

describe("token", () => {
  test("issues, lists and revokes, also for a server that runs", async () => {
    const folder = folderWith({ "tools.mjs": TOOLS });
    const issue = [
      "token",
      "issue",
      "--name",
      "ci",
      "--scope",
      "runs:read",
      "--scope",
      "plans:run:*",
      "--expires",
      "1h",
      "--json",
    ];
    const issued = JSON.parse((await sequitur(folder, issue)).out);
    expect(issued).toMatchObject({ name: "ci", scopes: ["runs:read", "plans:run:*"] });
    const server = await start(folder);
    const headers = { authorization: `Bearer ${issued.token}` };
    const ask = () => fetch(`${server.url}graphql?query={runs{nodes{id}}}`, { headers });
    expect((await ask()).status).toBe(200);
    const listed = await sequitur(folder, ["token", "list"]);
    expect(listed.out).toContain(`${issued.id}  ci  runs:read plans:run:*  until`);
    expect(listed.out).not.toContain(issued.token);
    expect((await sequitur(folder, ["token", "revoke", "ci"])).code).toBe(0);
    expect((await ask()).status).toBe(401);
    expect((await sequitur(folder, ["token", "list"])).out).toContain("revoked");
    expect(readFileSync(join(folder, ".sequitur", "runs.db-tokens.json"), "utf8")).not.toContain(
      issued.token,
    );
  }, 30_000);

  test.each([
    [["token"], "issue, list or revoke"],
    [["token", "issue", "--scope", "admin"], "--name NAME"],
    [["token", "issue", "--name", "ci"], "--scope SCOPE"],
    [["token", "issue", "--name", "ci", "--scope", "root"], `"root" is no scope`],
    [["token", "issue", "--name", "local", "--scope", "admin"], "local is the server's own"],
    [["token", "issue", "--name", "ci", "--scope", "admin", "--expires", "soon"], "12h or 30d"],
    [["token", "revoke", "nobody"], `There is no token "nobody"`],
  ])("explains what it cannot use: %s", async (args, words) => {
    const { code, err } = await sequitur(folderWith({}), args);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});
