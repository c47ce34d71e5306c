import type { Json, JsonObject } from "../../base/json.ts";
import { extractJson } from "../../source/extract.ts";
import { type ModelUse, ToolError } from "../tool.ts";
import type { CoreAgent, CoreServices } from "./core-agent.ts";
import {
  CHAT_ARGUMENTS,
  CHAT_RESPONSES,
  type ChatParams,
  callModel,
  messagesOf,
  usageRecord,
} from "./model-call.ts";

interface Params extends ChatParams {
  readonly schema: JsonObject;
}

/** An answer that does not fit is given back with the reason, once. */
const ROUNDS_MAX = 2;

export const modelObject: CoreAgent = {
  name: "model_object",
  description: "Asks a language model for a value that fits a JSON Schema.",
  sideEffects: false,
  arguments: [
    { name: "schema", type_name: "object", description: "JSON Schema of the answer." },
    ...CHAT_ARGUMENTS,
  ],
  responses: [
    { name: "object", type_name: "any", description: "The answer: it fits the schema." },
    ...CHAT_RESPONSES,
  ],
  tool: (services) => async (params: Params, context) => {
    const { schema } = params;
    const messages = messagesOf(params, instructionsFor(schema));
    const settings = {
      response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
    };
    let problem = "";
    const uses: ModelUse[] = [];
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const { text, use } = await callModel(services.models, params, messages, context, { settings });
      uses.push(use);
      const { value, wrong } = await fitting(text, schema, services);
      if (wrong === undefined) return { object: value, model: use.model, usage: usageRecord(...uses) };
      problem = wrong;
      messages.push(
        { role: "assistant", content: text },
        {
          role: "user",
          content: `That does not fit: ${wrong}. Answer with the corrected JSON and nothing else.`,
        },
      );
    }
    const message = `The model gave nothing that fits the schema: ${problem}.`;
    throw new ToolError(message, { code: "INVALID_ANSWER" });
  },
};

/** Also in words: not every provider knows `response_format`. */
function instructionsFor(schema: JsonObject): string {
  return `Answer with JSON that fits this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;
}

async function fitting(
  text: string,
  schema: JsonObject,
  { fits }: CoreServices,
): Promise<{ readonly value: Json; readonly wrong: string | undefined }> {
  const value = valueIn(text);
  if (value === undefined) return { value: null, wrong: "it is not JSON" };
  return { value, wrong: (await fits(schema, value))?.replace(/\.$/, "") };
}

/** The answer itself where it is JSON, a number or a text included; else the list or object in it. */
function valueIn(text: string): Json | undefined {
  for (const candidate of [text, extractJson(text)?.text]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate) as Json;
    } catch {}
  }
  return undefined;
}
