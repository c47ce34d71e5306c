/*
 * Subscriptions that outlive the server: a stream that breaks is opened again, from where it was, until it is called off or the
 * server says that it is over.
 */

import { streamEvents } from "./event-stream.ts";
import { ApiError, apiError, post, readAnswer, type Variables } from "./graphql.ts";

export interface Subscription<T> {
  readonly query: string;
  /** Asked for anew at every attempt, so that it can say what has been seen. */
  readonly variables?: () => Variables;
  readonly onData: (data: T) => void;
  /** Streams end for other reasons, too: the server stops, or their time is up. Only what this says is over is over. */
  readonly isOver?: () => boolean;
  /** What trying again would not mend. */
  readonly onError?: (error: Error) => void;
  readonly onConnection?: (isLost: boolean) => void;
}

const RETRY_MS = 500;
const RETRY_MAX_MS = 5_000;

/** Gives a function that calls it off. */
export function subscribe<T>(subscription: Subscription<T>): () => void {
  const ended = new AbortController();
  void follow(subscription, ended.signal);
  return () => {
    ended.abort();
    subscription.onConnection?.(false);
  };
}

async function follow<T>(subscription: Subscription<T>, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await once(subscription, signal, () => {
        failures = 0;
        subscription.onConnection?.(false);
      });
      if (subscription.isOver?.() === true) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && isFinal(error)) {
        subscription.onConnection?.(false);
        subscription.onError?.(error);
        return;
      }
    }
    if (signal.aborted) return;
    failures++;
    subscription.onConnection?.(true);
    await pause(Math.min(RETRY_MAX_MS, RETRY_MS * failures), signal);
  }
}

/** A server that is away, starting or full may be back; one that refuses the request will refuse it again. */
function isFinal({ status, code }: ApiError): boolean {
  return status !== 0 && status !== 429 && status < 500 && code !== "NO_ANSWER";
}

/** Until the stream ends. */
async function once<T>(
  { query, variables, onData }: Subscription<T>,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<void> {
  const response = await post(query, variables?.() ?? {}, "text/event-stream", signal);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) {
    const [error] = (await readAnswer<T>(response)).errors ?? [];
    throw error === undefined
      ? new ApiError(`The server answered with status ${response.status}.`, "NO_ANSWER", response.status)
      : apiError(error, response.status);
  }
  onOpen();
  for await (const { name, data } of streamEvents(response.body)) {
    if (name === "complete") return;
    if (name !== "next" || data === "") continue;
    const answer = JSON.parse(data) as { data?: T; errors?: { message: string }[] };
    const [error] = answer.errors ?? [];
    if (error !== undefined) throw apiError(error, 200);
    if (answer.data !== undefined) onData(answer.data);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
