import type { ToolContext } from "../tool.ts";
import type { CoreAgent } from "./core-agent.ts";
import {
  CHAT_ARGUMENTS,
  CHAT_RESPONSES,
  type ChatParams,
  callModel,
  messagesOf,
  usageRecord,
} from "./model-call.ts";

/** So much is recorded at once of an answer that is being written: every token would be an event of its own. */
const PIECE_CHARS = 200;

export const modelText: CoreAgent = {
  name: "model_text",
  description: "Asks a language model, and gives its answer as text.",
  sideEffects: false,
  arguments: CHAT_ARGUMENTS,
  responses: [
    { name: "text", type_name: "string", description: "The answer." },
    { name: "finish_reason", type_name: "string", description: '"stop", or "length" where it was cut.' },
    ...CHAT_RESPONSES,
  ],
  tool:
    ({ models }) =>
    async (params: ChatParams, context) => {
      const stream = new TextStream(context);
      const answer = await callModel(models, params, messagesOf(params), context, {
        onText: (text) => stream.add(text),
      });
      stream.end();
      // The whole text is what the agent has said: triggers compare with that, not with a part of it.
      context.emit({ kind: "TextEmitted", text: answer.text });
      return {
        text: answer.text,
        finish_reason: answer.finish,
        model: answer.use.model,
        usage: usageRecord(answer.use),
      };
    },
};

/** The name that agents of document 1 know it by. */
export const bedrockText: CoreAgent = {
  ...modelText,
  name: "bedrock_text",
  description: "The same as model_text, under the name that older agents use.",
};

/** Tells those who watch of an answer while it is written, line by line or so. */
class TextStream {
  readonly #context: ToolContext;
  #piece = "";

  constructor(context: ToolContext) {
    this.#context = context;
  }

  add(text: string): void {
    this.#piece += text;
    if (this.#piece.length >= PIECE_CHARS || this.#piece.includes("\n")) this.end();
  }

  end(): void {
    if (this.#piece !== "") this.#context.emit({ kind: "TextStreamed", text: this.#piece });
    this.#piece = "";
  }
}
