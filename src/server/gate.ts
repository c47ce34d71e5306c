/*
 * What every request has to pass, whatever it asks for: the right host (a page of another site that has its name resolved to
 * us does not know it), the right origin (no page of another site may send anything), and an address that we understand.
 */
import type { IncomingMessage } from "node:http";

export interface Gate {
  /** `127.0.0.1:4747` */
  readonly hosts: ReadonlySet<string>;
  /** `http://127.0.0.1:4747` */
  readonly origins: ReadonlySet<string>;
}

export interface Refused {
  readonly status: number;
  readonly message: string;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

export function isLoopback(host: string): boolean {
  return host === "::1" || LOOPBACK.includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/** `origins` are the addresses under which the server is known besides its own, as behind a proxy. */
export function gateFor(host: string, port: number, origins: readonly string[]): Gate {
  const named = host.includes(":") ? `[${host}]` : host;
  const isAny = host === "0.0.0.0" || host === "::";
  const names = isLoopback(host) ? [...new Set([...LOOPBACK, named])] : isAny ? [] : [named];
  const own = names.map((name) => `${name}:${port}`.toLowerCase());
  const others = origins.map((origin) => new URL(origin));
  return {
    hosts: new Set([...own, ...others.map((url) => url.host)]),
    origins: new Set([...own.map((name) => `http://${name}`), ...others.map((url) => url.origin)]),
  };
}

export function refused(request: IncomingMessage, gate: Gate): Refused | undefined {
  const { host, origin } = request.headers;
  if (request.url?.startsWith("/") !== true)
    return { status: 400, message: "The address must begin with a slash." };
  if (host === undefined || !gate.hosts.has(host.toLowerCase())) {
    return {
      status: 403,
      message: "This server does not answer to that host name. Start it with --origin to add one.",
    };
  }
  if (origin !== undefined && !gate.origins.has(origin.toLowerCase())) {
    return { status: 403, message: "Requests from other origins are refused." };
  }
  // A browser says where a request comes from even where it sends no origin. Opening the page by a link is fine.
  const site = request.headers["sec-fetch-site"];
  const isNavigation = request.method === "GET" && request.headers["sec-fetch-mode"] === "navigate";
  if (site === "cross-site" && !isNavigation)
    return { status: 403, message: "Requests from other sites are refused." };
  return undefined;
}

/** With a cookie, which browsers send by themselves, only our own pages may change anything. */
export function isFromOurPage(request: IncomingMessage): boolean {
  const { origin } = request.headers;
  return origin !== undefined || request.headers["sec-fetch-site"] === "same-origin";
}

/** On every response. Scripts, styles and requests come from and go to this server alone. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
