/* GraphQL Yoga, between our own reading and writing: `/graphql` over POST, GET and server-sent events. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type DocumentNode, type GraphQLSchema, parse } from "graphql";
import { createYoga, type Plugin, type YogaInitialContext } from "graphql-yoga";
import type { Limits } from "./limits.ts";
import { pageSizes, refuseExpensive } from "./query-limits.ts";
import { readBody } from "./read-body.ts";
import { maskedError, publicError, refusal } from "./refusal.ts";
import type { RequestContext } from "./resolves.ts";
import { type Headers, send, sendRefusal, sendStream } from "./send.ts";

export interface EndpointOptions {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  /** Something went wrong that the client is not told about. */
  readonly onInternalError: (error: unknown, id: string) => void;
}

const BODY_PROBLEMS = {
  400: ["BAD_REQUEST", "The request ended before its body did."],
  408: ["TOO_SLOW", "The request took too long to arrive."],
  413: ["TOO_LARGE", "The request is too large."],
} as const;

const JSON_TYPES = /^application\/(graphql\+)?json *(;|$)/i;
/** Queries are few and come again; a client that makes up new ones must not fill the memory. */
const QUERIES_KNOWN_MAX = 100;

export class GraphqlEndpoint {
  readonly #limits: Limits;
  readonly #yoga;

  constructor({ schema, limits, onInternalError }: EndpointOptions) {
    this.#limits = limits;
    this.#yoga = createYoga<RequestContext>({
      schema,
      graphqlEndpoint: "/graphql",
      graphiql: false,
      landingPage: false,
      cors: false,
      multipart: false,
      batching: false,
      logging: false,
      maxRequestBodySize: false,
      // Node's own: the stand-ins read a stream to its end, whether or not somebody takes it.
      fetchAPI: { Request, Response, ReadableStream },
      parserAndValidationCache: { documentCache: NO_CACHE, errorCache: NO_CACHE },
      maskedErrors: { maskError: (error) => masked(error, onInternalError) },
      plugins: [limitQueries(schema, limits)],
    });
  }

  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    access: RequestContext["access"],
  ): Promise<void> {
    if (request.method !== "GET" && request.method !== "POST") {
      sendRefusal(response, 405, "METHOD", "GraphQL is asked with POST or GET.", { allow: "GET, POST" });
      return;
    }
    const isPost = request.method === "POST";
    if (isPost && !JSON_TYPES.test(request.headers["content-type"] ?? "")) {
      sendRefusal(response, 415, "CONTENT_TYPE", "The Content-Type of a request is application/json.");
      return;
    }
    const body = isPost ? await readBody(request, this.#limits) : undefined;
    if (typeof body === "number") {
      const [code, message] = BODY_PROBLEMS[body];
      sendRefusal(response, body, code, message);
      return;
    }
    await this.#answer(request, response, body, access);
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer | undefined,
    access: RequestContext["access"],
  ): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { fetchAPI } = this.#yoga;
    const asked = new fetchAPI.Request(new URL(request.url ?? "/", "http://localhost").href, {
      method: request.method ?? "GET",
      headers: {
        accept: request.headers.accept ?? "*/*",
        ...(body !== undefined && { "content-type": request.headers["content-type"] ?? "" }),
      },
      ...(body !== undefined && { body: body.toString() }),
    });
    const answer = await this.#yoga.fetch(asked, { access, signal: gone.signal });
    const headers: Headers = Object.fromEntries(answer.headers);
    if (headers["content-type"]?.startsWith("text/event-stream") === true && answer.body !== null) {
      const { connection: _connection, "content-encoding": _encoding, ...rest } = headers;
      await sendStream(response, answer.status, rest, answer.body, this.#limits.streamIdleMs);
    } else {
      send(response, answer.status, headers, await answer.text());
    }
  }
}

/**
 * Measures a query before anything else is done with it. Here, and not where Yoga parses: what is refused there counts as a
 * syntax error, and those have no status of their own.
 */
function limitQueries(schema: GraphQLSchema, limits: Limits): Plugin<YogaInitialContext> {
  const sizes = pageSizes(schema);
  const known = new Map<string, DocumentNode>();
  return {
    onParams: ({ params: { query } }) => {
      if (typeof query !== "string" || known.has(query)) return;
      if (query.length > limits.queryLengthMax) {
        const message = `The query has ${query.length} characters, and ${limits.queryLengthMax} is the most. Send values as variables.`;
        throw refusal(400, "QUERY_TOO_LONG", message);
      }
      const document = parsed(query, limits);
      if (document === undefined) return;
      refuseExpensive(document, limits, sizes);
      const [oldest] = known.keys();
      if (known.size >= QUERIES_KNOWN_MAX && oldest !== undefined) known.delete(oldest);
      known.set(query, document);
    },
    onParse: ({ params, setParsedDocument }) => {
      const document = known.get(String(params.source));
      if (document !== undefined) setParsedDocument(document);
    },
  };
}

/** Undefined for what is no query: Yoga says why. */
function parsed(query: string, { queryTokensMax }: Limits): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens: queryTokensMax });
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("token limit")) return undefined;
    throw refusal(
      400,
      "QUERY_TOO_LONG",
      `The query has more than ${queryTokensMax} words. Send values as variables.`,
    );
  }
}

function masked(error: unknown, onInternalError: EndpointOptions["onInternalError"]): Error {
  const known = publicError(error);
  if (known !== undefined) return known;
  const id = randomUUID();
  onInternalError(error, id);
  return maskedError(error, id);
}

/** Documents are kept by `limitQueries`, which bounds them. */
const NO_CACHE = { get: () => undefined, set: () => {} };
