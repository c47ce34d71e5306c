/*
 * The protocol's own conformance suite, against `sequitur mcp` and against our client. The suite's server scenarios call
 * tools by name; agents of those names make them apply here, since every agent is a tool.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderWith, type StartedCli, startSequitur } from "../run-cli.ts";

const SUITE = join(
  createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json"),
  "..",
  "dist",
  "index.js",
);

const NO_RESOURCES = "we serve tools, and neither resources nor templates of them";
const NO_PROMPTS = "we serve tools, and no prompts";
const NO_CONTENT = "our tools give JSON, and no content of this kind";

/** Server scenarios that do not apply, and why. */
const SERVER_REST: Readonly<Record<string, string>> = {
  "logging-set-level": "we declare no logging: what happens in a run is in the run, where get_run shows it",
  "completion-complete": "completion is for prompts and resources, which we do not serve",
  "tools-call-image": NO_CONTENT,
  "tools-call-audio": NO_CONTENT,
  "tools-call-embedded-resource": NO_CONTENT,
  "tools-call-mixed-content": NO_CONTENT,
  "tools-call-with-logging": "we declare no logging",
  "tools-call-sampling": "we never ask the client's model for anything",
  "json-schema-2020-12": "asks for one certain tool with $defs; our schemas need none",
  "elicitation-sep1034-defaults": "asks for one certain form; our forms come from the questions of plans",
  "elicitation-sep1330-enums": "asks for one certain form; our forms come from the questions of plans",
  "server-sse-polling": "optional: we do not close streams in the middle of a call",
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "resources-subscribe": NO_RESOURCES,
  "resources-unsubscribe": NO_RESOURCES,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
};

const SERVER = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-elicitation",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

const CLIENT = ["initialize", "tools_call", "sse-retry"];
/** Client scenarios that do not apply, and why. */
const CLIENT_REST: Readonly<Record<string, string>> = {
  "elicitation-sep1034-client-defaults":
    "a step cannot ask in the middle of a call, so we declare no elicitation; plans ask with placeholders",
};
/** By their names' beginning. Tokens are given in the configuration: an engine that runs unattended opens no browser to log in. */
const OAUTH = "auth/";

const tool = (name: string, run: string, more = "") =>
  `export const ${name} = { name: "${name}", ${more} run: ${run} };\n`;
const primitive = (endpoint: string) => ({
  description: `Calls ${endpoint}.`,
  system_event_endpoint: endpoint,
  arguments: [],
});

const project = {
  "sequitur.config.json": { tools: "tools.mjs", agents: "agents" },
  "tools.mjs": [
    tool("say", `() => ({ text: "This is a simple text response for testing." })`),
    tool("fail", `() => { throw new Error("This tool intentionally returns an error for testing"); }`),
    tool("pause", "() => new Promise((resolve) => setTimeout(resolve, 50))"),
    tool("ask", "() => 1", "requiresConfirmation: true,"),
  ].join(""),
  "agents/test_simple_text.agent": primitive("say"),
  "agents/test_error_handling.agent": primitive("fail"),
  "agents/test_elicitation.agent": {
    ...primitive("ask"),
    arguments: [{ name: "message", type_name: "string" }],
  },
  "agents/pause.agent": primitive("pause"),
  "agents/test_tool_with_progress.agent": {
    description: "Three steps, one after the other.",
    arguments: [],
    instructions: [1, 2, 3].map((i) => ({
      execution_id: `step_${i}`,
      agent_definition_path: "/pause.agent",
      arguments: {},
      ...(i > 1 && { dependencies: [`step_${i - 1}`] }),
    })),
  },
};

/** Ends with code 0 where every check of the scenario has passed. */
function suite(args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [SUITE, ...args], { cwd: folderWith({}) });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += String(chunk)));
    child.on("close", (code) => resolve({ code, out }));
  });
}

async function scenarios(heading: string): Promise<string[]> {
  const { out } = await suite(["list"]);
  const part = out.slice(out.indexOf(heading)).split("\n\n")[0] ?? "";
  return [...part.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
}

describe("the conformance suite against sequitur mcp --http", () => {
  let server: StartedCli;
  let url = "";

  beforeAll(async () => {
    server = startSequitur(folderWith(project), ["mcp", "--http", "0"]);
    let out = "";
    await new Promise<void>((resolve) => {
      server.child.stdout.on("data", (chunk) => {
        out += String(chunk);
        if (out.includes("/mcp\n")) resolve();
      });
    });
    url = out.trim();
  });

  afterAll(async () => {
    server.child.kill("SIGTERM");
    await server.result;
  });

  test.each(SERVER)("%s", async (name) => {
    const { code, out } = await suite(["server", "--url", url, "--scenario", name]);
    expect(code, out).toBe(0);
    expect(out).toMatch(/Passed: (\d+)\/\1, 0 failed/);
  });

  test("every other scenario has a reason", async () => {
    expect((await scenarios("Server scenarios")).sort()).toEqual(
      [...SERVER, ...Object.keys(SERVER_REST)].sort(),
    );
  });
});

describe("the conformance suite against our client", () => {
  const client = `${process.execPath} ${fileURLToPath(new URL("conformance-client.ts", import.meta.url))}`;

  test.each(CLIENT)("%s", async (name) => {
    const { code, out } = await suite(["client", "--command", client, "--scenario", name]);
    expect(code, out).toBe(0);
    expect(out).toContain("OVERALL: PASSED");
  });

  test("every other scenario has a reason", async () => {
    const rest = (await scenarios("Client scenarios")).filter((name) => !CLIENT.includes(name));
    const unexplained = rest.filter((name) => !name.startsWith(OAUTH) && !(name in CLIENT_REST));
    expect(unexplained).toEqual([]);
  });
});
