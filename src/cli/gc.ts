import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { DB } from "./config.ts";
import type { Console } from "./console.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import { findStore } from "./open-store.ts";
import type { Parsed } from "./options.ts";

export const command: Command = {
  operands: "",
  about:
    "Removes runs that ended long ago, with everything recorded of them, and definitions that no run uses any more.",
  options: [
    {
      name: "older-than",
      kind: "value",
      value: "TIME",
      about: "how long ago they ended: 30d, 12h, 90min, 0s for all",
    },
    DB,
  ],
  run: gc,
};

async function gc(parsed: Parsed, console: Console): Promise<ExitCode> {
  const text = parsed.value("older-than");
  if (text === undefined) throw new UsageError("How old? Say --older-than 30d, or 12h, or 90min.");
  const ageMs = parseDuration(text);
  if (ageMs === undefined)
    throw new UsageError(`--older-than takes a time such as 30d, 12h or 90min, not "${text}".`);
  const store = await findStore(parsed, console);
  const count = store?.driver.forget(Date.now() - ageMs) ?? 0;
  store?.driver.close();
  const runs = count === 1 ? "1 run" : `${count} runs`;
  console.out(`Removed ${runs} that ended more than ${formatDuration(ageMs)} ago.`);
  return EXIT.ok;
}
