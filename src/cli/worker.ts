import { resolve } from "node:path";
import { loadRestate } from "./cluster.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, DB, FILES, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { loadEnvironment } from "./environment.ts";
import { untilStopped } from "./listening.ts";
import { workerOptions } from "./open-engine.ts";
import { storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { placeOf, placeOptions } from "./worker-place.ts";

const PORT = 9_080;

export const command: Command = {
  operands: "",
  about: [
    "Carries out runs that Restate hands to it, and tells the store of them, where runs, show and serve see them. Several",
    "workers of one version can share a machine's port; a new version is started on a port of its own: new runs go there, and",
    "runs under way end where they began. Ctrl-C lets calls end for a while; other workers go on with the rest.",
  ].join("\n"),
  options: [
    ...placeOptions(PORT),
    {
      name: "blobs",
      kind: "value",
      value: "DIR",
      about: "values above 1 MiB; a folder beside the store, if not given; the same for all workers",
    },
    {
      name: "rebuild",
      kind: "flag",
      about: "put every run into the store that Restate has a journal of, for a store that was lost",
    },
    {
      name: "no-store",
      kind: "flag",
      about: "the store is on another machine, where sequitur recorder writes to it; needs --blobs",
    },
    DB,
    TOOLS,
    AGENTS,
    FILES,
  ],
  run: work,
};

async function work(parsed: Parsed, console: Console): Promise<ExitCode> {
  const place = placeOf(parsed, PORT);
  const blobs = parsed.value("blobs");
  const hasStore = !parsed.flag("no-store");
  if (!hasStore && blobs === undefined)
    throw new UsageError("--no-store needs --blobs DIR, a folder that all workers see.");
  if (!hasStore && parsed.flag("rebuild"))
    throw new UsageError("--rebuild is for a worker beside the store, without --no-store.");
  const [{ startWorker }, environment] = await Promise.all([loadRestate(), loadEnvironment(parsed, console)]);
  const worker = await startWorker({
    ...workerOptions(environment),
    ...place,
    rebuilds: parsed.flag("rebuild"),
    ...(hasStore && { store: { sqlite: storeFile(parsed, console) } }),
    ...(blobs !== undefined && { blobs: resolve(console.folder, blobs) }),
    onProblem: (message) => console.err(message),
  });
  const stopped = untilStopped(() => worker.close());
  console.out(`Waiting for runs at ${worker.url}`);
  await stopped;
  return EXIT.ok;
}
