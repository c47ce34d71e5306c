import type { ModelClient } from "../tools/core/core-agent.ts";
import { checkModels, findModel, type ModelProvider, type ModelTable } from "../tools/model/model-options.ts";
import type { SecretVault } from "./secrets.ts";

/** The models of an engine. Keys are looked up for each call, and recognized from then on in whatever comes back. */
export function modelsOf(models: ModelTable, secrets: SecretVault): ModelClient {
  checkModels(models);
  const providerOf = (wanted: string | undefined): ModelProvider => {
    const { baseUrl, model, apiKey, prices, timeoutMs } = findModel(models, wanted);
    const key =
      typeof apiKey === "string"
        ? secrets.keep("model key", apiKey)
        : apiKey && secrets.reveal(apiKey.$secret);
    const { host } = new URL(baseUrl);
    return { baseUrl: baseUrl.replace(/\/+$/, ""), host, model, apiKey: key, prices, timeoutMs };
  };
  // Loaded when the first model is called: most runs call none.
  const client = async () => (await import("../tools/model/model-client.ts")).modelClient(providerOf);
  return {
    chat: async (request) => (await client()).chat(request),
    embed: async (request) => (await client()).embed(request),
  };
}
