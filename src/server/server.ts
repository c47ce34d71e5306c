/* One process that serves GraphQL, the web application, health and metrics. Wires the other files of this folder together. */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Engine, Json } from "../index.ts";
import { mayReadRuns } from "./access.ts";
import { Admission } from "./admission.ts";
import { Authentication, COOKIE } from "./authentication.ts";
import { FairTurns } from "./fair-turns.ts";
import { type Gate, gateFor, isFromOurPage, refused } from "./gate.ts";
import { GraphqlEndpoint } from "./graphql-endpoint.ts";
import { guardedSchema } from "./guarded-schema.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { listenError, refuseOpenDoors } from "./listening.ts";
import { Metrics } from "./metrics.ts";
import { mutations } from "./mutations.ts";
import { queries } from "./queries.ts";
import { RULES } from "./rules.ts";
import { RunLogs } from "./run-logs.ts";
import { RunProgress } from "./run-progress.ts";
import { send, sendRefusal } from "./send.ts";
import { StaticFiles } from "./static-files.ts";
import { Subscriptions } from "./subscriptions.ts";
import type { TokenRegistry } from "./token-registry.ts";

export interface ServerOptions {
  readonly engine: Engine;
  readonly registry: TokenRegistry;
  readonly log: Logger;
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Addresses under which the server is known besides its own. */
  readonly origins?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** The engine has a file store. */
  readonly hasFiles?: boolean;
  /** Declarations of context variables, for every plan that brings none. */
  readonly contextVariables?: Json;
  /** What tools have logged, where somebody keeps it. */
  readonly logs?: RunLogs;
  /** The folder of the built web application. */
  readonly web?: string;
}

/** Beside `src` and `dist` alike. */
const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
const HEADER_BYTES_MAX = 16_384;
const KEEP_ALIVE_MS = 30_000;
const CHECK_MS = 1_000;

export async function startServer(options: ServerOptions): Promise<SequiturServer> {
  const { host = "127.0.0.1", port, registry, origins = [] } = options;
  refuseOpenDoors(host, port, registry, origins);
  const server = new SequiturServer(options, host);
  await server.listen(port);
  return server;
}

export class SequiturServer {
  readonly #engine: Engine;
  readonly #log: Logger;
  readonly #host: string;
  readonly #origins: readonly string[];
  readonly #limits: Limits;
  readonly #hasFiles: boolean;
  readonly #authentication: Authentication;
  readonly #endpoint: GraphqlEndpoint;
  readonly #files: StaticFiles;
  readonly #metrics: Metrics;
  readonly #http: Server;
  readonly #stopping = new AbortController();
  readonly #unwatch: () => void;
  readonly #turns = new FairTurns();
  #gate: Gate = { hosts: new Set(), origins: new Set() };
  #isReady = false;

