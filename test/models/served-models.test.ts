/* Models behind the server: what they took is in the answer, and their key is nowhere. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serve } from "../server/served.ts";
import { scriptedModel } from "./scripted-model.ts";

const KEY = "sk-served-key-0123456789";

test("usage over GraphQL, and no key in answers, logs or the store", async () => {
  const model = await scriptedModel(
    { text: `You sent ${KEY}.`, inputTokens: 70, outputTokens: 30 },
    { status: 401, body: JSON.stringify({ error: { message: `Wrong key: ${KEY}` } }) },
  );
  const served = await serve({
    models: { default: { baseUrl: model.baseUrl, model: "m", apiKey: { $secret: "KEY" } } },
    secrets: { KEY },
  });
  try {
    const plan = [
      { id: "ask", tool: "sequitur.core.model_text", arguments: { prompt: "?" } },
      { id: "again", tool: "sequitur.core.model_text", arguments: { prompt: "{{ask.result.text}}" } },
    ];
    const started = await served.engine.run(plan);
    const { data, text } = await served.ask(
      `query ($id: ID!) { run(id: $id) { status steps { id usage { calls inputTokens outputTokens cost } error { message } result } events { kind data } } }`,
      { id: started.id },
    );
    expect(data.run.steps[0]).toMatchObject({
      id: "ask",
      usage: { calls: 1, inputTokens: 70, outputTokens: 30, cost: null },
    });
    expect(data.run.steps[1]).toMatchObject({ usage: null });
    expect(text).toContain("[secret KEY]");
    expect(text).not.toContain(KEY);
    expect(served.logged.join("")).not.toContain(KEY);
    expect(model.requests.every(({ authorization }) => authorization === `Bearer ${KEY}`)).toBe(true);
    // The second answer was given to the model as a prompt: what was cut out once does not come back.
    expect(JSON.stringify(model.requests[1]?.body)).not.toContain(KEY);
    for (const file of readdirSync(served.folder))
      expect(readFileSync(join(served.folder, file)).includes(KEY)).toBe(false);
  } finally {
    await served.close();
    await model.close();
  }
});
