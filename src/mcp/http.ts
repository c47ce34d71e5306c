/*
 * Streamable HTTP at `/mcp`: a session for each client.
 *
 * I1  Only requests that name this host, and come from no other web page, are looked at: a page in a browser on this machine
 *     can otherwise reach whatever listens here.
 * I2  Where there is a token, nothing is done without it.
 * I3  Sessions, and what they may send, are bounded; the longest unused one gives way.
 */
import { randomUUID, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { SequiturError } from "../index.ts";
import { planServer } from "./plan-server.ts";
import type { Workplace } from "./plan-tool.ts";

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

export interface ServedHttp {
  readonly url: string;
  close(): Promise<void>;
}

const SESSIONS_MAX = 100;

export async function serveHttp(
  workplace: Workplace,
  version: string,
  { host, port, token }: HttpAddress,
): Promise<ServedHttp> {
  const sessions = new Sessions(workplace, version);
  const http = createServer((request, response) => {
    const refusal = refusalOf(request, host, token);
    if (refusal !== undefined) refuse(response, ...refusal);
    else sessions.handle(request, response).catch((error: Error) => refuse(response, 500, error.message));
  });
  await listening(http, host, port);
  const { port: taken } = http.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}/mcp`,
    close: async () => {
      await sessions.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function listening(http: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", (cause) =>
      reject(
        new SequiturError("NOT_LISTENING", `Cannot listen on ${host}:${port}: ${cause.message}`, { cause }),
      ),
    );
    http.listen(port, host, resolve);
  });
}

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

function refusalOf(
  request: IncomingMessage,
  host: string,
  token: string | undefined,
): [number, string] | undefined {
  if (request.url?.split("?")[0] !== "/mcp") return [404, "MCP is served at /mcp."];
  const { origin, authorization } = request.headers;
  const names = [...LOCAL, host];
  // I1. Behind a token any name may lead here.
  if (token === undefined && !names.includes(hostName(`http://${request.headers.host ?? ""}`)))
    return [403, "This server answers to localhost only."];
  if (origin !== undefined && !names.includes(hostName(origin)))
    return [403, "Requests of other web pages are not answered."];
  if (token !== undefined && !same(authorization ?? "", `Bearer ${token}`))
    return [401, "Send the token: Authorization: Bearer …"];
  return undefined;
}

function hostName(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}

class Sessions {
  readonly #workplace: Workplace;
  readonly #version: string;
  /** The one that was used last comes last. */
  readonly #open = new Map<string, StreamableHTTPServerTransport>();

  constructor(workplace: Workplace, version: string) {
    this.#workplace = workplace;
    this.#version = version;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const transport = typeof id === "string" ? this.#open.get(id) : await this.#begin();
    if (transport === undefined) {
      refuse(response, 404, "This session has ended; begin a new one.");
      return;
    }
    if (typeof id === "string") this.#use(id, transport);
    await transport.handleRequest(request, response);
  }

  /** Becomes a session once the client has introduced itself; anything else is refused by the transport. */
  async #begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => this.#use(id, transport),
    });
    const server = planServer(this.#workplace, this.#version);
    server.onclose = () => {
      if (transport.sessionId !== undefined) this.#open.delete(transport.sessionId);
    };
    // The SDK's own types are at odds with exact optional properties.
    await server.connect(transport as Transport);
    return transport;
  }

  #use(id: string, transport: StreamableHTTPServerTransport): void {
    this.#open.delete(id);
    this.#open.set(id, transport);
    if (this.#open.size <= SESSIONS_MAX) return;
    const [oldest] = this.#open;
    if (oldest === undefined) return;
    this.#open.delete(oldest[0]);
    oldest[1].close().catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((transport) => transport.close()));
  }
}
