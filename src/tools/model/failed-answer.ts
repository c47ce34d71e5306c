import { quote } from "../../base/describe.ts";
import { isObject } from "../../base/json.ts";
import { ToolError } from "../tool.ts";
import type { ModelProvider } from "./model-options.ts";
import { readAll } from "./read-lines.ts";

const WAIT_MS_MAX = 3_600_000;

const ADVICE: Readonly<Record<number, string>> = {
  401: " Is its apiKey right?",
  403: " Is its apiKey right?",
  404: ` Is its baseUrl right? It usually ends with "/v1"; and is there such a model?`,
};

/** A status other than 2xx: what went wrong, whether another attempt makes sense, and when. */
export async function failedAnswer(response: Response, { host, model }: ModelProvider): Promise<ToolError> {
  const { status } = response;
  const said = messageIn(await readAll(response, Error).catch(() => ""));
  const message = `The model "${model}" at ${host} answered with status ${status}${said}.${ADVICE[status] ?? ""}`;
  const retryAfterMs = waitOf(response.headers.get("retry-after"));
  return new ToolError(message, {
    code: status === 429 ? "MODEL_BUSY" : `MODEL_${status}`,
    retryable: status === 408 || status === 425 || status === 429 || status >= 500,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function messageIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const error = isObject(body) ? body.error : undefined;
    const message = isObject(error) ? error.message : error;
    return typeof message === "string" ? `: ${quote(message.slice(0, 300))}` : "";
  } catch {
    return "";
  }
}

/** Seconds, or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return waitMs > 0 ? Math.min(Math.ceil(waitMs), WAIT_MS_MAX) : undefined;
}
