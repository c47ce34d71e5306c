/* `sequitur mcp` as a client sees it: one process, standard input and output. */
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, test } from "vitest";
import { folderWith, sequitur, startSequitur } from "../run-cli.ts";

const BIN = fileURLToPath(new URL("../../bin/sequitur.js", import.meta.url));

const project = {
  "sequitur.config.json": { tools: "tools.mjs", agents: "agents" },
  "tools.mjs": `
    console.log("a tool's module that prints");
    const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
    export const people = {
      name: "people", description: "People by city.", input: object({ city: { type: "string" } }),
      output: object({ people: { type: "array", items: object({ name: { type: "string" } }) } }),
      run: ({ city }) => { console.log("printing"); return { people: [{ name: city + " 1" }, { name: city + " 2" }] }; },
    };
    export const many = () => Array.from({ length: 5000 }, (_, i) => ({ i, text: "word ".repeat(20) }));
    export const echo = (params) => params;
    export const drop = { name: "drop", requiresConfirmation: true, run: () => "dropped" };
    export const slow = () => new Promise((resolve) => setTimeout(() => resolve("late"), 60_000).unref());
  `,
  "agents/greet/hello.agent": {
    description: "Says hello.",
    arguments: [{ name: "who", type_name: "string", description: "whom to greet" }],
    instructions: [
      {
        execution_id: "say",
        agent_definition_path: "/greet/echo.agent",
        arguments: { text: "REF:arguments.who" },
      },
    ],
    response_reference_map: { greeting: "REF:say.text" },
  },
  "agents/greet/echo.agent": {
    description: "Gives back what it is given.",
    system_event_endpoint: "echo",
    arguments: [{ name: "text", type_name: "string" }],
    responses: [{ name: "text", type_name: "string" }],
  },
};

type Answer = Record<string, unknown> & { run_id: string };
const open: Client[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

async function connect(
  transport: Transport,
  answer?: (schema: unknown) => Record<string, string | number | boolean> | undefined,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: answer ? { elicitation: {} } : {} },
  );
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const content = answer("requestedSchema" in params ? params.requestedSchema : undefined);
      return content === undefined ? { action: "decline" as const } : { action: "accept" as const, content };
    });
  }
  await client.connect(transport);
  open.push(client);
  return client;
}

const stdio = (cwd: string): StdioClientTransport =>
  new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], cwd, stderr: "ignore" });

async function call(client: Client, name: string, args: object): Promise<Answer> {
  const { content, structuredContent } = await client.callTool({ name, arguments: { ...args } });
  const [first] = content as { text: string }[];
  if (structuredContent !== undefined) expect(JSON.parse(first?.text ?? "")).toEqual(structuredContent);
  return (structuredContent ?? { text: first?.text }) as Answer;
}

const step = (id: string, tool: string, args: object = {}) => ({ id, tool, arguments: args });

