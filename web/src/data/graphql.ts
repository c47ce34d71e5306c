/* Asks the server: one request, one answer. What is not an answer is an ApiError with the server's own words. */
import type { Json } from "../../../src/compiler.ts";
import { askForToken } from "./session.ts";

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  /** Of a plan that is wrong: everything that is wrong with it. */
  readonly diagnostics: Json | undefined;

  constructor(message: string, code: string, status: number, diagnostics?: Json) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.diagnostics = diagnostics;
  }
}

export type Variables = Readonly<Record<string, unknown>>;

interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly diagnostics?: Json };
  }[];
}

/** `T` is what the query asks for; the server's schema answers for it. */
export async function ask<T>(query: string, variables: Variables = {}, signal?: AbortSignal): Promise<T> {
  const response = await post(query, variables, "application/json", signal);
  const answer = await readAnswer<T>(response);
  const [error] = answer.errors ?? [];
  if (error !== undefined) throw apiError(error, response.status);
  if (answer.data === null || answer.data === undefined)
    throw new ApiError("The server gave no answer.", "NO_ANSWER", response.status);
  return answer.data;
}

export async function post(
  query: string,
  variables: Variables,
  accept: string,
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ query, variables }),
    credentials: "same-origin",
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError("The server cannot be reached. Is it running?", "UNREACHABLE", 0);
  });
  if (response.status === 401) askForToken();
  return response;
}

export async function readAnswer<T>(response: Response): Promise<Answer<T>> {
  try {
    return (await response.json()) as Answer<T>;
  } catch {
    throw new ApiError(`The server answered with status ${response.status}.`, "NO_ANSWER", response.status);
  }
}

export function apiError(error: NonNullable<Answer<unknown>["errors"]>[number], status: number): ApiError {
  return new ApiError(
    error.message,
    error.extensions?.code ?? "ERROR",
    status,
    error.extensions?.diagnostics,
  );
}
