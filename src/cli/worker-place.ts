/* Where a worker or a recorder listens, and how Restate finds it there. */
import { RESTATE, restateUrl } from "./cluster.ts";
import { UsageError } from "./command.ts";
import { HOST, portOf, portOption } from "./listening.ts";
import type { OptionSpec, Parsed } from "./options.ts";

const ADMIN: OptionSpec = {
  name: "admin",
  kind: "value",
  value: "URL",
  about: "Restate's administration; port 9070 of the same host, if not given",
};
const ADVERTISE: OptionSpec = {
  name: "advertise",
  kind: "value",
  value: "URL",
  about: "where Restate reaches it, if not at that host and port: a load balancer",
};

export function placeOptions(usualPort: number): readonly OptionSpec[] {
  return [RESTATE, portOption(usualPort), HOST, ADMIN, ADVERTISE];
}

interface Place {
  /** Restate's own address. */
  readonly url: string;
  readonly port: number;
  readonly host?: string;
  readonly adminUrl?: string;
  readonly workerUrl?: string;
}

export function placeOf(parsed: Parsed, usualPort: number): Place {
  const url = restateUrl(parsed, "restate");
  if (url === undefined) throw new UsageError("Which Restate server? --restate http://127.0.0.1:8080");
  const host = parsed.value("host");
  const adminUrl = restateUrl(parsed, "admin");
  const workerUrl = restateUrl(parsed, "advertise");
  return {
    url,
    port: portOf(parsed, "port") ?? usualPort,
    ...(host !== undefined && { host }),
    ...(adminUrl !== undefined && { adminUrl }),
    ...(workerUrl !== undefined && { workerUrl }),
  };
}
