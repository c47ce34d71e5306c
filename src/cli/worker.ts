import { resolve } from "node:path";
import { loadRestate, RESTATE, restateUrl } from "./cluster.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, DB, FILES, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { loadEnvironment } from "./environment.ts";
import { workerOptions } from "./open-engine.ts";
import { storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";

const PORT = 9_080;

export const command: Command = {
  operands: "",
  about: [
    "Carries out runs that Restate hands to it, and tells the store of them, where runs, show and serve see them. Several",
    "workers of one version can share a machine's port; a new version is started on a port of its own: new runs go there, and",
    "runs under way end where they began. Ctrl-C lets calls end for a while; other workers go on with the rest.",
  ].join("\n"),
  options: [
    RESTATE,
    { name: "port", kind: "value", value: "PORT", about: `${PORT}, if not given; 0 takes a free one` },
    { name: "host", kind: "value", value: "HOST", about: "127.0.0.1, if not given: this machine alone" },
    {
      name: "admin",
      kind: "value",
      value: "URL",
      about: "Restate's administration; port 9070 of the same host, if not given",
    },
    {
      name: "advertise",
      kind: "value",
      value: "URL",
      about: "where Restate reaches the workers, if not at that host and port: a load balancer",
    },
    {
      name: "blobs",
      kind: "value",
      value: "DIR",
      about: "values above 1 MiB; a folder beside the store, if not given; the same for all workers",
    },
    {
      name: "rebuild",
      kind: "flag",
      about: "first put every run into the store that Restate has a journal of",
    },
    DB,
    TOOLS,
    AGENTS,
    FILES,
  ],
  run: work,
};

async function work(parsed: Parsed, console: Console): Promise<ExitCode> {
  if (parsed.operands.length > 0) throw new UsageError(`worker takes no operand: "${parsed.operands[0]}".`);
  const url = restateUrl(parsed, "restate");
  if (url === undefined) throw new UsageError("Which Restate server? --restate http://127.0.0.1:8080");
  const port = portOf(parsed);
  const adminUrl = restateUrl(parsed, "admin");
  const workerUrl = restateUrl(parsed, "advertise");
  const host = parsed.value("host");
  const blobs = parsed.value("blobs");
  const [{ startWorker }, environment] = await Promise.all([loadRestate(), loadEnvironment(parsed, console)]);
  const worker = await startWorker({
    ...workerOptions(environment),
    url,
    port,
    store: { sqlite: await storeFile(parsed, console) },
    ...(adminUrl !== undefined && { adminUrl }),
    ...(workerUrl !== undefined && { workerUrl }),
    ...(host !== undefined && { host }),
    rebuilds: parsed.flag("rebuild"),
    ...(blobs !== undefined && { blobs: resolve(console.folder, blobs) }),
    onProblem: (message) => console.err(message),
  });
  const stopped = untilStopped(() => worker.close());
  console.out(`Waiting for runs at ${worker.url}`);
  await stopped;
  return EXIT.ok;
}

function portOf(parsed: Parsed): number {
  const port = parsed.value("port") ?? String(PORT);
  if (/^\d+$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new UsageError(`--port is a number from 0 to 65535, not "${port}".`);
}

/** The first signal asks for the end, the second one is the end. */
function untilStopped(close: () => Promise<void>): Promise<void> {
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
