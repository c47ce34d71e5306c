/*
 * From settings to what a server or an API is given.
 *
 * I1  Whatever could be a credential is shown to the keeper of secrets before the server gets it, so that it can repeat it
 *     nowhere: not in results, events, errors or its log.
 */
import { SequiturError } from "../base/error.ts";
import { isObject, type Json } from "../base/json.ts";
import type { SecretKeeper } from "./tool-source.ts";

/** A text, or the name of a secret: `{ "$secret": "GITHUB_TOKEN" }`. `${NAME}` in a text is the environment's value. */
export type Setting = string | { readonly $secret: string };

export function isSetting(value: Json): boolean {
  return typeof value === "string" || (isObject(value) && typeof value.$secret === "string");
}

/** Names under which people give credentials. */
const SECRET_NAME = /key|token|secret|pass|pwd|auth|cred|cookie|session|private|dsn|signature/i;
/** Random looking: long, without spaces or slashes, with letters and digits. */
const RANDOM = /^(?=.*[A-Za-z])(?=.*\d)[\w.~+=-]{20,}$/;
/** What is shorter is found in ordinary text too often. */
const LENGTH_MIN = 6;

export class Settings {
  readonly #secrets: SecretKeeper;
  /** As in `mcpServers.files`. */
  readonly #owner: string;

  constructor(owner: string, secrets: SecretKeeper) {
    this.#owner = owner;
    this.#secrets = secrets;
  }

  /** The value of a setting; `isSecret` where its place says that it is one. */
  value(name: string, setting: Setting, isSecret: boolean): string {
    if (typeof setting !== "string") return this.#secret(setting.$secret);
    let expanded = false;
    const text = setting.replace(
      /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
      (_all, variable, otherwise) => {
        expanded = true;
        const value = process.env[variable] ?? otherwise;
        if (value === undefined) {
          const message = `${this.#owner}: "${name}" needs the environment variable ${variable}, which is not set.`;
          throw new SequiturError("INVALID_OPTION", message);
        }
        if (SECRET_NAME.test(variable) || RANDOM.test(value)) this.#keep(variable, value);
        return value;
      },
    );
    if (isSecret || SECRET_NAME.test(name) || RANDOM.test(text)) this.#keep(name, text);
    else if (!expanded) this.#keepUserInfo(name, text);
    return text;
  }

  /** `https://user:password@host`, wherever it stands. */
  #keepUserInfo(name: string, text: string): void {
    const password = /\/\/[^/@:]*:([^/@]+)@/.exec(text)?.[1];
    if (password !== undefined) this.#keep(name, password);
  }

  #secret(name: string): string {
    const value = this.#secrets.find(name);
    if (value === undefined) {
      const message = `${this.#owner}: there is no secret called "${name}". Set SEQUITUR_SECRET_${name}, or put it into the file of secrets.`;
      throw new SequiturError("INVALID_OPTION", message);
    }
    this.#secrets.keep(name, value);
    return value;
  }

  #keep(name: string, text: string): void {
    // The scheme of a header is no secret, what follows it is one on its own.
    const value = text.replace(/^(Bearer|Basic|Token|ApiKey)\s+/i, "");
    if (value.length >= LENGTH_MIN) this.#secrets.keep(name, value);
  }
}
