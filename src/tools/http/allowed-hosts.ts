import { SequiturError } from "../../base/error.ts";

interface AllowedHost {
  readonly matches: (host: string) => boolean;
  /** Undefined: every port. */
  readonly port: string | undefined;
}

/** The hosts that may be called: `api.example.com`, `api.example.com:8443`, `*.example.com` (what lies below it), or `*`. */
export class AllowedHosts {
  readonly #hosts: readonly AllowedHost[];

  constructor(allow: readonly string[]) {
    this.#hosts = allow.map(readHost);
  }

  allows(url: URL): boolean {
    const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
    const host = hostOf(url);
    return this.#hosts.some((allowed) => allowed.matches(host) && (allowed.port ?? port) === port);
  }

  /** Is this very address in the list? */
  names(address: string): boolean {
    const host = address.includes(":") ? `[${address}]` : address;
    const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
    return (
      url !== undefined &&
      this.#hosts.some((allowed) => allowed.matches !== anyHost && allowed.matches(hostOf(url)))
    );
  }
}

const anyHost = (): boolean => true;

function readHost(entry: string): AllowedHost {
  if (entry === "*") return { matches: anyHost, port: undefined };
  const isBelow = entry.startsWith("*.");
  const text = isBelow ? entry.slice(2) : entry;
  const url = URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`) : undefined;
  const isHost =
    url !== undefined && url.pathname === "/" && url.username === "" && url.search === "" && url.hash === "";
  if (!isHost || text === "" || text.includes("*") || text.includes("/")) {
    throw new SequiturError(
      "INVALID_OPTION",
      `"${entry}" in http.allow is not a host; write "api.example.com", "api.example.com:8443", "*.example.com" or "*".`,
    );
  }
  const host = hostOf(url);
  const port = /:(\d+)$/.exec(text)?.[1];
  return {
    matches: isBelow ? (other) => other.endsWith(`.${host}`) : (other) => other === host,
    port: port === undefined ? undefined : String(Number(port)),
  };
}

/** As the URL parser spells it: lower case, IDNA, addresses in their usual form; without the dot of a full domain name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}
