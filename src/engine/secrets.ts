/*
 * Where secrets come from, and how they are kept from going anywhere but into a tool.
 *
 * I1  A value is looked up when a tool is called with it, and is kept only here, to be recognized.
 * I2  Whatever comes back from any tool passes `scrub` before it is recorded, shown or logged.
 */
import { readFileSync } from "node:fs";
import { SequiturError } from "../base/error.ts";
import { getOwn, isList, isObject, type Json, setOwn } from "../base/json.ts";
import type { RunEvent } from "../core/events.ts";
import type { Program } from "../ir/program.ts";
import { forEachArgumentSecret, secretName } from "../ir/secret.ts";
import type { Survey } from "../ir/survey.ts";
import type { Findings } from "../source/findings.ts";
import { ToolError } from "../tools/tool.ts";

/** Values by name, or whatever looks them up. */
export type SecretSource = Readonly<Record<string, string>> | ((name: string) => string | undefined);

/** What is shorter could not be told from ordinary text, and so could not be kept out of results. */
const LENGTH_MIN = 4;

export class SecretVault {
  /** Looks a value up, without keeping it. */
  readonly find: (name: string) => string | undefined;
  /** What a value can look like in text, longest first, with what stands there instead. */
  #traces: readonly (readonly [text: string, instead: string])[] = [];
  readonly #known = new Map<string, string>();

  constructor(source: SecretSource | undefined) {
    if (source === undefined) this.find = environmentSecrets();
    else
      this.find =
        typeof source === "function" ? source : (name) => getOwn(source, name) as string | undefined;
  }

  /** Reports the secrets of a program that do not exist. */
  readonly check = (program: Program, findings: Findings, survey: Survey): void => {
    if (!survey.secrets) return;
    forEachArgumentSecret(program, ({ name, place }) => {
      if (name !== undefined && this.find(name) === undefined)
        findings.report("unknown-secret", place, { name });
    });
  };

  /** A copy of a call's arguments, with values in the place of markers. */
  fill(value: Json): Json {
    if (typeof value !== "object" || value === null) return value;
    if (isList(value)) return value.map((item) => this.fill(item));
    const name = secretName(value);
    if (name !== undefined) return this.reveal(name);
    const copy: Record<string, Json> = {};
    for (const key of Object.keys(value)) setOwn(copy, key, this.fill(value[key] as Json));
    return copy;
  }

  /** The value of a secret, for a tool alone. */
  reveal(name: string): string {
    const value = this.find(name);
    if (value === undefined) {
      throw new ToolError(`There is no secret called "${name}".`, {
        code: "UNKNOWN_SECRET",
        retryable: false,
      });
    }
    return this.guard(name, value);
  }

  /** Sees to it that a value is kept out of everything that is recorded, or refuses it. */
  guard(name: string, value: string): string {
    if (value.length < LENGTH_MIN) {
      const message = `The secret "${name}" has fewer than ${LENGTH_MIN} characters: it could not be kept out of results.`;
      throw new ToolError(message, { code: "WEAK_SECRET", retryable: false });
    }
    this.keep(name, value);
    return value;
  }

  /** From now on this value is recognized, wherever it turns up. */
  keep(name: string, value: string): void {
    if (value.length < LENGTH_MIN || this.#known.get(name) === value) return;
    this.#known.set(name, value);
    const traces = tracesOf(value).map((text) => [text, `[secret ${name}]`] as const);
    this.#traces = [...this.#traces, ...traces].sort(([a], [b]) => b.length - a.length);
  }

  /** No tool has been given a secret yet. */
  get isEmpty(): boolean {
    return this.#traces.length === 0;
  }

  /** The value without any secret that a tool has been given so far. The same value where there is none in it. */
  scrub<T extends Json>(value: T): T {
    return this.isEmpty ? value : (this.#scrub(value) as T);
  }

  #scrub(value: Json): Json {
    if (typeof value === "string") return this.#scrubText(value);
    if (isList(value)) return value.map((item) => this.#scrub(item));
    if (!isObject(value)) return value;
    const copy: Record<string, Json> = {};
    for (const key of Object.keys(value)) setOwn(copy, this.#scrubText(key), this.#scrub(value[key] as Json));
    return copy;
  }

  #scrubText(text: string): string {
    let clean = text;
    for (const [trace, instead] of this.#traces) {
      if (clean.includes(trace)) clean = clean.replaceAll(trace, instead);
    }
    return clean;
  }
}

/** The forms in which tools, services and their error messages repeat a value. */
function tracesOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    bytes.toString("hex"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
  return [...new Set(forms)].filter((form) => form.length >= LENGTH_MIN);
}

/** `SEQUITUR_SECRET_NAME`, or else the file that `SEQUITUR_SECRETS_FILE` names: a JSON object of names and values. */
function environmentSecrets(): (name: string) => string | undefined {
  let file: Readonly<Record<string, string>> | undefined;
  return (name) => {
    const own = process.env[`SEQUITUR_SECRET_${name}`];
    if (own !== undefined && own !== "") return own;
    const path = process.env.SEQUITUR_SECRETS_FILE;
    if (path === undefined || path === "") return undefined;
    file ??= readSecretsFile(path);
    return Object.hasOwn(file, name) ? file[name] : undefined;
  };
}

/** Messages name the file and never repeat what is in it. */
export function readSecretsFile(path: string): Readonly<Record<string, string>> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const why = error instanceof SyntaxError ? "it is not JSON" : (error as NodeJS.ErrnoException).code;
    throw new SequiturError("SECRETS_UNREADABLE", `The secrets in ${path} cannot be read: ${why}.`);
  }
  if (!isObject(value) || Object.values(value).some((item) => typeof item !== "string")) {
    const message = `The secrets in ${path} must be an object of names and texts: { "NAME": "value" }.`;
    throw new SequiturError("SECRETS_UNREADABLE", message);
  }
  return value as Readonly<Record<string, string>>;
}

/** What a tool has made of an event, without secrets. */
export function scrubEvent(event: RunEvent, secrets: SecretVault): RunEvent {
  switch (event.kind) {
    case "StepSucceeded":
    case "StepSuspended":
      return { ...event, result: secrets.scrub(event.result) };
    case "StepFailed": {
      const { code, message } = event.error;
      return {
        ...event,
        error: { ...event.error, code: secrets.scrub(code), message: secrets.scrub(message) },
      };
    }
    case "ContextSet":
      return { ...event, name: secrets.scrub(event.name), value: secrets.scrub(event.value) };
    case "TextEmitted":
      return { ...event, agent: secrets.scrub(event.agent), text: secrets.scrub(event.text) };
    case "CustomEmitted":
      return { ...event, agent: secrets.scrub(event.agent), event: secrets.scrub(event.event) };
    default:
      return event;
  }
}
