/*
 * Tokens: what a run may read and write, signed, so that whoever carries one cannot widen it.
 *
 * I1  Nothing here puts a token, or a part of one, into a message.
 * I2  One algorithm, one issuer, one audience: a token that was made for something else does not open files.
 */
import { errors, jwtVerify, SignJWT } from "jose";
import { isList, isObject, type Json, type JsonObject } from "../base/json.ts";
import { FileAccessError } from "./file-access-error.ts";
import { type VirtualPath, virtualPath } from "./virtual-path.ts";

const ALGORITHM = "HS256";
const ISSUER = "sequitur";
const AUDIENCE = "sequitur/files";
const TYPE = "sequitur-files+jwt";

/** What is asked of `issueFileToken`. */
export interface FileTokenScopes {
  /** Folders or files that may be read, with everything below them. */
  readonly read?: readonly string[];
  /** The same for writing. Writing does not include reading. */
  readonly write?: readonly string[];
  /** Without it the token is good for as long as the store's key is. */
  readonly expiresInMs?: number;
}

/** What a token allows. */
export interface Grant {
  readonly read: readonly VirtualPath[];
  readonly write: readonly VirtualPath[];
}

export async function signToken(scopes: FileTokenScopes, key: Uint8Array, nowMs: number): Promise<string> {
  const { read = [], write = [], expiresInMs } = scopes;
  if (expiresInMs !== undefined && !Number.isFinite(expiresInMs)) {
    throw new FileAccessError(`"expiresInMs" must be a number of milliseconds, not ${String(expiresInMs)}.`);
  }
  const expiresAtMs = expiresInMs === undefined ? undefined : nowMs + expiresInMs;
  const token = new SignJWT({
    read: read.map(scopePath),
    write: write.map(scopePath),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(Math.floor(nowMs / 1000));
  // The standard claim has whole seconds; the exact time stands beside it.
  if (expiresAtMs !== undefined) token.setExpirationTime(Math.ceil(expiresAtMs / 1000));
  return token.sign(key);
}

function scopePath(prefix: string): VirtualPath {
  if (typeof prefix === "string" && prefix.includes("*")) {
    throw new FileAccessError(
      `"${prefix}" is not a scope: a scope is a folder or a file and covers everything below it; "*" has no meaning in it.`,
    );
  }
  return virtualPath(prefix);
}

/** What the token allows now. The messages complete "Cannot read /x: …". */
export async function verifyToken(token: string, key: Uint8Array, nowMs: number): Promise<Grant> {
  let payload: Json;
  try {
    const currentDate = new Date(nowMs);
    const checks = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE, typ: TYPE, currentDate };
    payload = (await jwtVerify(token, key, checks)).payload as unknown as Json;
  } catch (error) {
    throw new FileAccessError(reasonOf(error));
  }
  const grant = isObject(payload) ? grantOf(payload) : undefined;
  if (grant === undefined) throw new FileAccessError(UNREADABLE);
  if (isObject(payload) && typeof payload.expiresAtMs === "number" && payload.expiresAtMs <= nowMs) {
    throw new FileAccessError(EXPIRED);
  }
  return grant;
}

function grantOf({ read, write }: JsonObject): Grant | undefined {
  if (!isPathList(read) || !isPathList(write)) return undefined;
  return { read: read.map(virtualPath), write: write.map(virtualPath) };
}

function isPathList(value: Json | undefined): value is readonly string[] {
  return isList(value) && value.every((item) => typeof item === "string");
}

const EXPIRED = "the token has expired";
const UNREADABLE = "the token is not one that issueFileToken made";

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return EXPIRED;
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return "the token was signed with another key (an engine makes a new one when it starts, unless it is given files.key)";
  }
  if (error instanceof errors.JWTClaimValidationFailed)
    return "the token was made for something else than files";
  if (error instanceof errors.JOSEAlgNotAllowed) return `the token is not signed with ${ALGORITHM}`;
  return UNREADABLE;
}
