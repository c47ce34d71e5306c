import { hkdfSync, randomBytes } from "node:crypto";
import { type Clock, systemClock } from "../base/clock.ts";
import { ConfinedFolder } from "./confined-folder.ts";
import { FileAccessError } from "./file-access-error.ts";
import { type FileTokenScopes, type Grant, signToken, verifyToken } from "./file-token.ts";
import { GrantedFiles } from "./granted-files.ts";

export interface FileStoreOptions {
  /** The folder on the host that is `/` in the store. */
  readonly root: string;
  /** What tokens are signed with, at least 32 bytes. Without it the store makes its own, and its tokens end with it. */
  readonly key?: string | Uint8Array;
  readonly readBytesMax?: number;
  readonly writeBytesMax?: number;
  /** Of one listing. */
  readonly entriesMax?: number;
}

export interface FileLimits {
  readonly readBytesMax: number;
  readonly writeBytesMax: number;
  readonly entriesMax: number;
}

const KEY_BYTES = 32;
const BYTES_MAX = 10 * 1024 * 1024;
const ENTRIES_MAX = 10_000;

/** Files below a root folder, which only the holder of a token can read or write. */
export class FileStore {
  readonly #folder: ConfinedFolder;
  readonly #key: Uint8Array;
  readonly #clock: Clock;
  readonly #limits: FileLimits;

  private constructor(folder: ConfinedFolder, key: Uint8Array, clock: Clock, limits: FileLimits) {
    this.#folder = folder;
    this.#key = key;
    this.#clock = clock;
    this.#limits = limits;
  }

  static async open(options: FileStoreOptions, clock: Clock = systemClock): Promise<FileStore> {
    const {
      root,
      key,
      readBytesMax = BYTES_MAX,
      writeBytesMax = BYTES_MAX,
      entriesMax = ENTRIES_MAX,
    } = options;
    const limits = { readBytesMax, writeBytesMax, entriesMax };
    return new FileStore(await ConfinedFolder.open(root), signingKey(key), clock, limits);
  }

  issueToken(scopes: FileTokenScopes): Promise<string> {
    return signToken(scopes, this.#key, this.#clock.now());
  }

  /** The store as the holder of this token sees it. A wrong token, or none, shows when something is read or written. */
  withToken(token: string | undefined): GrantedFiles {
    const grant = async (): Promise<Grant> => {
      if (token === undefined) throw new FileAccessError("no token was given");
      return verifyToken(token, this.#key, this.#clock.now());
    };
    return new GrantedFiles(grant, this.#folder, this.#limits);
  }
}

/** Tokens have a key of their own, so that a secret that is used for other things as well does not sign them directly. */
function signingKey(given: string | Uint8Array | undefined): Uint8Array {
  if (given === undefined) return randomBytes(KEY_BYTES);
  const secret = typeof given === "string" ? Buffer.from(given) : given;
  if (secret.length < KEY_BYTES) {
    throw new FileAccessError(
      `"files.key" has ${secret.length} bytes; at least ${KEY_BYTES} are needed. Make one with: openssl rand -hex 32`,
    );
  }
  return new Uint8Array(hkdfSync("sha256", secret, "", "sequitur file tokens", KEY_BYTES));
}
