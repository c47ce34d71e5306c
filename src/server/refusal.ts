/* What a client is told when it does not get what it asked for: a code for programs, a short sentence for people. */
import { GraphQLError } from "graphql";
import { FileAccessError, type Json, PlanError, SequiturError } from "../index.ts";

/** A refusal with an HTTP status of its own. `retryAfterS` says when another try makes sense. */
export function refusal(status: number, code: string, message: string, retryAfterS?: number): GraphQLError {
  const headers = retryAfterS === undefined ? {} : { headers: { "retry-after": String(retryAfterS) } };
  return new GraphQLError(message, { extensions: { code, http: { status, ...headers } } });
}

/** Errors of the engine that are the client's business, with their words. All others are ours, and stay here. */
const CLIENT_CODES: ReadonlySet<string> = new Set([
  "UNKNOWN_RUN",
  "RUN_TAKEN",
  "RUN_ENDED",
  "RUN_EXISTS",
  "INVALID_INPUT",
  "UNKNOWN_INPUT",
  "ALREADY_ANSWERED",
  "NOT_WAITING",
  "INVALID_MODE",
  "INVALID_IDEMPOTENCY_KEY",
  "IDEMPOTENCY_KEY_REUSED",
]);

const RETRY_S = 2;

/** The error as the client sees it; undefined for what has to be masked. */
export function publicError(error: unknown): GraphQLError | undefined {
  const cause = rootOf(error);
  if (cause instanceof GraphQLError)
    return error instanceof GraphQLError && error.originalError == null ? error : at(error, cause);
  if (cause instanceof PlanError) {
    const diagnostics = cause.diagnostics as unknown as Json;
    return at(error, new GraphQLError(cause.message, { extensions: { code: "PLAN_ERROR", diagnostics } }));
  }
  if (cause instanceof FileAccessError) {
    return at(error, new GraphQLError(cause.message, { extensions: { code: "FILE_ACCESS" } }));
  }
  if (!(cause instanceof SequiturError)) return undefined;
  if (cause.code === "ENGINE_CLOSED")
    return at(error, refusal(503, "STOPPING", "The server is stopping.", RETRY_S));
  if (!CLIENT_CODES.has(cause.code)) return undefined;
  return at(error, new GraphQLError(cause.message, { extensions: { code: cause.code } }));
}

/** Something went wrong on our side: the client sees the id under which the log has it. */
export function maskedError(error: unknown, id: string): GraphQLError {
  const message = `Something went wrong on the server. Its log has the details under the id ${id}.`;
  return at(
    error,
    new GraphQLError(message, { extensions: { code: "INTERNAL_ERROR", id, http: { status: 500 } } }),
  );
}

function rootOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError != null ? rootOf(error.originalError) : error;
}

/** The same refusal at the place in the query where it came up. */
function at(where: unknown, { message, extensions }: GraphQLError): GraphQLError {
  const place = where instanceof GraphQLError ? { nodes: where.nodes ?? null, path: where.path ?? null } : {};
  return new GraphQLError(message, { ...place, extensions });
}
