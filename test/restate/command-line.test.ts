import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderWith, sequitur, startSequitur } from "../run-cli.ts";
import { freePorts, hasServer, type RestateServer, startRestate } from "./server.ts";
import { WorkerProcess } from "./worker-process.ts";

const plan = [
  { id: "greet", tool: "greet", arguments: { name: "{{PLACEHOLDER_name}}" } },
  { id: "shout", tool: "shout", arguments: { text: "{{greet.result.text}}" } },
];

const tools = `
export const greet = ({ name }) => ({ text: "hello " + name });
export const shout = ({ text }) => ({ text: text.toUpperCase() });
`;

describe.skipIf(!hasServer())("the command line with a cluster", { retry: 1 }, () => {
  const folder = folderWith({ "plan.json": plan, "tools.mjs": tools });
  let server: RestateServer;
  let worker: WorkerProcess;
  const run = (...args: string[]) => sequitur(folder, args);
  const here = ["--db", "runs.db"];
  const started = ["run", "plan.json", "--tools", "tools.mjs", ...here, "--json"];

  beforeAll(async () => {
    server = await startRestate();
    const [port = 0] = await freePorts(1);
    worker = new WorkerProcess({ server, folder, port });
    await worker.start();
  });

  afterAll(async () => {
    await worker?.end("SIGKILL");
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the same plan file gives the same on the laptop and on the cluster", async () => {
    const local = await run(...started, "--input", "name=Ada");
    const there = await run(...started, "--input", "name=Ada", "--restate", server.url);
    expect(there.err).toBe("");
    const stepsOf = (out: string) =>
      Object.entries(JSON.parse(out).steps).map(([id, step]) => [id, (step as { result: unknown }).result]);
    expect([local.code, there.code]).toEqual([0, 0]);
    expect(stepsOf(there.out)).toEqual(stepsOf(local.out));
    expect(stepsOf(there.out)).toContainEqual(["shout", { text: "HELLO ADA" }]);
  });

  test("a run that asks waits; runs and show see it, input answers it", async () => {
    const asked = await run(...started, "--restate", server.url);
    expect(asked.code).toBe(4);
    expect(asked.err).toContain(`--restate ${server.url}`);
    const { id } = JSON.parse(asked.out) as { id: string };
    // The store hears of it from the worker, a moment after the run itself knows.
    const listed = async (): Promise<object | undefined> => {
      const { out } = await run("runs", ...here, "--json");
      return (JSON.parse(out) as { id: string }[]).find((entry) => entry.id === id);
    };
    await expect.poll(listed, { timeout: 30_000 }).toMatchObject({ status: "waiting" });
    expect(await listed()).not.toHaveProperty("interrupted");
    expect((await run("show", id, ...here)).out).toContain("name");
    const elsewhere = await run("input", id, "name=Bo", ...here);
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.err).toContain("--restate URL");
    const answered = await run("input", id, "name=Bo", ...here, "--json", "--restate", server.url);
    expect(answered.code).toBe(0);
    expect(JSON.parse(answered.out).steps.shout.result).toEqual({ text: "HELLO BO" });
  });

  test("cancel ends a run of the cluster", async () => {
    const { id } = JSON.parse((await run(...started, "--restate", server.url)).out) as { id: string };
    const cancelled = await run("cancel", id, ...here, "--json", "--restate", server.url);
    expect(cancelled.code).toBe(0);
    expect(JSON.parse(cancelled.out).status).toBe("cancelled");
  });

  test("serve starts runs on the cluster, and shows them", async () => {
    const serving = startSequitur(folder, [
      "serve",
      "--port",
      "0",
      "--log",
      "silent",
      "--tools",
      "tools.mjs",
      ...here,
      "--restate",
      server.url,
    ]);
    let said = "";
    serving.child.stdout.on("data", (chunk) => (said += String(chunk)));
    await serving.printed("token=");
    const address = new URL(said.trim());
    const token = (await run("token", "issue", "--name", "test", "--scope", "admin", ...here)).out.trim();
    const ask = async (query: string): Promise<unknown> => {
      const response = await fetch(new URL("/graphql", address), {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ query }),
      });
      return response.json();
    };
    const answer = await ask(
      `mutation { executePlan(plan: { steps: [{ tool: "greet", params: { name: "Cy" } }] }) { results { success data } } }`,
    );
    expect(answer).toEqual({
      data: { executePlan: { results: [{ success: true, data: { text: "hello Cy" } }] } },
    });
    serving.child.kill("SIGTERM");
    await serving.result;
  });

  test("a worker without the store tells the recorder, by way of Restate", async () => {
    const there = ["--restate", server.url, "--admin", server.adminUrl, "--port", "0"];
    const recorder = startSequitur(folder, ["recorder", ...there, ...here]);
    await recorder.printed("Writing down runs at http://127.0.0.1:");
    const away = folderWith({ "tools.mjs": tools });
    const other = startSequitur(away, [
      ...["worker", ...there, "--no-store", "--blobs", "blobs", "--tools", "tools.mjs"],
    ]);
    await other.printed("Waiting for runs");
    const ran = await run(...started, "--input", "name=Di", "--restate", server.url);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out).steps.shout.result).toEqual({ text: "HELLO DI" });
    for (const { child, result } of [other, recorder]) {
      child.kill("SIGTERM");
      await result;
    }
    rmSync(away, { recursive: true, force: true });
  });

  test("a worker says what it needs, and ends when it is asked to", async () => {
    expect((await run("worker")).err).toContain("--restate http://127.0.0.1:8080");
    expect((await run("worker", "--restate", "nowhere")).err).toContain('not "nowhere"');
    const other = startSequitur(folder, [
      "worker",
      "--restate",
      server.url,
      "--admin",
      server.adminUrl,
      "--port",
      "0",
      "--tools",
      "tools.mjs",
      ...here,
    ]);
    await other.printed("Waiting for runs at http://127.0.0.1:");
    other.child.kill("SIGTERM");
    expect((await other.result).code).toBe(0);
  });
});
