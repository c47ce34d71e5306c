/*
 * The tokens that have been issued, in two files beside the store: the key that signs them, and the list of them. A token that
 * is not in the list opens nothing, so that deleting a line, or the file, revokes.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { SequiturError } from "../index.ts";
import type { Access } from "./access.ts";
import { type AccessToken, signAccessToken } from "./access-token.ts";

export interface IssuedToken extends AccessToken {
  readonly issuedAt: number;
  readonly revokedAt?: number;
}

const KEY_BYTES = 32;

export class TokenRegistry {
  readonly key: Uint8Array;
  readonly #file: string;
  #seen = "";
  #tokens: ReadonlyMap<string, IssuedToken> = new Map();

  /** `db` is the file of the store; tokens are kept beside it. */
  constructor(db: string) {
    this.#file = `${db}-tokens.json`;
    mkdirSync(dirname(this.#file), { recursive: true });
    this.key = keyIn(`${db}-tokens.key`);
  }

  async issue(
    access: Access,
    lifetimeMs: number,
  ): Promise<{ readonly text: string; readonly token: IssuedToken }> {
    const { text, token } = await signAccessToken(access, lifetimeMs, this.key);
    const issued = { ...token, issuedAt: Date.now() };
    this.#write([...this.list(), issued]);
    return { text, token: issued };
  }

  /** False where there is no such token. */
  revoke(idOrSubject: string): boolean {
    const isMeant = ({ id, subject, revokedAt }: IssuedToken): boolean =>
      revokedAt === undefined && (id === idOrSubject || subject === idOrSubject);
    const tokens = this.list();
    if (!tokens.some(isMeant)) return false;
    this.#write(tokens.map((token) => (isMeant(token) ? { ...token, revokedAt: Date.now() } : token)));
    return true;
  }

  list(): IssuedToken[] {
    this.#read();
    return [...this.#tokens.values()];
  }

  isValid(id: string): boolean {
    this.#read();
    const token = this.#tokens.get(id);
    return token !== undefined && isUsable(token);
  }

  /** There is a token that opens something. */
  get hasUsable(): boolean {
    return this.list().some(isUsable);
  }

  /** Read again whenever another process has written it: revoking works at once, also for a server that runs. */
  #read(): void {
    const stat = statSync(this.#file, { throwIfNoEntry: false, bigint: true });
    const seen = stat === undefined ? "" : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
    if (seen === this.#seen) return;
    this.#tokens = stat === undefined ? new Map() : readTokens(this.#file);
    this.#seen = seen;
  }

  #write(tokens: readonly IssuedToken[]): void {
    const kept = tokens.filter(({ expiresAt }) => expiresAt > Date.now());
    const temporary = `${this.#file}.${process.pid}.new`;
    writeFileSync(temporary, `${JSON.stringify({ tokens: kept }, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, this.#file);
  }
}

function isUsable({ revokedAt, expiresAt }: IssuedToken): boolean {
  return revokedAt === undefined && expiresAt > Date.now();
}

function readTokens(file: string): ReadonlyMap<string, IssuedToken> {
  try {
    const { tokens } = JSON.parse(readFileSync(file, "utf8")) as { readonly tokens: readonly IssuedToken[] };
    return new Map(tokens.map((token) => [token.id, token]));
  } catch (cause) {
    throw new SequiturError("TOKENS_UNREADABLE", `The list of tokens in ${file} cannot be read.`, { cause });
  }
}

/** Made on first use; whoever else makes it at the same time wins or loses as a whole. */
function keyIn(file: string): Uint8Array {
  const given = process.env.SEQUITUR_TOKEN_KEY;
  if (given !== undefined && given !== "") return keyOf(given, "SEQUITUR_TOKEN_KEY");
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(file, 0o600);
  }
  return keyOf(readFileSync(file, "utf8").trim(), file);
}

function keyOf(hex: string, where: string): Uint8Array {
  const key = Buffer.from(hex, "hex");
  if (key.length >= KEY_BYTES) return key;
  const message = `The key in ${where} is too short: ${KEY_BYTES * 2} hexadecimal digits are needed. Make one with: openssl rand -hex 32`;
  throw new SequiturError("WEAK_KEY", message);
}
