import { quote } from "../../base/describe.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { ToolContext } from "../tool.ts";
import { ToolError } from "../tool.ts";
import type { CoreAgent, HttpRequest, HttpResponse } from "./core-agent.ts";
import { base64 } from "./read-file.ts";
import { refuse } from "./refuse.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const RESPONSE_TYPES = ["auto", "json", "text", "base64"];
const TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 5;

interface Params {
  readonly url: string;
  readonly method?: string | null;
  readonly headers?: JsonObject | null;
  readonly query?: JsonObject | null;
  readonly body?: Json;
  readonly timeout_ms?: number | null;
  readonly follow_redirects?: boolean | null;
  readonly response_type?: string | null;
  readonly fail_on_error?: boolean | null;
}

export const httpRequest: CoreAgent = {
  name: "http_request",
  description: "Calls a web service. Only hosts that the engine's options allow can be called.",
  sideEffects: true,
  arguments: [
    { name: "url", type_name: "string", description: "Where to, with http:// or https://." },
    {
      name: "method",
      type_name: "string",
      description: "GET unless said otherwise.",
      required: false,
      default_value: "GET",
      enum: METHODS,
    },
    {
      name: "headers",
      type_name: "object",
      description:
        'Headers by name. They are recorded with the run; write a credential as { "$secret": "NAME" }.',
      required: false,
      default_value: {},
    },
    {
      name: "query",
      type_name: "object",
      description: "Parameters to add to the address.",
      required: false,
      default_value: {},
    },
    {
      name: "body",
      type_name: "any",
      description: "Text is sent as it is, anything else as JSON.",
      required: false,
    },
    {
      name: "timeout_ms",
      type_name: "number",
      description: "For everything, redirects and body included.",
      required: false,
      default_value: TIMEOUT_MS,
    },
    {
      name: "follow_redirects",
      type_name: "boolean",
      description: "Each new address is checked like the first.",
      required: false,
      default_value: true,
    },
    {
      name: "response_type",
      type_name: "string",
      description: "auto: JSON or text where the response says so, base64 otherwise.",
      required: false,
      default_value: "auto",
      enum: RESPONSE_TYPES,
    },
    {
      name: "fail_on_error",
      type_name: "boolean",
      description: "true: a status from 400 fails the step.",
      required: false,
      default_value: false,
    },
  ],
  responses: [
    { name: "status_code", type_name: "number", description: "The status, such as 200." },
    { name: "ok", type_name: "boolean", description: "Whether the status is from 200 to 299." },
    { name: "headers", type_name: "object", description: "Headers by name, in lower case." },
    { name: "body", type_name: "any", description: "The body; null where it is empty.", required: false },
    { name: "url", type_name: "string", description: "The address that answered, after redirects." },
  ],
  tool:
    ({ http }) =>
    async (params: Params, context) => {
      const response = await http.send(requestOf(params, context));
      if (params.fail_on_error === true && response.status >= 400) throw failedStatus(response);
      return {
        status_code: response.status,
        ok: response.status >= 200 && response.status < 300,
        headers: response.headers,
        body: bodyOf(response, params.response_type ?? "auto"),
        url: response.url,
      };
    },
};

function requestOf(params: Params, { signal, idempotencyKey }: ToolContext): HttpRequest {
  const method = (params.method ?? "GET").toUpperCase();
  if (!METHODS.includes(method))
    throw refuse("INVALID_REQUEST", `"${method}" is not a method; there are ${METHODS.join(", ")}.`);
  const body = params.body ?? undefined;
  if (body !== undefined && (method === "GET" || method === "HEAD")) {
    throw refuse("INVALID_REQUEST", `A ${method} request has no body; use POST, or "query".`);
  }
  const timeoutMs = params.timeout_ms ?? TIMEOUT_MS;
  if (!(timeoutMs > 0))
    throw refuse("INVALID_REQUEST", `"timeout_ms" must be greater than 0, not ${timeoutMs}.`);
  const headers = headersOf(params.headers ?? {});
  if (body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", typeof body === "string" ? "text/plain; charset=utf-8" : "application/json");
  }
  // Services that know the header can tell a repeated attempt from a second order.
  if (!["GET", "HEAD", "OPTIONS"].includes(method) && !headers.has("idempotency-key")) {
    headers.set("idempotency-key", idempotencyKey);
  }
  return {
    method,
    url: urlOf(params.url, params.query ?? {}),
    headers,
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    timeoutMs,
    redirectsMax: params.follow_redirects === false ? 0 : REDIRECTS_MAX,
    signal,
  };
}

function urlOf(text: string, query: JsonObject): URL {
  if (!URL.canParse(text))
    throw refuse("INVALID_REQUEST", `${quote(text)} is not an address; write https://host/path.`);
  const url = new URL(text);
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      if (item !== null)
        url.searchParams.append(name, typeof item === "string" ? item : JSON.stringify(item));
    }
  }
  return url;
}

/** Headers that describe the connection are the client's own. */
const OWN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect|accept-encoding|proxy-.*|sec-.*)$/;

function headersOf(given: JsonObject): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower))
      throw refuse("INVALID_REQUEST", `${quote(name)} is not the name of a header.`);
    if (OWN_HEADERS.test(lower))
      throw refuse("INVALID_REQUEST", `The header "${name}" cannot be set; the request sets it itself.`);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) {
      throw refuse(
        "INVALID_REQUEST",
        `The value of the header "${name}" holds a line break or another character that headers cannot carry.`,
      );
    }
    headers.set(lower, text);
  }
  return headers;
}

/** The body as its type says it is to be read, or as the caller does. */
export function bodyOf({ headers, body, url }: HttpResponse, type: string): Json {
  if (body.length === 0) return null;
  const contentType = headers["content-type"] ?? "";
  const says = type === "auto" ? typeSaid(contentType, body) : type;
  if (says === "base64") return base64(body);
  const text = decode(body, contentType);
  if (says === "text") return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // What calls itself JSON and is not is still an answer; only who insisted on JSON is refused.
    if (type === "auto") return text;
    throw new ToolError(`The response of ${withoutQuery(url)} is not JSON: ${quote(text)}.`, {
      code: "INVALID_RESPONSE",
    });
  }
}

function typeSaid(contentType: string, body: Uint8Array): string {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (/^(application|text)\/([\w.-]+\+)?json$/.test(type)) return "json";
  if (/^text\/|[+/]xml$|^application\/(javascript|x-www-form-urlencoded|yaml)$/.test(type)) return "text";
  if (type !== "") return "base64";
  return isUtf8(body) ? "text" : "base64";
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}

function decode(body: Uint8Array, contentType: string): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function failedStatus({ status, url }: HttpResponse): ToolError {
  const retryable = status === 408 || status === 425 || status === 429 || status >= 500;
  return new ToolError(`${withoutQuery(url)} answered with status ${status}.`, {
    code: `HTTP_${status}`,
    retryable,
  });
}

/** Keys often stand in queries; messages are no place for them. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "");
}
