/*
 * Who sends a request: a bearer token, or a browser with a session cookie that it got for a token in the address it opened.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Access } from "./access.ts";
import { type AccessToken, readAccessToken, signAccessToken } from "./access-token.ts";
import type { TokenRegistry } from "./token-registry.ts";

export const COOKIE = "sequitur_session";

/** A browser has to open the printed address again after that. */
const SESSION_MS = 12 * 60 * 60 * 1000;
const SESSIONS_MAX = 1_000;
/** Longer ones are not looked at: a token with many scopes has about 1,000 characters. */
const TOKEN_LENGTH_MAX = 8_192;

export type Authenticated =
  | { readonly access: Access; readonly via: "token" | "cookie" }
  | { readonly problem: string };

interface Session {
  readonly token: AccessToken;
  readonly until: number;
}

export class Authentication {
  readonly #registry: TokenRegistry;
  readonly #sessions = new Map<string, Session>();
  /** The token that was printed at start: it ends with the process. */
  #startToken: AccessToken | undefined;

  constructor(registry: TokenRegistry) {
    this.#registry = registry;
  }

  /** A token for the person who started the server. */
  async issueStartToken(): Promise<string> {
    const access: Access = { subject: "local", scopes: ["admin"] };
    const { text, token } = await signAccessToken(access, START_TOKEN_MS, this.#registry.key);
    this.#startToken = token;
    return text;
  }

  async authenticate(request: IncomingMessage): Promise<Authenticated> {
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined) {
      const [, text] = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization) ?? [];
      if (text === undefined) return { problem: "The Authorization header must be: Bearer <token>." };
      const token = await this.verify(text);
      return typeof token === "string" ? { problem: token } : { access: token, via: "token" };
    }
    const id = sessionIn(cookie);
    if (id === undefined)
      return { problem: "A token is needed: send the header Authorization: Bearer <token>." };
    const token = this.#inSession(id);
    if (token === undefined)
      return { problem: "The session has ended. Open the address that sequitur serve printed again." };
    return { access: token, via: "cookie" };
  }

  /** The token, or why it is none. */
  async verify(text: string): Promise<AccessToken | string> {
    if (text.length > TOKEN_LENGTH_MAX) return "The token is too long.";
    const token = await readAccessToken(text, this.#registry.key);
    if (typeof token === "string" || this.#isValid(token)) return token;
    return "The token has been revoked.";
  }

  #isValid({ id, expiresAt }: AccessToken): boolean {
    if (expiresAt <= Date.now()) return false;
    return id === this.#startToken?.id || this.#registry.isValid(id);
  }

  /** The value of a cookie that stands for the token. */
  openSession(token: AccessToken): { readonly id: string; readonly maxAgeMs: number } {
    const now = Date.now();
    for (const [id, { until }] of this.#sessions) {
      if (until <= now || this.#sessions.size >= SESSIONS_MAX) this.#sessions.delete(id);
    }
    const id = randomBytes(32).toString("base64url");
    const until = Math.min(now + SESSION_MS, token.expiresAt);
    this.#sessions.set(id, { token, until });
    return { id, maxAgeMs: until - now };
  }

  #inSession(id: string): AccessToken | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    if (session.until > Date.now() && this.#isValid(session.token)) return session.token;
    this.#sessions.delete(id);
    return undefined;
  }
}

const START_TOKEN_MS = 30 * 24 * 60 * 60 * 1000;

function sessionIn(cookies: string | undefined): string | undefined {
  for (const part of (cookies ?? "").split(";")) {
    const [name, value] = part.trim().split("=");
    if (name === COOKIE && value !== undefined) return value;
  }
  return undefined;
}
