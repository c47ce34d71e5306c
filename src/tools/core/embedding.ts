import { isList, type Json } from "../../base/json.ts";
import type { CoreAgent } from "./core-agent.ts";
import { CHAT_RESPONSES, MODEL_ID, usageRecord } from "./model-call.ts";
import { refuse } from "./refuse.ts";

interface Params {
  readonly input: Json;
  readonly model_id?: string | null;
}

export const embedding: CoreAgent = {
  name: "embedding",
  description: "Asks a model for the vectors of texts, for comparing what they mean.",
  sideEffects: false,
  arguments: [
    { name: "input", type_name: "any", description: "A text, or a list of texts." },
    { ...MODEL_ID, description: `${MODEL_ID.description} Without it: the model called "embedding".` },
  ],
  responses: [
    { name: "embedding", type_name: "list", description: "The vector of the first text." },
    { name: "embeddings", type_name: "list", description: "One vector for each text, in their order." },
    ...CHAT_RESPONSES,
  ],
  tool:
    ({ models }) =>
    async ({ input, model_id }: Params, { meter, signal }) => {
      const texts = isList(input) ? input : [input];
      if (texts.length === 0 || !texts.every((text) => typeof text === "string" && text !== "")) {
        throw refuse("INVALID_INPUT", `"input" must be a text that is not empty, or a list of such texts.`);
      }
      meter.refuseIfSpent();
      const { vectors, use } = await models.embed({
        model: model_id ?? "embedding",
        input: texts as readonly string[],
        signal,
      });
      meter.report(use);
      return { embedding: vectors[0] ?? [], embeddings: vectors, model: use.model, usage: usageRecord(use) };
    },
};
