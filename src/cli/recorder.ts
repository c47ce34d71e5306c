import { loadRestate, RESTATE, restateUrl } from "./cluster.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { DB } from "./config.ts";
import type { Console } from "./console.ts";
import { untilStopped } from "./listening.ts";
import { storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { ADMIN, ADVERTISE, HOST, listenOptions } from "./worker-place.ts";

const PORT = 9_081;

export const command: Command = {
  operands: "",
  about: [
    "Writes down, in the store, what workers on other machines tell of their runs (sequitur worker --no-store), so that runs,",
    "show and serve see them. One for each store, on the store's machine; while it is down, workers wait with the ends of runs.",
  ].join("\n"),
  options: [
    RESTATE,
    { name: "port", kind: "value", value: "PORT", about: `${PORT}, if not given; 0 takes a free one` },
    HOST,
    ADMIN,
    ADVERTISE,
    DB,
  ],
  run: record,
};

async function record(parsed: Parsed, console: Console): Promise<ExitCode> {
  if (parsed.operands.length > 0) throw new UsageError(`recorder takes no operand: "${parsed.operands[0]}".`);
  const url = restateUrl(parsed, "restate");
  if (url === undefined) throw new UsageError("Which Restate server? --restate http://127.0.0.1:8080");
  const place = listenOptions(parsed, PORT);
  const { startRecorder } = await loadRestate();
  const recorder = await startRecorder({
    ...place,
    url,
    store: { sqlite: await storeFile(parsed, console) },
    onProblem: (message) => console.err(message),
  });
  const stopped = untilStopped(() => recorder.close());
  console.out(`Writing down runs at ${recorder.url}`);
  await stopped;
  return EXIT.ok;
}
