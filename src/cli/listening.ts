/* What the commands that stay have in common: where they listen, and how they end. */
import { EXIT, UsageError } from "./command.ts";
import type { Parsed } from "./options.ts";

const PORT_MAX = 65_535;

/** The port that an option names; undefined where it is not given. */
export function portOf(parsed: Parsed, option: string): number | undefined {
  const port = parsed.value(option);
  if (port === undefined) return undefined;
  if (/^\d+$/.test(port) && Number(port) <= PORT_MAX) return Number(port);
  throw new UsageError(`--${option} is a number from 0 to ${PORT_MAX}, not "${port}".`);
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
