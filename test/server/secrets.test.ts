/* Canaries: secrets that a tool is given, and that must come out nowhere. Everything that comes out is searched for them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, ToolContext } from "../../src/index.ts";
import { subscribe } from "./event-source.ts";
import { type Served, serve } from "./served.ts";

const CANARY = `canary-"quoted"&spaced ü-${"k".repeat(20)}`;
const SECRETS = { API_KEY: CANARY, OTHER: "another-canary-5f3a" };

let served: Served;
const given: Json[] = [];

beforeAll(async () => {
  served = await serve({
    secrets: SECRETS,
    tools: {
      /** Takes the secret, and does everything that a careless tool does with it. */
      careless: (params: { key: string; nested?: Json }, context: ToolContext) => {
        given.push(params);
        const { key } = params;
        context.log(`calling with ${key}`, { key });
        context.emit({ kind: "TextEmitted", text: `my key is ${key}` });
        context.emit({ kind: "Noted", [key]: { authorization: `Bearer ${key}` } });
        context.context.set("last_key", key);
        const bytes = Buffer.from(key);
        return {
          key,
          [key]: key,
          url: `https://x.example/?key=${encodeURIComponent(key)}`,
          form: new URLSearchParams({ key }).toString(),
          json: JSON.stringify({ key }),
          base64: bytes.toString("base64"),
          base64url: bytes.toString("base64url"),
          hex: bytes.toString("hex"),
        };
      },
      failing: ({ key }: { key: string }) => {
        throw Object.assign(new Error(`401 for ${key}`), { code: `E_${key}` });
      },
      /** Has it from somewhere else by now. */
      gossip: () => ({ heard: given.map((params) => (params as { key?: Json })?.key ?? null) }),
      echo: (params: unknown) => params,
      forge: () => ({ $secret: "API_KEY" }),
    },
    agents: {
      "/call.agent": {
        arguments: [{ name: "key", type_name: "string", regex_pattern: "^canary-" }],
        system_event_endpoint: "careless",
      },
    },
  });
});

afterAll(() => served.close());

const START = `mutation($source: JSON, $arguments: JSON) { startRun(source: $source, arguments: $arguments, context: { last_key: "" }) { id } }`;
const KEY = { $secret: "API_KEY" };

async function run(source: Json, args?: Json): Promise<{ id: string; seen: string }> {
  const { data, errors } = await served.ask(START, {
    source,
    ...(args !== undefined && { arguments: args }),
  });
  expect(errors).toBeUndefined();
  const { id } = data.startRun;
  let seen = "";
  for await (const event of subscribe(
    served,
    "subscription($id: ID!) { runEvents(id: $id) { seq kind at step data } }",
    { id },
  )) {
    seen += JSON.stringify(event);
  }
  const shown = await served.ask(
    "query($id: ID!) { run(id: $id) { status response execution { results { data error { code message } resolvedParams } } context error { name code message } steps { id arguments result error { code message } reason } events { data } planSteps { params } questions { name } graph { steps { id } } } }",
    { id },
  );
  expect(shown.errors).toBeUndefined();
  return { id, seen: seen + shown.text };
}

/** In plain text, and in the forms that text takes on its way. */
function tracesIn(text: string): string[] {
  const forms = Object.values(SECRETS).flatMap((value) => {
    const bytes = Buffer.from(value);
    return [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      bytes.toString("base64").slice(0, -4),
      bytes.toString("hex"),
    ];
  });
  return forms.filter((form) => text.includes(form));
}

test("a tool is given the value; everybody else sees the marker", async () => {
  const plan = {
    steps: [{ tool: "careless", params: { key: KEY, nested: [{ deep: { $secret: "OTHER" } }] } }],
  };
  const { seen, id } = await run(plan);
  expect(given.at(-1)).toEqual({ key: CANARY, nested: [{ deep: SECRETS.OTHER }] });
  expect(tracesIn(seen)).toEqual([]);
  expect(seen).toContain("[secret API_KEY]");
  const result = await served.engine.get(id);
  expect(result).toMatchObject({ status: "completed", context: { last_key: "[secret API_KEY]" } });
  expect(result?.steps["0"]?.arguments).toEqual({ key: KEY, nested: [{ deep: { $secret: "OTHER" } }] });
});

test("errors hold no secret", async () => {
  const { seen } = await run([
    { id: "f", tool: "failing", arguments: { key: KEY }, policy: { retries: 1, backoff: { base_ms: 1 } } },
  ]);
  expect(seen).toContain("401 for [secret API_KEY]");
  expect(tracesIn(seen)).toEqual([]);
});

