import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler, type EndpointOptions } from "@restatedev/restate-sdk";
import { SequiturError } from "../../base/error.ts";

/** Restate opens another connection when one has so many calls: that is how calls come to the other workers of an address. */
const STREAMS_MAX = 32;

/** Said at each start; docs/scale-out.md says it once: who reaches a worker's port can call its tools. */
const UNSIGNED = /^Accepting requests without validating request signatures/;

export interface Listening {
  readonly port: number;
  /** Takes nothing more, and lets what is under way end for so long; Restate gives the rest to others. */
  close(graceMs: number): Promise<void>;
}

/** Several workers of one machine can listen on the same port, and share what comes. */
export async function listen(
  services: EndpointOptions["services"],
  port: number,
  host: string,
  log: (message: string) => void,
): Promise<Listening> {
  const handler = createEndpointHandler({
    services,
    logger: ({ level }, message) => {
      if ((level === "error" || level === "warn") && !UNSIGNED.test(String(message))) log(String(message));
    },
  });
  const server = createServer({ settings: { maxConcurrentStreams: STREAMS_MAX } }, handler);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(unable(port, host, cause)));
    server.listen({ port, host, reusePort: true }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => closeServer(server, sessions, graceMs),
  };
}

function closeServer(
  server: Http2Server,
  sessions: ReadonlySet<ServerHttp2Session>,
  graceMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const session of sessions) session.destroy();
    }, graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const session of sessions) session.close();
  });
}

function unable(port: number, host: string, cause: Error): SequiturError {
  return new SequiturError("WORKER_PORT", `A worker cannot listen on ${host}:${port}: ${cause.message}`, {
    cause,
  });
}
