import { isObject, type JsonObject } from "../../base/json.ts";
import { refuse } from "../core/refuse.ts";
import type { Settings } from "../settings.ts";
import type { OpenApiConfig } from "./api-config.ts";
import { resolved } from "./document.ts";
import type { Operation } from "./operations.ts";
import type { RequestParts } from "./request.ts";

/** Puts one credential where its scheme wants it. */
type Apply = (parts: RequestParts) => void;

/** The credentials of an API, by the names of its security schemes. They are looked up once, and never recorded. */
export class Credentials {
  readonly #schemes = new Map<string, Apply>();
  readonly #headers: readonly (readonly [string, string])[];

  constructor(
    document: JsonObject,
    { secrets = {}, headers = {} }: OpenApiConfig,
    settings: Settings,
    report: (message: string) => void,
  ) {
    const components = isObject(document.components) ? document.components : {};
    const declared = isObject(components.securitySchemes) ? components.securitySchemes : {};
    for (const [name, setting] of Object.entries(secrets)) {
      const apply = applyOf(resolved(document, declared[name]), settings.value(name, setting, true));
      if (apply !== undefined) this.#schemes.set(name, apply);
      else
        report(
          `The document has no security scheme "${name}". It has: ${Object.keys(declared).join(", ") || "none"}.`,
        );
    }
    this.#headers = Object.entries(headers).map(
      ([name, setting]) => [name.toLowerCase(), settings.value(name, setting, true)] as const,
    );
  }

  /** Adds what the operation needs: the first alternative for which there is everything. */
  addTo(parts: RequestParts, { name, security }: Operation): void {
    for (const [header, value] of this.#headers) parts.headers.set(header, value);
    if (security.length === 0) return;
    const chosen = security.find((schemes) => schemes.every((scheme) => this.#schemes.has(scheme)));
    if (chosen === undefined) {
      // Who sends a header of their own may know better.
      if (this.#headers.length > 0) return;
      const wanted = security.map((schemes) => schemes.join(" and ")).join(", or ");
      throw refuse("MISSING_CREDENTIAL", `"${name}" needs credentials: give "secrets" with ${wanted}.`);
    }
    for (const scheme of chosen) this.#schemes.get(scheme)?.(parts);
  }
}

function applyOf(scheme: JsonObject | undefined, value: string): Apply | undefined {
  if (scheme === undefined) return undefined;
  const { type, name, in: place } = scheme;
  if (type === "apiKey" && typeof name === "string") {
    if (place === "query") return ({ url }) => url.searchParams.set(name, value);
    if (place === "header") return ({ headers }) => void headers.set(name.toLowerCase(), value);
    return ({ headers }) => {
      const others = headers.get("cookie");
      headers.set(
        "cookie",
        `${others === undefined ? "" : `${others}; `}${name}=${encodeURIComponent(value)}`,
      );
    };
  }
  const isBasic = type === "http" && String(scheme.scheme).toLowerCase() === "basic";
  const header = isBasic ? `Basic ${Buffer.from(value).toString("base64")}` : `Bearer ${value}`;
  return ({ headers }) => void headers.set("authorization", header);
}
