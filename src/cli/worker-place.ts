/* Where a worker or a recorder listens, how Restate finds it there, and how it ends. */
import { restateUrl } from "./cluster.ts";
import { EXIT, UsageError } from "./command.ts";
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
  const port = parsed.value("port") ?? String(usualPort);
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port is a number from 0 to 65535, not "${port}".`);
  const host = parsed.value("host");
  const adminUrl = restateUrl(parsed, "admin");
  const workerUrl = restateUrl(parsed, "advertise");
  return {
    port: Number(port),
    ...(host !== undefined && { host }),
    ...(adminUrl !== undefined && { adminUrl }),
    ...(workerUrl !== undefined && { workerUrl }),
  };
}

/** The first signal asks for the end, the second one is the end. */
export function untilStopped(close: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(EXIT.cancelled);
      asked = true;
      close().then(resolve, reject);
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}
