import { readFile, stat } from "node:fs/promises";
import { SequiturError } from "../../base/error.ts";
import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import type { HttpClient } from "../core/core-agent.ts";

const BYTES_MAX = 20 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface OpenDocument {
  readonly document: JsonObject;
  /** Where it came from, if that is an address: what it says of servers may be meant from there. */
  readonly url: URL | undefined;
}

/** Reads an OpenAPI document; `http` may call the host that it is at, and no other. */
export async function openDocument(
  name: string,
  given: string | JsonObject,
  http: (host: string) => Promise<HttpClient>,
): Promise<OpenDocument> {
  if (isObject(given)) return { document: checked(name, given), url: undefined };
  const url = /^https?:\/\//.test(given) ? new URL(given) : undefined;
  const text =
    url === undefined ? await fileText(name, given) : await fetchedText(name, url, await http(url.host));
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw refusal(name, `${given} is not JSON. A document in YAML has to be converted first.`);
  }
  return { document: checked(name, document), url };
}

async function fileText(name: string, path: string): Promise<string> {
  try {
    if ((await stat(path)).size > BYTES_MAX) throw new Error(`it has more than ${BYTES_MAX} bytes`);
    return await readFile(path, "utf8");
  } catch (error) {
    throw refusal(name, `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function fetchedText(name: string, url: URL, http: HttpClient): Promise<string> {
  const response = await http
    .send({
      method: "GET",
      url,
      headers: new Map([["accept", "application/json"]]),
      body: undefined,
      timeoutMs: TIMEOUT_MS,
      redirectsMax: 3,
      signal: new AbortController().signal,
    })
    .catch((error: Error) => {
      throw refusal(name, error.message);
    });
  if (response.status !== 200) throw refusal(name, `${url.host} answered with status ${response.status}.`);
  return new TextDecoder().decode(response.body);
}

function checked(name: string, document: unknown): JsonObject {
  if (!isObject(document) || !isObject(document.paths as Json))
    throw refusal(name, `the document has no "paths": is it an OpenAPI document?`);
  if (typeof document.openapi !== "string" || !/^3\.[01]\./.test(document.openapi))
    throw refusal(
      name,
      `the document must be OpenAPI 3.0 or 3.1, not ${JSON.stringify(document.openapi ?? document.swagger ?? null)}.`,
    );
  return document;
}

function refusal(name: string, why: string): SequiturError {
  return new SequiturError("INVALID_OPTION", `openapi.${name}: ${why}`);
}

/** What `{ "$ref": "#/…" }` stands for, through as many as there are; what leads nowhere is undefined. */
export function resolved(document: JsonObject, value: Json | undefined): JsonObject | undefined {
  let at: Json | undefined = value;
  for (let hops = 0; hops < 32; hops++) {
    if (!isObject(at)) return undefined;
    if (typeof at.$ref !== "string") return at;
    at = pointed(document, at.$ref);
  }
  return undefined;
}

export function pointed(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let at: Json | undefined = document;
  for (const part of reference.slice(2).split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isObject(at) && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }
  return at;
}