  constructor(options: ServerOptions, host: string) {
    const { engine, registry, log, hasFiles = false } = options;
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const stopping = this.#stopping.signal;
    const admission = new Admission(limits);
    const view = { engine, limits, progress: new RunProgress(engine), logs: options.logs ?? new RunLogs() };
    const subscriptions = new Subscriptions(view, stopping);
    const { contextVariables } = options;
    const surroundings = contextVariables === undefined ? {} : { contextVariables };
    const roots = {
      Query: queries(view, surroundings),
      Mutation: mutations({ engine, limits, view, admission, hasFiles, stopping, surroundings }),
      Subscription: subscriptions.streams(),
    };
    const schema = guardedSchema(
      readFileSync(join(PACKAGE, "schema.graphql"), "utf8"),
      roots,
      RULES,
      limits.jsonDepthMax,
    );
    this.#engine = engine;
    this.#log = log;
    this.#host = host;
    this.#origins = options.origins ?? [];
    this.#limits = limits;
    this.#hasFiles = hasFiles;
    this.#authentication = new Authentication(registry);
    this.#endpoint = new GraphqlEndpoint({
      schema,
      limits,
      onInternalError: (error, id) => this.#logError(error, id),
    });
    const web = options.web ?? join(PACKAGE, "web", "dist");
    this.#files = new StaticFiles(existsSync(web) ? web : undefined);
    this.#metrics = new Metrics({
      runsStarted: () => admission.started,
      runsLive: () => engine.activity.runs,
      callsActive: () => engine.activity.calls,
      runsQueued: () => admission.queued,
      subscriptions: () => subscriptions.open,
    });
    this.#unwatch = engine.watch((run) => {
      admission.noteChange(run);
      if (run.finishedAt !== undefined) this.#metrics.noteEnd(run);
    });
    this.#http = this.#createHttp();
  }

  #createHttp(): Server {
    const { requestMs } = this.#limits;
    const options = {
      requestTimeout: requestMs + CHECK_MS,
      headersTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    };
    const http = createServer(options, (request, response) => void this.#handle(request, response));
    // What is not HTTP gets a short answer and no more.
    http.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      if (!socket.writable) return;
      const status = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    });
    return http;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#http.once("error", (error: NodeJS.ErrnoException) =>
        reject(listenError(error, this.#host, port)),
      );
      this.#http.listen(port, this.#host, resolve);
    });
    this.#gate = gateFor(this.#host, this.port, this.#origins);
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://${this.#host.includes(":") ? `[${this.#host}]` : this.#host}:${this.port}/`;
  }

  /** The address to open, with a token in it, for the person who started the server. */
  async startUrl(): Promise<string> {
    return `${this.url}?token=${await this.#authentication.issueStartToken()}`;
  }

  /** Runs that were left in the middle go on; then requests are taken. Gives how many there were. */
  async recover(): Promise<number> {
    const runs = await this.#engine.recover(
      this.#hasFiles ? { fileToken: (runId) => this.#fileToken(runId) } : {},
    );
    this.#isReady = true;
    return runs.length;
  }

  /** What its starter's token allowed: recorded with the run, since tokens are not. */
  async #fileToken(runId: string): Promise<string> {
    const { files } = this.#engine.metadata(runId) ?? {};
    const prefixes = Array.isArray(files)
      ? files.filter((item): item is string => typeof item === "string")
      : [];
    return this.#engine.issueFileToken({ read: prefixes, write: prefixes });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begin = performance.now();
    const [path = "/"] = (request.url ?? "/").split("?");
    const route = ROUTES.has(path) ? path : "other";
    response.once("close", () => {
      this.#metrics.noteRequest(route, response.statusCode);
      const { method } = request;
      const ms = Math.round(performance.now() - begin);
      // The address is not logged as it came: it may hold a token.
      this.#log.debug({ method, route, status: response.statusCode, ms }, "request");
    });
    try {
      await this.#route(request, response, path);
    } catch (error) {
      const id = crypto.randomUUID();
      this.#logError(error, id);
      const message = `Something went wrong on the server. Its log has the details under the id ${id}.`;
      sendRefusal(response, 500, "INTERNAL_ERROR", message);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const problem = refused(request, this.#gate);
    if (problem !== undefined) sendRefusal(response, problem.status, "REFUSED", problem.message);
    else if (path === "/healthz") sendText(response, 200, "ok\n");
    else if (path === "/readyz")
      sendText(response, this.#isReady ? 200 : 503, this.#isReady ? "ready\n" : "not ready\n");
    else if (path === "/graphql") await this.#graphql(request, response);
    else if (path === "/metrics") await this.#showMetrics(request, response);
    else if (path === "/" && request.url?.includes("?token=") === true) await this.#enter(request, response);
    else if (!this.#files.serve(request, response, path))
      sendRefusal(response, 404, "NOT_FOUND", "There is nothing here.");
  }

  async #graphql(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const who = await this.#authentication.authenticate(request);
    if ("problem" in who) {
      sendRefusal(response, 401, "UNAUTHENTICATED", who.problem, {
        "www-authenticate": `Bearer realm="sequitur"`,
      });
    } else if (who.via === "cookie" && !isFromOurPage(request)) {
      sendRefusal(
        response,
        403,
        "REFUSED",
        "With a session cookie, requests come from the server's own pages.",
      );
    } else if (!this.#isReady) {
      sendRefusal(response, 503, "NOT_READY", "The server is starting or stopping.", { "retry-after": "1" });
    } else {
      await this.#turns.begin();
      await this.#endpoint.handle(request, response, who.access);
    }
  }

  async #showMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const who = await this.#authentication.authenticate(request);
    if ("problem" in who) sendRefusal(response, 401, "UNAUTHENTICATED", who.problem);
    else if (!mayReadRuns(who.access))
      sendRefusal(response, 403, "FORBIDDEN", "This needs the scope runs:read.");
    else
      send(
        response,
        200,
        { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        this.#metrics.text(),
      );
  }

  /** The token in the address becomes a cookie, and goes from the address, which others may see. */
  async #enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = new URL(request.url ?? "/", this.url).searchParams.get("token") ?? "";
    const token = await this.#authentication.verify(text);
    if (typeof token === "string") {
      sendRefusal(response, 401, "UNAUTHENTICATED", token);
      return;
    }
    const { id, maxAgeMs } = this.#authentication.openSession(token);
    const isSecure = this.#origins.some((origin) => origin.startsWith("https:"));
    const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(maxAgeMs / 1000)}${isSecure ? "; Secure" : ""}`;
    send(response, 303, { location: "/", "set-cookie": `${COOKIE}=${id}; ${attributes}` }, "");
  }

  #logError(error: unknown, id: string): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#log.error({ id, error: this.#engine.scrub(text as Json) }, "internal error");
  }

  /** Takes no more work, lets steps end for a while, and leaves the rest to be resumed. The engine is closed by its owner. */
  async close(): Promise<void> {
    this.#isReady = false;
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeIdleConnections();
    const left = await this.#engine.drain(this.#limits.drainMs);
    this.#log.info({ callsLeft: left }, "stopped taking work");
    this.#stopping.abort();
    this.#unwatch();
    this.#metrics.stop();
    // Answers that are on their way get out; whoever does not read them is not waited for.
    const timer = setTimeout(() => this.#http.closeAllConnections(), CHECK_MS);
    await closed;
    clearTimeout(timer);
  }
}

const ROUTES: ReadonlySet<string> = new Set(["/", "/graphql", "/healthz", "/readyz", "/metrics"]);

function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, { "content-type": "text/plain; charset=utf-8" }, text);
}
