/* Where a worker or a recorder listens, and how Restate finds it there. */
import { restateUrl } from "./cluster.ts";
import { portOf } from "./listening.ts";
import type { OptionSpec, Parsed } from "./options.ts";

export const HOST: OptionSpec = {
  name: "host",
  kind: "value",
  value: "HOST",
  about: "127.0.0.1, if not given: this machine alone",
};
export const ADMIN: OptionSpec = {
  name: "admin",
  kind: "value",
  value: "URL",
  about: "Restate's administration; port 9070 of the same host, if not given",
};
export const ADVERTISE: OptionSpec = {
  name: "advertise",
  kind: "value",
  value: "URL",
  about: "where Restate reaches it, if not at that host and port: a load balancer",
};

interface ListenOptions {
  readonly port: number;
  readonly host?: string;
  readonly adminUrl?: string;
  readonly workerUrl?: string;
}

export function listenOptions(parsed: Parsed, usualPort: number): ListenOptions {
  const host = parsed.value("host");
  const adminUrl = restateUrl(parsed, "admin");
  const workerUrl = restateUrl(parsed, "advertise");
  return {
    port: portOf(parsed, "port") ?? usualPort,
    ...(host !== undefined && { host }),
    ...(adminUrl !== undefined && { adminUrl }),
    ...(workerUrl !== undefined && { workerUrl }),
  };
}
