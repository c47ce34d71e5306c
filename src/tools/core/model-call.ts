/* What the agents that call models have in common: their arguments, the messages, the meter. */
import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { ModelUse, ToolContext } from "../tool.ts";
import type { ChatAnswer, CoreField, ModelClient } from "./core-agent.ts";
import { refuse } from "./refuse.ts";

export interface ChatParams {
  readonly prompt?: string | null;
  readonly messages?: readonly Json[] | null;
  readonly system?: string | null;
  readonly model_id?: string | null;
  readonly temperature?: number | null;
  readonly max_tokens?: number | null;
}

export const MODEL_ID: CoreField = {
  name: "model_id",
  type_name: "string",
  description: 'A name from the engine\'s "models", or what the default provider calls a model.',
  required: false,
};

export const CHAT_ARGUMENTS: readonly CoreField[] = [
  { name: "prompt", type_name: "string", description: "What the model is asked.", required: false },
  {
    name: "messages",
    type_name: "list",
    description: 'A conversation instead of, or before, the prompt: [{ "role": "user", "content": "…" }].',
    required: false,
  },
  { name: "system", type_name: "string", description: "How the model is to behave.", required: false },
  MODEL_ID,
  {
    name: "temperature",
    type_name: "number",
    description: "The provider's own, if not given.",
    required: false,
  },
  { name: "max_tokens", type_name: "number", description: "The longest answer, in tokens.", required: false },
];

export const CHAT_RESPONSES: readonly CoreField[] = [
  { name: "model", type_name: "string", description: "The model that answered." },
  {
    name: "usage",
    type_name: "object",
    description: "input_tokens, output_tokens, and cost where prices are known.",
  },
];

export function messagesOf({ prompt, messages, system }: ChatParams, more = ""): JsonObject[] {
  const said = (messages ?? []).map((message) => {
    if (isObject(message) && typeof message.role === "string") return message;
    throw refuse("INVALID_MESSAGES", `A message must look like { "role": "user", "content": "…" }.`);
  });
  const instructions = [system ?? "", more].filter((text) => text !== "").join("\n\n");
  const all = [
    ...(instructions === "" ? [] : [{ role: "system", content: instructions }]),
    ...said,
    ...(prompt === undefined || prompt === null ? [] : [{ role: "user", content: prompt }]),
  ];
  if (all.every(({ role }) => role === "system"))
    throw refuse("INVALID_MESSAGES", `Give the model a "prompt" or "messages".`);
  return all;
}

/** One call: refused where the run's budget is spent, metered when it is over. */
export async function callModel(
  models: ModelClient,
  params: ChatParams,
  messages: readonly JsonObject[],
  context: ToolContext,
  more: { readonly settings?: JsonObject; readonly onText?: (text: string) => void } = {},
): Promise<ChatAnswer> {
  context.meter.refuseIfSpent();
  const { temperature, max_tokens } = params;
  const answer = await models.chat({
    model: params.model_id ?? undefined,
    messages,
    settings: {
      ...(typeof temperature === "number" && { temperature }),
      ...(typeof max_tokens === "number" && { max_tokens }),
      ...more.settings,
    },
    signal: context.signal,
    onText: more.onText,
  });
  context.meter.report(answer.use);
  return answer;
}

/** What calls took together, as a plan sees it. */
export function usageRecord(...uses: readonly ModelUse[]): JsonObject {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const costs = uses.map(({ cost }) => cost).filter((cost) => cost !== undefined);
  return {
    input_tokens: sum(uses.map(({ inputTokens }) => inputTokens)),
    output_tokens: sum(uses.map(({ outputTokens }) => outputTokens)),
    ...(costs.length > 0 && { cost: sum(costs) }),
  };
}
