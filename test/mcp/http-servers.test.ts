/* Servers at an address: one engine's plans as another one's tools, and the everything server. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { afterEach, describe, expect, test } from "vitest";
import {
  createEngine,
  type Engine,
  type Json,
  type JsonObject,
  type McpServerConfig,
} from "../../src/index.ts";
import { folderWith, type StartedCli, startSequitur } from "../run-cli.ts";

const TOKEN = "tok-other-engine-77";
let engine: Engine | undefined;
const servers: StartedCli[] = [];
const logged: string[] = [];

afterEach(async () => {
  await engine?.close();
  for (const server of servers.splice(0)) await stop(server);
  logged.length = 0;
});

async function stop({ child, result }: StartedCli): Promise<void> {
  child.kill("SIGTERM");
  await result;
}

const folder = folderWith({
  "sequitur.config.json": { tools: "tools.mjs" },
  "tools.mjs": `export const big = () => "x".repeat(5000);
    export const double = ({ n }) => ({ n: 2 * n });
    export const never = () => new Promise(() => {});\n`,
});

async function serve(port: string): Promise<string> {
  const server = startSequitur(folder, ["mcp", "--http", port], { SEQUITUR_MCP_TOKEN: TOKEN });
  servers.push(server);
  let out = "";
  return new Promise((resolve) => {
    server.child.stdout.on("data", (chunk) => {
      out += String(chunk);
      if (out.includes("/mcp\n")) resolve(out.trim());
    });
  });
}

async function open(config: McpServerConfig): Promise<Engine> {
  engine = await createEngine({
    mcpServers: { other: { confirm: "never", ...config } },
    secrets: { OTHER: TOKEN },
    log: ({ message }) => void logged.push(message),
  });
  return engine;
}

const other = (tool: string, args: JsonObject): Json => ({
  plan: [
    {
      id: "call",
      tool: "other.run_plan",
      arguments: { plan: { plan: [{ id: "a", tool, arguments: args }] } },
    },
  ],
});

describe("another sequitur", () => {
  test("is called with its token, which appears nowhere", async () => {
    const here = await open({ url: await serve("0"), token: { $secret: "OTHER" } });
    const { steps } = await here.run(other("double", { n: 21 }));
    expect(steps.call?.result).toMatchObject({ status: "completed", result: { n: 42 } });
    expect(JSON.stringify([steps, logged])).not.toContain(TOKEN);
  });

  test("says who is refused", async () => {
    await open({ url: await serve("0"), headers: { Authorization: "Bearer wrong-token-1" } });
    expect(logged.join("\n")).toContain("other: The server cannot be used");
    expect(logged.join("\n")).not.toContain("wrong-token-1");
  });

  test("that goes away fails its calls, and is found again when it comes back", async () => {
    const url = await serve("0");
    const here = await open({ url, headers: { Authorization: `Bearer ${TOKEN}` } });
    const [first] = servers.splice(0);
    const run = await here.start(other("never", {}));
    // Long enough for the other side to have begun; where it has not, the call fails all the same.
    await new Promise((resolve) => setTimeout(resolve, 500));
    first?.child.kill("SIGKILL");
    const { steps } = await run.result;
    expect(steps.call).toMatchObject({ status: "failed", error: { code: "SERVER_GONE" } });
    await serve(new URL(url).port);
    const again = await here.run(other("double", { n: 1 }));
    expect(again.steps.call?.result).toMatchObject({ result: { n: 2 } });
  });

  test("that answers at too great a length is not read to the end", async () => {
    const here = await open({ url: await serve("0"), token: { $secret: "OTHER" }, messageBytesMax: 8_000 });
    const { steps } = await here.run(other("big", {}));
    expect(steps.call).toMatchObject({ status: "failed", error: { code: "RESULT_TOO_LARGE" } });
    const again = await here.run(other("double", { n: 1 }));
    expect(again.steps.call?.result).toMatchObject({ result: { n: 2 } });
  });
});

test.each([
  ["streamableHttp", "/mcp", {}],
  ["sse", "/sse", { type: "sse" }],
] as const)("server-everything over %s", async (mode, path, config) => {
  const script = createRequire(import.meta.url).resolve(
    "@modelcontextprotocol/server-everything/dist/index.js",
  );
  const port = String(20_000 + (process.pid % 20_000) + (mode === "sse" ? 1 : 0));
  const child = spawn(process.execPath, [script, mode], { env: { ...process.env, PORT: port } });
  try {
    await new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk) => /listening|running/i.test(String(chunk)) && resolve());
    });
    const here = await open({ url: `http://127.0.0.1:${port}${path}`, ...config });
    const { steps } = await here.run({
      plan: [{ id: "sum", tool: "other.get-sum", arguments: { a: 2, b: 3 } }],
    });
    expect(steps.sum?.result).toContain("5");
  } finally {
    child.kill();
  }
});
