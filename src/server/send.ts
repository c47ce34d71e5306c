/* How responses leave: small ones at once, streams no faster than the client takes them. */
import type { ServerResponse } from "node:http";
import { SECURITY_HEADERS } from "./gate.ts";

export type Headers = Readonly<Record<string, string>>;

export function send(
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: string | Buffer,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    "cache-control": "no-store",
    ...headers,
    "content-length": Buffer.byteLength(body),
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** A refusal, in the shape that GraphQL clients read; it is short enough for people, too. */
export function sendRefusal(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  headers: Headers = {},
): void {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  // What is left of the request is not read, so the connection cannot be used again.
  const closing: Headers = response.req.complete ? {} : { connection: "close" };
  send(response, status, { "content-type": "application/json; charset=utf-8", ...closing, ...headers }, body);
}

/** Writes a stream until it ends or the client goes. A client that takes nothing for `idleMs` is cut off. */
export async function sendStream(
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): Promise<void> {
  const reader = body.getReader();
  const onClose = (): void => void reader.cancel().catch(() => {});
  response.once("close", onClose);
  response.writeHead(status, { ...SECURITY_HEADERS, ...headers, "cache-control": "no-store" });
  response.flushHeaders();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await drained(response, idleMs);
    }
    response.end();
  } catch {
    // The source failed in the middle, or the client does not read: there is no status left to say so with.
    response.destroy();
  } finally {
    response.removeListener("close", onClose);
    onClose();
  }
}

function drained(response: ServerResponse, idleMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => (): void => {
      clearTimeout(timer);
      response.removeListener("drain", onDrain);
      response.removeListener("close", onClose);
      settle();
    };
    const onDrain = end(resolve);
    const onClose = end(resolve);
    const timer = setTimeout(
      end(() => reject(new Error("The client does not read."))),
      idleMs,
    );
    response.once("drain", onDrain);
    response.once("close", onClose);
  });
}
