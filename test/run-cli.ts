import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../bin/sequitur.js", import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A new folder with these files; what is not a string is written as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-"));
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
  return folder;
}

/** Runs `sequitur` as a user does, in a process of its own. */
export async function sequitur(
  folder: string,
  args: readonly string[],
  { stdin = "", env = {} }: { readonly stdin?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CliResult> {
  const started = startSequitur(folder, args, env);
  started.child.stdin.end(stdin);
  return started.result;
}

export interface StartedCli {
  readonly child: ChildProcessWithoutNullStreams;
  readonly result: Promise<CliResult>;
  /** Resolves once this has been printed, on either stream. */
  printed(text: string): Promise<void>;
}

/** A process that goes on while the test does something to it. */
export function startSequitur(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): StartedCli {
  return start(spawn(process.execPath, [BIN, ...args], { cwd: folder, env: { ...process.env, ...env } }));
}

function start(child: ChildProcessWithoutNullStreams): StartedCli {
  const texts = { out: "", err: "" };
  const waiting = new Set<() => void>();
  const collect = (stream: NodeJS.ReadableStream, name: keyof typeof texts): void => {
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      texts[name] += chunk;
      for (const look of waiting) look();
    });
  };
  collect(child.stdout, "out");
  collect(child.stderr, "err");
  const result = new Promise<CliResult>((resolve) =>
    child.on("close", (code) => resolve({ code, ...texts })),
  );
  const printed = (text: string): Promise<void> => {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!texts.out.includes(text) && !texts.err.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      result.then(() => reject(new Error(`It ended before it printed ${text}: ${texts.out}${texts.err}`)));
      look();
    });
  };
  return { child, result, printed };
}

/** `script` of util-linux gives a process a terminal. */
export const hasTerminals = spawnSync("script", ["--version"]).stdout?.includes("util-linux") === true;

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, each as soon as what stands before it has been shown. */
  readonly typed?: readonly (readonly [shown: string, keys: string])[];
}

/** Runs `sequitur` in a terminal; `out` is everything that was shown, with all its codes. */
export async function sequiturInTerminal(
  folder: string,
  args: readonly string[],
  { columns = 80, rows = 24, env = {}, typed = [] }: TerminalOptions = {},
): Promise<CliResult> {
  const words = [process.execPath, BIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const line = `stty cols ${columns} rows ${rows}; exec ${words.join(" ")}`;
  const { NO_COLOR: _noColor, ...inherited } = process.env;
  const started = start(
    spawn("script", ["-qec", line, "/dev/null"], {
      cwd: folder,
      env: { ...inherited, TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
    }),
  );
  for (const [shown, keys] of typed) {
    await started.printed(shown);
    started.child.stdin.write(keys);
  }
  const result = await started.result;
  started.child.stdin.destroy();
  return result;
}
