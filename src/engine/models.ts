import type { ModelClient } from "../tools/core/core-agent.ts";
import { checkModels, findModel, type ModelProvider, type ModelTable } from "../tools/model/model-options.ts";
import { ToolError } from "../tools/tool.ts";
import type { SecretVault } from "./secrets.ts";

/** The models of an engine. Keys are looked up for each call, and recognized from then on in whatever comes back. */
export function modelsOf(models: ModelTable, secrets: SecretVault): ModelClient {
  checkModels(models);
  const providerOf = (wanted: string | undefined): ModelProvider => {
    const { baseUrl, model, apiKey, prices, timeoutMs } = findModel(models, wanted);
    const key =
      typeof apiKey === "string"
        ? secrets.guard("model key", apiKey)
        : apiKey && secrets.reveal(apiKey.$secret);
    const { host } = new URL(baseUrl);
    return { baseUrl: baseUrl.replace(/\/+$/, ""), host, model, apiKey: key, prices, timeoutMs };
  };
  // Loaded when the first model is called: most runs call none.
  const client = async () => (await import("../tools/model/model-client.ts")).modelClient(providerOf);
  return {
    chat: async (request) => {
      const answer = await (await client()).chat(request).catch(withoutSecrets);
      return { ...answer, text: secrets.scrub(answer.text) };
    },
    embed: async (request) => (await client()).embed(request).catch(withoutSecrets),
  };

  /** What a provider says of a wrong key may repeat it. */
  function withoutSecrets(error: unknown): never {
    if (!(error instanceof ToolError)) throw error;
    const { code, retryable, retryAfterMs } = error;
    const more = retryAfterMs === undefined ? {} : { retryAfterMs };
    throw new ToolError(secrets.scrub(error.message), { code, retryable, ...more });
  }
}