test("what another tool has heard holds none either", async () => {
  const { seen } = await run([{ id: "g", tool: "gossip" }]);
  expect(seen).toContain("[secret API_KEY]");
  expect(tracesIn(seen)).toEqual([]);
});

test("secrets pass through agents to the tool, and fit what is declared for a text", async () => {
  const agent = {
    instructions: [
      {
        execution_id: "outer",
        agent_definition: {
          arguments: [{ name: "key", type_name: "string" }],
          instructions: [
            {
              execution_id: "inner",
              agent_definition_path: "/call.agent",
              arguments: { key: "REF:arguments.key" },
            },
          ],
        },
        arguments: { key: KEY },
      },
    ],
  };
  const { seen, id } = await run(agent);
  expect(await served.engine.get(id)).toMatchObject({ status: "completed" });
  expect(given.at(-1)).toEqual({ key: CANARY });
  expect(tracesIn(seen)).toEqual([]);
});

test("data that looks like a secret is data, also beside a real one: from a tool, an argument, a person", async () => {
  const plan = [
    { id: "a", tool: "forge" },
    { id: "b", tool: "echo", arguments: { got: "{{a.result}}", asked: "{{PLACEHOLDER_asked}}", real: KEY } },
  ];
  const start =
    "mutation($source: JSON, $inputs: JSON) { startRun(source: $source, inputs: $inputs) { id } }";
  const { data } = await served.ask(start, { source: plan, inputs: { asked: KEY } });
  for await (const _ of served.engine.events(data.startRun.id));
  const first = await served.engine.get(data.startRun.id);
  expect(first?.steps.b?.result).toEqual({ got: KEY, asked: KEY, real: "[secret API_KEY]" });
  const agent = {
    arguments: [{ name: "x", type_name: "any" }],
    instructions: [
      {
        execution_id: "e",
        agent_definition: { system_event_endpoint: "echo" },
        arguments: { x: "REF:arguments.x", real: KEY },
      },
    ],
  };
  const { id, seen } = await run(agent, { x: KEY });
  const second = await served.engine.get(id);
  expect(second?.steps.e?.result).toEqual({ x: KEY, real: "[secret API_KEY]" });
  expect(tracesIn(seen)).toEqual([]);
});

describe("plans are refused before anything runs", () => {
  test.each([
    [
      "an unknown secret",
      [{ id: "a", tool: "echo", arguments: { key: { $secret: "NOPE" } } }],
      "unknown-secret",
    ],
    ["no name", [{ id: "a", tool: "echo", arguments: { key: { $secret: 5 } } }], "malformed-secret"],
    [
      "more keys",
      [{ id: "a", tool: "echo", arguments: { key: { $secret: "API_KEY", x: 1 } } }],
      "malformed-secret",
    ],
    ["all arguments", [{ id: "a", tool: "echo", arguments: KEY }], "misplaced-secret"],
    [
      "in a condition",
      [{ id: "a", tool: "echo", conditions: [{ param: KEY, operator: "equals", value: "guess" }] }],
      "misplaced-secret",
    ],
    ["in a response", { instructions: [], response_reference_map: { key: KEY } }, "misplaced-secret"],
  ])("%s", async (_what, source, code) => {
    const { errors } = await served.ask(START, { source: source as Json });
    const diagnostics: { code: string }[] = errors?.[0]?.extensions.diagnostics ?? [];
    const codes = diagnostics.map((diagnostic) => diagnostic.code);
    expect(codes).toContain(code);
  });

  test("in words that say what to do", async () => {
    const text = `[{ "id": "a", "tool": "echo", "arguments": { "key": { "$secret": "NOPE" } } }]`;
    const { data } = await served.ask(
      "query($text: String) { checkPlan(text: $text) { diagnostics { code message line column hints } } }",
      { text },
    );
    expect(data.checkPlan.diagnostics).toMatchObject([
      {
        code: "unknown-secret",
        message: `There is no secret called "NOPE".`,
        line: 1,
        column: 53,
        hints: [expect.stringContaining("SEQUITUR_SECRET_NOPE")],
      },
    ]);
  });
});

test("no canary is in the log, nor in any file of the store", () => {
  expect(served.logged.join("")).toContain("calling with [secret API_KEY]");
  expect(tracesIn(served.logged.join(""))).toEqual([]);
  const files = readdirSync(served.folder);
  expect(files).toContain("runs.db");
  for (const file of files)
    expect(tracesIn(readFileSync(join(served.folder, file)).toString("latin1")), file).toEqual([]);
  for (const file of files)
    expect(tracesIn(readFileSync(join(served.folder, file)).toString("utf8")), file).toEqual([]);
});
