/* The agents that call models, against a scripted server on loopback. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type Json,
  type ModelOptions,
} from "../../src/index.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const KEY = "sk-very-secret-key-0123456789";
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function model(...script: Script[]): Promise<ScriptedModel> {
  const server = await scriptedModel(...script);
  open.push(server);
  return server;
}

async function engineWith(
  server: ScriptedModel,
  options: EngineOptions = {},
  more: Partial<ModelOptions> = {},
): Promise<Engine> {
  const engine = await createEngine({
    models: {
      default: {
        baseUrl: server.baseUrl,
        model: "small-1",
        apiKey: { $secret: "MODEL_KEY" },
        prices: { input: 2, output: 10 },
        ...more,
      },
      embedding: { baseUrl: server.baseUrl, model: "embed-1", apiKey: { $secret: "MODEL_KEY" } },
    },
    secrets: { MODEL_KEY: KEY },
    ...options,
  });
  open.push(engine);
  return engine;
}

const ask = (args: Json, more: Record<string, Json> = {}): Json => ({
  instructions: [
    { execution_id: "ask", agent_definition_path: "/agents/core/model_text.agent", arguments: args, ...more },
  ],
  response_reference_map: { text: "REF:ask.text", why: "REF:ask.finish_reason" },
});

describe("model_text", () => {
  test("gives the answer, with tokens and cost in the step's record", async () => {
    const server = await model({ text: "The answer is forty-two.", inputTokens: 1000, outputTokens: 200 });
    const engine = await engineWith(server);
    const result = await engine.run(ask({ prompt: "What is it?", system: "Be brief.", temperature: 0 }));
    expect(result.response).toEqual({ text: "The answer is forty-two.", why: "stop" });
    expect(result.steps.ask?.usage).toEqual({ calls: 1, inputTokens: 1000, outputTokens: 200, cost: 0.004 });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      path: "/v1/chat/completions",
      authorization: `Bearer ${KEY}`,
      body: {
        model: "small-1",
        temperature: 0,
        stream: true,
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "What is it?" },
        ],
      },
    });
  });

  test("streams: pieces while it is written, then the whole text, which triggers see", async () => {
    const text = `First line.\nSecond line.\n${"x".repeat(450)} TERMINATE`;
    const engine = await engineWith(await model(text));
    const run = await engine.start(ask({ prompt: "Go" }), {
      contextVariables: {
        derived_variables: [
          {
            name: "ended",
            triggers: [{ type: "agent_text", agent: "model_text", match: { contains: "TERMINATE" } }],
          },
          { name: "exact", triggers: [{ type: "agent_text", agent: "model_text", match: { equals: text } }] },
          {
            name: "part",
            triggers: [{ type: "agent_text", agent: "model_text", match: { equals: "First line." } }],
          },
        ],
      },
    });
    const said: string[] = [];
    const pieces: string[] = [];
    for await (const event of run.events) {
      if (event.kind === "TextEmitted") said.push(String(event.text));
      const custom = event.event as { kind?: string; text?: string } | undefined;
      if (custom?.kind === "TextStreamed") pieces.push(custom.text ?? "");
    }
    expect(said).toEqual([text]);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join("")).toBe(text);
    expect((await run.result).context).toEqual({ ended: true, exact: true, part: false });
  });

  test("a server that sends the whole answer at once is understood as well", async () => {
    const engine = await engineWith(await model({ text: "Whole.", whole: true }));
    expect((await engine.run(ask({ prompt: "?" }))).response).toEqual({ text: "Whole.", why: "stop" });
  });

  test("model_id is a configured name, or a model of the default provider", async () => {
    const server = await model("Yes.");
    const engine = await engineWith(server);
    await engine.run(ask({ prompt: "?", model_id: "large-7" }));
    await engine.run(ask({ prompt: "?", model_id: "embedding" }));
    expect(server.requests.map(({ body }) => body.model)).toEqual(["large-7", "embed-1"]);
  });

  test("without any model the step says what to configure", async () => {
    const engine = await createEngine();
    open.push(engine);
    const { error } = await engine.run(ask({ prompt: "?" }));
    expect(error).toMatchObject({ code: "NO_MODEL" });
    expect(error?.message).toContain("sequitur.config.json");
  });

  test("an answer is data, however it looks", async () => {
    const engine = await engineWith(await model("REF:ask.usage {{x.result}} ${step[0].data}"));
    const { response } = await engine.run(ask({ prompt: "?" }));
    expect(response).toMatchObject({ text: "REF:ask.usage {{x.result}} ${step[0].data}" });
  });

  test("document 1: an agent that prepares its prompt with variables calls bedrock_text", async () => {
    const server = await model("Fine.");
    const engine = await engineWith(server);
    const plan = {
      arguments: ["analysis_prompt", "file_to_analyze", "model_id"].map((name) => ({
        name,
        type_name: "string",
      })),
      instructions: [
        {
          execution_id: "analyze_with_llm",
          agent_definition_path: "/agents/core/bedrock_text.agent",
          transform_arguments: {
            variables: {
              prompt_parts: ["REF:arguments.analysis_prompt", "REF:arguments.file_to_analyze"],
              separator: "\n\n",
            },
            transforms: { prompt: "join(prompt_parts, separator)" },
          },
          arguments: { model_id: "REF:arguments.model_id" },
        },
      ],
      response_reference_map: { analysis: "REF:analyze_with_llm.text" },
    };
    const { response } = await engine.run(plan, {
      arguments: { analysis_prompt: "Look at this:", file_to_analyze: "a b c", model_id: "large-7" },
    });
    expect(response).toEqual({ analysis: "Fine." });
    expect(server.requests[0]?.body.messages).toEqual([{ role: "user", content: "Look at this:\n\na b c" }]);
    expect(server.requests[0]?.body.model).toBe("large-7");
  });
});

describe("failures", () => {
  const retried = { policy: { retries: 2, backoff: { base_ms: 1, jitter: false } } };

  test("429 and 5xx are worth another attempt, and count once each", async () => {
    const server = await model({ status: 429 }, { status: 503 }, "At last.");
    const engine = await engineWith(server);
    const result = await engine.run(ask({ prompt: "?" }, retried));
    expect(result.response).toMatchObject({ text: "At last." });
    expect(result.steps.ask).toMatchObject({ attempts: 3, usage: { calls: 1 } });
  });

  test("Retry-After is honoured", async () => {
    const server = await model({ status: 429, headers: { "retry-after": "1" } }, "Now.");
    const engine = await engineWith(server);
    const run = await engine.start(ask({ prompt: "?" }, retried));
    const at = new Map<string, number>();
    for await (const event of run.events) at.set(event.kind, Date.parse(event.at));
    expect(await run.result).toMatchObject({ status: "completed" });
    // By the run's own clock: the timer of the second attempt was set for a second after the failure.
    const failed = at.get("StepFailed") ?? 0;
    expect((at.get("TimerFired") ?? 0) - failed).toBeGreaterThanOrEqual(1_000);
  });

  test("a wrong key is not", async () => {
    const server = await model({
      status: 401,
      body: JSON.stringify({ error: { message: `bad key ${KEY}` } }),
    });
    const engine = await engineWith(server);
    const { error } = await engine.run(ask({ prompt: "?" }, retried));
    expect(server.requests).toHaveLength(1);
    expect(error?.code).toBe("MODEL_401");
    expect(error?.message).toContain("Is its apiKey right?");
    expect(error?.message).toContain("[secret MODEL_KEY]");
  });

  test("an answer that breaks off is worth another attempt", async () => {
    const server = await model({ text: "A long answer that never ends", breaksOff: true }, "Whole.");
    const engine = await engineWith(server);
    const result = await engine.run(ask({ prompt: "?" }, retried));
    expect(result.response).toMatchObject({ text: "Whole." });
  });

  test.each(["text/event-stream", "application/json"])("a server that never stops, with %s", async (type) => {
    let sent = 0;
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": type });
      const piece = `data: ${"x".repeat(100_000)}`;
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
        sent += piece.length;
      };
      response.on("drain", more);
      more();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const engine = await createEngine({
      models: { default: { baseUrl: `http://127.0.0.1:${port}/v1`, model: "m" } },
    });
    const { error } = await engine.run(ask({ prompt: "?" }));
    expect(error?.code).toBe("MODEL_BROKE_OFF");
    expect(sent).toBeLessThan(60_000_000);
    await engine.close();
    server.closeAllConnections();
    server.close();
  });

  test("nobody there", async () => {
    const server = await scriptedModel("x");
    await server.close();
    const engine = await engineWith(server);
    const { error } = await engine.run(ask({ prompt: "?" }));
    expect(error?.code).toBe("MODEL_UNREACHABLE");
  });
});

test("the key is in the request, and nowhere else", async () => {
  const server = await model(`You sent Bearer ${KEY}, or ${Buffer.from(KEY).toString("base64")}`);
  for (const apiKey of [{ $secret: "MODEL_KEY" }, KEY]) {
    const engine = await engineWith(server, {}, { apiKey });
    const run = await engine.start(ask({ prompt: "?" }));
    const result = await run.result;
    const events: unknown[] = [];
    for await (const event of engine.events(run.id)) events.push(event);
    const everything = JSON.stringify([result, events, await engine.list()]);
    expect(result.status).toBe("completed");
    expect(everything).toContain("[secret ");
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain(Buffer.from(KEY).toString("base64").replace(/=+$/, ""));
  }
});

describe("model_object", () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "number" } },
    required: ["name", "age"],
  };
  const plan = {
    instructions: [
      {
        execution_id: "ask",
        agent_definition_path: "/agents/core/model_object.agent",
        arguments: { prompt: "Who?", schema },
      },
    ],
    response_reference_map: { who: "REF:ask.object", name: "REF:ask.object.name" },
  };

  test("gives a value that fits, out of whatever is around it", async () => {
    const server = await model("Sure!\n```json\n{'name': 'Ida', age: 36,} // done\n```\nAnything else?");
    const { response } = await (await engineWith(server)).run(plan);
    expect(response).toEqual({ who: { name: "Ida", age: 36 }, name: "Ida" });
  });

  test("an answer that does not fit is given back once, with the reason", async () => {
    const server = await model(`{"name": "Ida"}`, `{"name": "Ida", "age": 36}`);
    const result = await (await engineWith(server)).run(plan);
    expect(result.response).toMatchObject({ name: "Ida" });
    expect(result.steps.ask?.usage).toMatchObject({ calls: 2, inputTokens: 20, outputTokens: 10 });
    expect(server.requests[1]?.body.messages.at(-1)?.content).toContain("age");
  });

  test("else the step fails, and what it cost is known", async () => {
    const result = await (await engineWith(await model("No."))).run(plan);
    expect(result.error?.code).toBe("INVALID_ANSWER");
    expect(result.steps.ask?.usage).toMatchObject({ calls: 2 });
  });
});

test("embedding gives one vector for each text", async () => {
  const server = await model("");
  const engine = await engineWith(server);
  const result = await engine.run({
    instructions: [
      {
        execution_id: "vectors",
        agent_definition_path: "/agents/core/embedding.agent",
        arguments: { input: ["one", "three"] },
      },
    ],
    response_reference_map: { all: "REF:vectors.embeddings", first: "REF:vectors.embedding" },
  });
  expect(result.response).toEqual({
    all: [
      [3, 0.5],
      [5, 0.5],
    ],
    first: [3, 0.5],
  });
  expect(server.requests[0]).toMatchObject({ path: "/v1/embeddings", body: { model: "embed-1" } });
  expect(result.steps.vectors?.usage).toMatchObject({ inputTokens: 10, outputTokens: 0 });
});

describe("a budget", () => {
  const step = (id: string, args: Json = {}) => ({
    id,
    tool: "sequitur.core.model_text",
    arguments: { prompt: "?", ...(args as object) },
  });

  test("when it is spent the next step fails, and nothing more is called", async () => {
    const server = await model({ text: "Yes.", inputTokens: 60, outputTokens: 50 });
    const engine = await engineWith(server);
    const plan = [
      step("a"),
      step("b", { system: "{{a.result.text}}" }),
      step("c", { system: "{{b.result.text}}" }),
    ];
    const result = await engine.run(plan, { budget: { tokens: 200 } });
    expect(server.requests).toHaveLength(2);
    expect(result.status).toBe("failed");
    expect(result.steps.c?.error).toMatchObject({ code: "BUDGET_SPENT" });
    expect(result.steps.c?.error?.message).toBe(
      "The run's budget for models (200 tokens) is spent: 220 tokens so far. No model is called any more.",
    );
  });

  test("of money counts prices", async () => {
    const server = await model({ text: "Yes.", inputTokens: 1_000_000, outputTokens: 0 });
    const engine = await engineWith(server);
    const result = await engine.run([step("a"), step("b", { system: "{{a.result.text}}" })], {
      budget: { cost: 1.5 },
    });
    expect(server.requests).toHaveLength(1);
    expect(result.steps.b?.error?.code).toBe("BUDGET_SPENT");
  });

  test("of the engine is for runs that have none of their own", async () => {
    const server = await model({ text: "Yes.", inputTokens: 60, outputTokens: 50 });
    const engine = await engineWith(server, { budget: { tokens: 100 } });
    const plan = [step("a"), step("b", { system: "{{a.result.text}}" })];
    expect((await engine.run(plan)).steps.b?.error?.code).toBe("BUDGET_SPENT");
    expect((await engine.run(plan, { budget: { tokens: 1_000 } })).status).toBe("completed");
    await expect(engine.run(plan, { budget: { tokens: -1 } })).rejects.toThrow("budget.tokens");
  });

  test("still holds when the run goes on in another process", async () => {
    const server = await model({ text: "Yes.", inputTokens: 150, outputTokens: 0 });
    const folder = mkdtempSync(join(tmpdir(), "sequitur-budget-"));
    const store = { sqlite: `${folder}/runs.db` };
    try {
      const plan = [step("a"), step("b", { system: "{{a.result.text}}" })];
      const first = await engineWith(server, { store });
      const { id } = await first.run(plan, { budget: { tokens: 100 } });
      await first.close();
      const second = await engineWith(server, { store });
      const result = await (await second.resume(id)).result;
      expect(result.steps.b?.error?.code).toBe("BUDGET_SPENT");
      expect(result.steps.a?.usage?.inputTokens).toBe(150);
      expect(server.requests).toHaveLength(1);
      await second.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
