import { SequiturError } from "../../base/error.ts";
import { isObject } from "../../base/json.ts";
import { nearest } from "../../source/nearest.ts";
import { refuse } from "../core/refuse.ts";

/** One model, and where it is. */
export interface ModelOptions {
  /** Where the OpenAI-compatible interface is, such as `https://api.openai.com/v1` or `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** What the provider calls the model. */
  readonly model: string;
  /** `{ "$secret": "NAME" }`, or the key itself where no file holds it. */
  readonly apiKey?: string | { readonly $secret: string };
  /** For a million tokens, in any currency; `output` is the same as `input` unless given. */
  readonly prices?: { readonly input: number; readonly output?: number };
  readonly timeoutMs?: number;
}

/** A model that can be called: its key is at hand. */
export interface ModelProvider {
  readonly baseUrl: string;
  /** For messages. */
  readonly host: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly prices: ModelOptions["prices"];
  readonly timeoutMs: number | undefined;
}

export type ModelTable = Readonly<Record<string, ModelOptions>>;

/** Refuses what cannot be used, at once. */
export function checkModels(models: ModelTable): void {
  for (const [name, given] of Object.entries(models)) {
    const wrong = problemOf(given);
    if (wrong !== undefined) throw new SequiturError("INVALID_OPTION", `models.${name}${wrong}`);
  }
}

function problemOf(given: unknown): string | undefined {
  if (!isObject(given)) return ` must be an object: { "baseUrl": …, "model": … }.`;
  const { baseUrl, model, apiKey } = given;
  if (typeof baseUrl !== "string" || !/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) {
    return `.baseUrl must be an address such as "https://api.openai.com/v1".`;
  }
  if (typeof model !== "string" || model === "") return ".model must be the provider's name of the model.";
  const isSecret = isObject(apiKey) && typeof apiKey.$secret === "string";
  return apiKey === undefined || typeof apiKey === "string" || isSecret
    ? undefined
    : `.apiKey must be { "$secret": "NAME" }, or the key as text.`;
}

/** A configured name; or else a model's own id, which the default provider is asked for. */
export function findModel(models: ModelTable, wanted: string | undefined): ModelOptions {
  const names = Object.keys(models);
  const named = Object.hasOwn(models, wanted ?? "default") ? models[wanted ?? "default"] : undefined;
  if (named !== undefined) return named;
  const usual = Object.hasOwn(models, "default") ? models.default : undefined;
  const [only] = names.length === 1 ? Object.values(models) : [];
  const provider = usual ?? only;
  if (provider !== undefined) return wanted === undefined ? provider : { ...provider, model: wanted };
  if (names.length === 0) {
    const example = `createEngine({ models: { default: { baseUrl, model, apiKey } } }), or "models" in sequitur.config.json`;
    throw refuse("NO_MODEL", `No model is configured. Name one with ${example}.`);
  }
  const near = wanted === undefined ? undefined : nearest(wanted, names);
  const instead = near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean "${near}"?`;
  const what = wanted === undefined ? `There is no model called "default"` : `There is no model "${wanted}"`;
  throw refuse("NO_MODEL", `${what}. ${instead}`);
}
