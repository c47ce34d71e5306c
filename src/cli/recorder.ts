import { loadRestate } from "./cluster.ts";
import { type Command, EXIT, type ExitCode } from "./command.ts";
import { DB } from "./config.ts";
import type { Console } from "./console.ts";
import { untilStopped } from "./listening.ts";
import { storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { placeOf, placeOptions } from "./worker-place.ts";

const PORT = 9_081;

export const command: Command = {
  operands: "",
  about: [
    "Writes down, in the store, what workers on other machines tell of their runs (sequitur worker --no-store), so that runs,",
    "show and serve see them. One for each store, on the store's machine; while it is down, workers wait with the ends of runs.",
  ].join("\n"),
  options: [...placeOptions(PORT), DB],
  run: record,
};

async function record(parsed: Parsed, console: Console): Promise<ExitCode> {
  const place = placeOf(parsed, PORT);
  const { startRecorder } = await loadRestate();
  const recorder = await startRecorder({
    ...place,
    store: { sqlite: storeFile(parsed, console) },
    onProblem: (message) => console.err(message),
  });
  const stopped = untilStopped(() => recorder.close());
  console.out(`Writing down runs at ${recorder.url}`);
  await stopped;
  return EXIT.ok;
}