describe("over standard input and output", () => {
  test("teaches, lists and runs", async () => {
    const client = await connect(stdio(folderWith(project)));
    expect(client.getInstructions()).toContain("one run_plan");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("greet_hello");
    expect(tools.find(({ name }) => name === "run_plan")?.description).toContain(
      "{{mails.result.data.*.id}}",
    );
    const listed = await call(client, "list_tools", { query: "people city" });
    expect(listed.tools).toEqual([
      "people({ city: string }) -> { people: { name: string }[] }  // People by city.",
    ]);
    const plan = {
      plan: [
        step("who", "people", { city: "Oslo" }),
        step("end", "echo", { names: "{{who.result.people.*.name}}" }),
      ],
    };
    expect(await call(client, "run_plan", { plan })).toMatchObject({
      status: "completed",
      result: { names: ["Oslo 1", "Oslo 2"] },
    });
    // As text, and with other results asked for.
    const both = await call(client, "run_plan", { plan: JSON.stringify(plan), return: ["who", "end"] });
    expect(both.result).toMatchObject({ who: { result: { people: [{}, {}] } }, end: { result: {} } });
  });

  test("an agent is a tool of its own", async () => {
    const client = await connect(stdio(folderWith(project)));
    expect(await call(client, "greet_hello", { who: "Ada" })).toMatchObject({
      status: "completed",
      result: { greeting: "Ada" },
    });
  });

  test("a plan that is wrong comes back with everything that is wrong, and mended", async () => {
    const client = await connect(stdio(folderWith(project)));
    const plan = {
      plan: [
        step("who", "peple", { city: "Oslo" }),
        step("end", "echo", { names: "{{woh.result.people.*.name}}" }),
      ],
    };
    const wrong = await call(client, "run_plan", { plan });
    expect(wrong).toMatchObject({
      ok: false,
      diagnostics: [{ code: "unknown-tool" }, { code: "unknown-step" }],
    });
    expect(await call(client, "run_plan", { plan: wrong.corrected_plan })).toMatchObject({
      status: "completed",
    });
    const deeper = await call(client, "check_plan", {
      plan: { plan: [step("who", "peple", { town: "Oslo" })] },
    });
    expect(JSON.stringify(deeper.left_to_correct)).toContain("city");
  });

  test("large results are cut, and the rest is there by its path", async () => {
    const client = await connect(stdio(folderWith(project)));
    const answer = await call(client, "run_plan", { plan: { plan: [step("all", "many")] } });
    expect(JSON.stringify(answer).length).toBeLessThan(8_000);
    expect(answer.cut).toContainEqual(
      expect.objectContaining({ path: "steps.all.result", of: 5000, unit: "items" }),
    );
    const part = await call(client, "get_run", { run_id: answer.run_id, path: "steps.all.result[4321].i" });
    expect(part.value).toBe(4321);
    const tail = await call(client, "get_run", {
      run_id: answer.run_id,
      path: "steps.all.result",
      offset: 4999,
    });
    expect(tail.value).toMatchObject([{ i: 4999 }]);
    const nothing = await call(client, "get_run", { run_id: answer.run_id, path: "steps.al.result" });
    expect(nothing.text).toContain('There is nothing at "steps.al.result". Steps: all.');
  });

  const asking = { plan: [step("ask", "echo", { text: "{{PLACEHOLDER_title}}" }), step("gone", "drop")] };

  test("without elicitation, the result says what is missing and how to answer", async () => {
    const client = await connect(stdio(folderWith(project)));
    const answer = await call(client, "run_plan", { plan: asking });
    expect(answer.status).toBe("waiting");
    expect(answer.next).toContain(
      `provide_inputs with { "run_id": "${answer.run_id}", "inputs": { "title": … }`,
    );
    const inputs = await call(client, "provide_inputs", { run_id: answer.run_id, inputs: { title: "T" } });
    expect(inputs.next).toContain(`"confirm": { "gone": true }`);
    const done = await call(client, "provide_inputs", { run_id: answer.run_id, confirm: { gone: true } });
    expect(done).toMatchObject({
      status: "completed",
      result: { ask: { result: { text: "T" } }, gone: { result: "dropped" } },
    });
  });

  test("with elicitation, the person is asked", async () => {
    const forms: unknown[] = [];
    const client = await connect(stdio(folderWith(project)), (schema) => {
      forms.push(schema);
      return JSON.stringify(schema).includes("gone") ? { gone: true } : { title: "asked" };
    });
    const answer = await call(client, "run_plan", { plan: asking });
    expect(answer).toMatchObject({ status: "completed", result: { ask: { result: { text: "asked" } } } });
    expect(forms[0]).toMatchObject({ properties: { title: { type: "string" } }, required: ["title"] });
  });

  test("a person who declines is not asked again, and a model cannot agree for them", async () => {
    const client = await connect(stdio(folderWith(project)), () => undefined);
    const answer = await call(client, "run_plan", { plan: { plan: [step("gone", "drop")] } });
    expect(answer.status).toBe("waiting");
    const again = await call(client, "provide_inputs", { run_id: answer.run_id, confirm: { gone: true } });
    expect(again.status).toBe("waiting");
  });

  test("a run that takes long is left to itself, and can be cancelled", async () => {
    const client = await connect(stdio(folderWith(project)));
    const answer = await call(client, "run_plan", { plan: { plan: [step("wait", "slow")] }, wait_ms: 10 });
    expect(answer).toMatchObject({ status: "running", steps: { wait: "running" } });
    expect(await call(client, "cancel_run", { run_id: answer.run_id, reason: "enough" })).toMatchObject({
      status: "cancelled",
    });
  });
});

describe("over HTTP", () => {
  test("sessions, and a token where one is set", async () => {
    const server = startSequitur(folderWith(project), ["mcp", "--http", "0"], {
      SEQUITUR_MCP_TOKEN: "let-me-in-1234",
    });
    let out = "";
    await new Promise<void>((resolve) => {
      server.child.stdout.on("data", (chunk) => {
        out += String(chunk);
        if (out.includes("/mcp\n")) resolve();
      });
    });
    const url = new URL(out.trim().split("\n").at(-1) ?? "");
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
    const requestInit = { headers: { Authorization: "Bearer let-me-in-1234" } };
    const client = await connect(new StreamableHTTPClientTransport(url, { requestInit }) as Transport);
    expect(await call(client, "run_plan", { plan: { plan: [step("a", "echo", { x: 1 })] } })).toMatchObject({
      result: { x: 1 },
    });
    await client.close();
    server.child.kill("SIGTERM");
    expect((await server.result).code).toBe(0);
  });

  test("another host needs a token", async () => {
    const { code, err } = await sequitur(folderWith({}), ["mcp", "--http", "0", "--host", "0.0.0.0"]);
    expect(code).toBe(2);
    expect(err).toContain("set SEQUITUR_MCP_TOKEN");
  });
});
