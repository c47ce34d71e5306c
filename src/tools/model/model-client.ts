/*
 * Models behind an OpenAI-compatible interface, which nearly every provider and local server has: `/chat/completions` and
 * `/embeddings` below a base URL. The address comes from whoever set the engine up, never from a plan.
 *
 * I1  The key goes into one header of one request, and nowhere else; redirects, which could carry it elsewhere, are not followed.
 * I2  What a model sends is data: it is bounded in size, and read as text or JSON, never as a plan or a reference.
 */
import { quote } from "../../base/describe.ts";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ChatAnswer, ChatRequest, Embeddings, ModelClient } from "../core/core-agent.ts";
import { refuse } from "../core/refuse.ts";
import { type ModelUse, ToolError } from "../tool.ts";
import { failedAnswer } from "./failed-answer.ts";
import type { ModelProvider } from "./model-options.ts";
import { readAll, readLines } from "./read-lines.ts";

const TIMEOUT_MS = 300_000;
const ANSWER_CHARS_MAX = 4_000_000;

/** `providerOf` finds a provider, with its key, by a configured name or the id of a model. */
export function modelClient(providerOf: (model: string | undefined) => ModelProvider): ModelClient {
  return {
    chat: async (request) => {
      const provider = providerOf(request.model);
      const body = {
        model: provider.model,
        messages: request.messages,
        stream: true,
        stream_options: { include_usage: true },
        ...request.settings,
      };
      const response = await send(provider, "/chat/completions", body, request.signal);
      return readChat(response, provider, request);
    },
    embed: async ({ model, input, signal }) => {
      const provider = providerOf(model);
      const response = await send(provider, "/embeddings", { model: provider.model, input }, signal);
      return readEmbeddings(await bodyOf(response, provider), provider, input.length);
    },
  };
}

async function send(
  provider: ModelProvider,
  path: string,
  body: JsonObject,
  signal: AbortSignal,
): Promise<Response> {
  const { baseUrl, apiKey, host } = provider;
  const timeout = AbortSignal.timeout(provider.timeoutMs ?? TIMEOUT_MS);
  const response = await fetch(baseUrl + path, {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    const why = timeout.aborted ? "it did not answer in time" : reasonOf(error);
    throw new ToolError(`The model at ${host} cannot be reached: ${why}.`, { code: "MODEL_UNREACHABLE" });
  });
  if (response.ok) return response;
  throw await failedAnswer(response, provider);
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return (cause instanceof Error ? cause.message || cause.name : String(cause)).replace(/\.$/, "");
}

/** Most answer with a stream of events; some send the whole answer at once, whatever was asked for. */
async function readChat(
  response: Response,
  provider: ModelProvider,
  request: ChatRequest,
): Promise<ChatAnswer> {
  const answer = { text: "", finish: "", use: undefined as ModelUse | undefined };
  const take = (chunk: Json): void => {
    if (!isObject(chunk)) return;
    if (isObject(chunk.error)) throw cut(provider, String(chunk.error.message ?? "no reason given"));
    const [choice] = isList(chunk.choices) ? chunk.choices : [];
    const said = isObject(choice) ? (choice.delta ?? choice.message) : undefined;
    if (isObject(said) && typeof said.content === "string" && said.content !== "") {
      answer.text += said.content;
      if (answer.text.length > ANSWER_CHARS_MAX) {
        throw refuse("MODEL_TOO_LARGE", `The answer has more than ${ANSWER_CHARS_MAX} characters.`);
      }
      request.onText?.(said.content);
    }
    if (isObject(choice) && typeof choice.finish_reason === "string") answer.finish = choice.finish_reason;
    if (isObject(chunk.usage)) answer.use = measuredUse(chunk.usage, provider);
  };
  if (!(response.headers.get("content-type") ?? "").includes("event-stream")) {
    take(await bodyOf(response, provider));
  } else {
    for await (const line of readLines(response, (why) => cut(provider, why))) {
      if (!line.startsWith("data:")) continue;
      const data = line.slice("data:".length).trim();
      if (data === "[DONE]") break;
      take(parsed(data, provider));
    }
  }
  if (answer.finish === "" && answer.text === "") throw cut(provider, "it said nothing");
  return { text: answer.text, finish: answer.finish, use: answer.use ?? measuredUse({}, provider) };
}

function cut({ host }: ModelProvider, why: string): ToolError {
  return new ToolError(`The answer of the model at ${host} broke off: ${why}.`, { code: "MODEL_BROKE_OFF" });
}

async function bodyOf(response: Response, provider: ModelProvider): Promise<Json> {
  return parsed(await readAll(response, (why) => cut(provider, why)), provider);
}

function parsed(text: string, { host }: ModelProvider): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new ToolError(
      `The model at ${host} sent something that is not JSON: ${quote(text.slice(0, 200))}.`,
      {
        code: "INVALID_ANSWER",
      },
    );
  }
}

function readEmbeddings(body: Json, provider: ModelProvider, count: number): Embeddings {
  const rows = isObject(body) && isList(body.data) ? body.data : [];
  const vectors = rows.map((row) => (isObject(row) && isList(row.embedding) ? row.embedding : []));
  if (vectors.length !== count || vectors.some((vector) => vector.length === 0)) {
    const message = `The model at ${provider.host} gave ${vectors.length} embeddings for ${count} texts.`;
    throw new ToolError(message, { code: "INVALID_ANSWER" });
  }
  return { vectors, use: measuredUse(isObject(body) && isObject(body.usage) ? body.usage : {}, provider) };
}

/** Prices are for a million tokens. */
function measuredUse(usage: JsonObject, { model, prices }: ModelProvider): ModelUse {
  const inputTokens = Number(usage.prompt_tokens ?? 0);
  const outputTokens = Number(usage.completion_tokens ?? 0);
  const cost =
    prices && (inputTokens * prices.input + outputTokens * (prices.output ?? prices.input)) / 1_000_000;
  return { model, inputTokens, outputTokens, ...(cost !== undefined && { cost }) };
}
