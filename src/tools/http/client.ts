/*
 * The HTTP client behind `http_request`.
 *
 * I1  A host is called only where the allow-list has it, and so is every host that a redirect leads to.
 * I2  Names are resolved here, every address is checked, and the connection is made to one of the checked addresses: a name that
 *     answers differently the second time cannot lead elsewhere.
 * I3  What does not belong to a host is not sent there: credentials end with the origin they were meant for.
 * I4  Time and size are limited for the whole exchange.
 */
import { lookup } from "node:dns/promises";
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { HttpClient, HttpRequest, HttpResponse } from "../core/core-agent.ts";
import { refuse } from "../core/refuse.ts";
import { ToolError } from "../tool.ts";
import { kindOfAddress } from "./address-rules.ts";
import { AllowedHosts, hostOf } from "./allowed-hosts.ts";
import { readBody } from "./read-body.ts";

export interface HttpOptions {
  /** The hosts that may be called; without it, none. */
  readonly allow?: readonly string[];
  /** Also where they are in this machine or its network. */
  readonly allowPrivate?: boolean;
  readonly responseBytesMax?: number;
  readonly timeoutMsMax?: number;
  /** How names are resolved; the system's way unless given. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const RESPONSE_BYTES_MAX = 10 * 1024 * 1024;
const TIMEOUT_MS_MAX = 300_000;

export function httpClient(options: HttpOptions = {}): HttpClient {
  const exchange = new Exchange(options);
  return { send: (request) => exchange.send(request) };
}

class Exchange {
  readonly #hosts: AllowedHosts;
  readonly #allowPrivate: boolean;
  readonly #bytesMax: number;
  readonly #timeoutMsMax: number;
  readonly #resolve: (host: string) => Promise<readonly string[]>;

  constructor(options: HttpOptions) {
    this.#hosts = new AllowedHosts(options.allow ?? []);
    this.#allowPrivate = options.allowPrivate ?? false;
    this.#bytesMax = options.responseBytesMax ?? RESPONSE_BYTES_MAX;
    this.#timeoutMsMax = options.timeoutMsMax ?? TIMEOUT_MS_MAX;
    this.#resolve = options.resolve ?? resolveBySystem;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const timeoutMs = Math.min(request.timeoutMs, this.#timeoutMsMax);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([request.signal, timeout]);
    try {
      return await this.#follow({ ...request, signal });
    } catch (error) {
      if (timeout.aborted && !request.signal.aborted) {
        throw new ToolError(`${hostOf(request.url)} did not answer within ${timeoutMs} ms.`, {
          code: "TIMEOUT",
        });
      }
      throw error instanceof ToolError ? error : networkError(request.url, error);
    }
  }

  async #follow(first: HttpRequest): Promise<HttpResponse> {
    let request = first;
    for (let redirects = 0; ; redirects++) {
      const message = await this.#connect(request);
      const next = first.redirectsMax === 0 ? undefined : redirectOf(message, request);
      if (next === undefined) return await this.#response(request.url, message, request.signal);
      message.destroy();
      if (redirects === first.redirectsMax) {
        throw refuse(
          "HTTP_REDIRECT",
          `${hostOf(first.url)} redirects more than ${first.redirectsMax} times.`,
        );
      }
      request = next;
    }
  }

  async #connect(request: HttpRequest): Promise<IncomingMessage> {
    const { url, signal, method, body } = request;
    this.#checkUrl(url);
    const addresses = await abortable(this.#addressesOf(url), signal);
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const options: RequestOptions = {
      method,
      signal,
      headers: {
        "accept-encoding": "identity",
        "user-agent": "sequitur",
        ...Object.fromEntries(request.headers),
      },
      // I2. A connection of its own: one that is kept may have been made to another address.
      agent: false,
      lookup: (_host, { all }, answer) => {
        if (all) answer(null, [...addresses]);
        else answer(null, addresses[0]?.address ?? "", addresses[0]?.family);
      },
    };
    return new Promise((resolve, reject) => {
      const outgoing = send(url, options, resolve);
      outgoing.on("error", reject);
      // A server may ask for another protocol; nobody here speaks it.
      outgoing.on("upgrade", (_message, socket) => {
        socket.destroy();
        reject(refuse("INVALID_RESPONSE", `${hostOf(url)} wants to change the protocol.`));
      });
      outgoing.end(body);
    });
  }

  /** I1 */
  #checkUrl(url: URL): void {
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw refuse("HTTP_NOT_ALLOWED", `Only http and https can be called, not "${url.protocol}".`);
    }
    if (url.username !== "" || url.password !== "") {
      throw refuse(
        "INVALID_REQUEST",
        `Credentials cannot stand in an address; send an "authorization" header.`,
      );
    }
    if (this.#hosts.allows(url)) return;
    const host = hostOf(url);
    throw refuse(
      "HTTP_NOT_ALLOWED",
      `http_request may not call ${host}${url.port === "" ? "" : `:${url.port}`}. Allow it with createEngine({ http: { allow: ["${host}"] } }).`,
    );
  }

  /** I2: all of them have to be fine, since any of them may be taken. */
  async #addressesOf(url: URL): Promise<readonly { address: string; family: number }[]> {
    const host = hostOf(url).replace(/^\[(.*)\]$/, "$1");
    const addresses = isIP(host) > 0 ? [host] : await this.#resolve(host);
    if (addresses.length === 0)
      throw new ToolError(`There is no address for ${host}.`, { code: "HTTP_FAILED" });
    for (const address of addresses) this.#checkAddress(host, address);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  #checkAddress(host: string, address: string): void {
    const kind = kindOfAddress(address);
    if (kind === "public" || (kind === "metadata" && this.#hosts.names(address))) return;
    if (kind === "private" && this.#allowPrivate) return;
    const shown = host === address ? host : `${host} (${address})`;
    const how =
      kind === "metadata"
        ? `It is a cloud's metadata service; where that is meant, allow the address itself: http: { allow: ["${address}"] }.`
        : "It is in this machine or its network; where that is meant, set http: { allowPrivate: true }.";
    throw refuse("HTTP_NOT_ALLOWED", `http_request may not connect to ${shown}. ${how}`);
  }

  async #response(url: URL, message: IncomingMessage, signal: AbortSignal): Promise<HttpResponse> {
    const body = await readBody(message, this.#bytesMax, signal);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(message.headers)) {
      if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    return { url: url.href, status: message.statusCode ?? 0, headers, body };
  }
}

/** The request that a redirect asks for; undefined where the response is none. */
function redirectOf(message: IncomingMessage, request: HttpRequest): HttpRequest | undefined {
  const { statusCode = 0, headers } = message;
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  if (!URL.canParse(headers.location, request.url.href)) {
    throw refuse("HTTP_REDIRECT", `${hostOf(request.url)} redirects to something that is not an address.`);
  }
  const url = new URL(headers.location, request.url);
  if (request.url.protocol === "https:" && url.protocol === "http:") {
    throw refuse(
      "HTTP_REDIRECT",
      `${hostOf(request.url)} redirects from https to http (${hostOf(url)}), which is not followed.`,
    );
  }
  const isGet =
    statusCode === 303 ? request.method !== "HEAD" : statusCode < 303 && request.method === "POST";
  const kept = [...request.headers].filter(([name]) => {
    if (isGet && name.startsWith("content-")) return false;
    // I3
    return (
      url.origin === request.url.origin ||
      !/^(authorization|cookie|idempotency-key|.*(api-?key|token|secret).*)$/.test(name)
    );
  });
  return {
    ...request,
    url,
    headers: new Map(kept),
    ...(isGet && { method: "GET", body: undefined }),
  };
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** What cannot be called off is at least not waited for. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the name could not be resolved",
  ECONNREFUSED: "nobody accepts connections there",
  ECONNRESET: "the connection was cut",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
};

function networkError(url: URL, error: unknown): ToolError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
  return new ToolError(`The request to ${hostOf(url)} failed: ${reason}.`, {
    code: "HTTP_FAILED",
    cause: error,
  });
}
