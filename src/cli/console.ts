/** What a command has of the world around it: where it writes, what it reads, where it stands. */
export interface Console {
  /** Results. */
  out(text: string): void;
  /** Errors, and everything else that is not the result. */
  err(text: string): void;
  readonly outColor: boolean;
  readonly errColor: boolean;
  /** Standard output and standard error, where they are terminals. */
  readonly outScreen: Screen | undefined;
  readonly errScreen: Screen | undefined;
  /** A person can be asked. */
  readonly inIsTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readStdin(): Promise<string>;
  /** What others print, such as tools, goes to `take` until the returned function is called. */
  divert(take: (text: string, stream: StreamName) => void): () => void;
}

export type StreamName = "out" | "err";

/** A terminal. Its size may change. */
export interface Screen {
  readonly stream: StreamName;
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
  /** Understands the codes that move the cursor. */
  readonly canRedraw: boolean;
  write(text: string): void;
}

export function processConsole(): Console {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", endQuietly);
  // Taken now: `divert` puts others in their place.
  const write = {
    out: process.stdout.write.bind(process.stdout),
    err: process.stderr.write.bind(process.stderr),
  };
  return {
    out: (text) => void write.out(`${text}\n`),
    err: (text) => void write.err(`${text}\n`),
    outColor: hasColor(process.stdout),
    errColor: hasColor(process.stderr),
    outScreen: screenOf("out", process.stdout, write.out),
    errScreen: screenOf("err", process.stderr, write.err),
    // Not before somebody asks: the first look at standard input loads all that reading it would take.
    get inIsTerminal() {
      return process.stdin.isTTY === true;
    },
    env: process.env,
    folder: process.cwd(),
    readStdin,
    divert,
  };
}

function screenOf(
  name: StreamName,
  stream: NodeJS.WriteStream,
  write: (text: string) => boolean,
): Screen | undefined {
  if (stream.isTTY !== true) return undefined;
  return {
    stream: name,
    // A terminal that does not know its size says 0.
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
    color: hasColor(stream),
    canRedraw: process.env.TERM !== "dumb",
    write: (text) => void write(text),
  };
}

function divert(take: (text: string, stream: StreamName) => void): () => void {
  const restores = (
    [
      ["out", process.stdout],
      ["err", process.stderr],
    ] as const
  ).map(([name, stream]) => {
    const { write } = stream;
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      take(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"), name);
      const written = rest.find((argument) => typeof argument === "function");
      if (written !== undefined) process.nextTick(written as () => void);
      return true;
    };
    return () => {
      stream.write = write;
    };
  });
  return () => {
    for (const restore of restores) restore();
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
