/* What the commands that stay have in common: where they listen, and how they end. */
import { EXIT, UsageError } from "./command.ts";
import type { OptionSpec, Parsed } from "./options.ts";

export const HOST: OptionSpec = {
  name: "host",
  kind: "value",
  value: "HOST",
  about: "127.0.0.1, if not given: this machine alone",
};

export function portOption(usual: number): OptionSpec {
  return { name: "port", kind: "value", value: "PORT", about: `${usual}, if not given; 0 takes a free one` };
}

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
