/** What a command has of the world around it: where it writes, what it reads, where it stands. */
export interface Console {
  /** Results. */
  out(text: string): void;
  /** Errors, and everything else that is not the result. */
  err(text: string): void;
  readonly outColor: boolean;
  readonly errColor: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readStdin(): Promise<string>;
}

export function processConsole(): Console {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", endQuietly);
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    outColor: hasColor(process.stdout),
    errColor: hasColor(process.stderr),
    env: process.env,
    folder: process.cwd(),
    readStdin,
  };
}

/** Colour is for terminals whose owner has not declined it (https://no-color.org). */
function hasColor(stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, TERM } = process.env;
  return stream.isTTY === true && (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
}

/** `sequitur graph … | head` closes the pipe early, which is no failure. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

async function readStdin(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  return text;
}
