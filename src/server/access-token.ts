/*
 * Access tokens: signed, with a name, scopes and an end.
 *
 * I1  One algorithm, one issuer, one audience and one type: a token that was made for something else opens nothing.
 * I2  Nothing here puts a token, or a part of one, into a message.
 */
import { randomUUID } from "node:crypto";
import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Access } from "./access.ts";

const ALGORITHM = "HS256";
const ISSUER = "sequitur";
const AUDIENCE = "sequitur/server";
const TYPE = "sequitur-access+jwt";

export interface AccessToken extends Access {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export async function signAccessToken(
  { subject, scopes }: Access,
  lifetimeMs: number,
  key: Uint8Array,
): Promise<{ readonly text: string; readonly token: AccessToken }> {
  const now = Date.now();
  // The claim has whole seconds: a token lives at least as long as was asked for.
  const expires = Math.ceil((now + lifetimeMs) / 1000);
  const token: AccessToken = { id: randomUUID(), subject, scopes, expiresAt: expires * 1000 };
  const text = await new SignJWT({ scope: scopes.join(" ") })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(subject)
    .setJti(token.id)
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(expires)
    .sign(key);
  return { text, token };
}

/** What the token says, or why it says nothing. */
export async function readAccessToken(text: string, key: Uint8Array): Promise<AccessToken | string> {
  try {
    const { payload } = await jwtVerify(text, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ["exp", "sub", "jti"],
    });
    return tokenOf(payload) ?? UNREADABLE;
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      return "The token has expired. Issue a new one: sequitur token issue.";
    return UNREADABLE;
  }
}

const UNREADABLE = "The token is not one that this server has issued.";

function tokenOf({ sub, jti, exp, scope }: JWTPayload): AccessToken | undefined {
  if (sub === undefined || jti === undefined || exp === undefined || typeof scope !== "string")
    return undefined;
  const scopes = scope.split(" ").filter((part) => part !== "");
  return { id: jti, subject: sub, scopes, expiresAt: exp * 1000 };
}
