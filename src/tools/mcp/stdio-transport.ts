/*
 * A program that speaks MCP on its standard streams. The SDK has such a transport too; this one has limits.
 *
 * I1  At most one message of `bytesMax` is held. A larger one is not read; the call that it answers fails, and no other.
 * I2  A line without an end, and a flood of lines, end the program.
 * I3  Of what the program writes to its standard error, the last few lines are kept, to say why it ended.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { BoundedLines, type LongLine } from "./bounded-lines.ts";
import { tooLarge } from "./oversize.ts";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

/** What a program needs of the environment to start at all; everything else it is given on purpose. */
const INHERITED =
  process.platform === "win32"
    ? [
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "USERNAME",
        "USERPROFILE",
      ]
    : ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"];
const STDERR_LINES = 20;
const STDERR_LINE_BYTES = 1_000;
/** A line may be so many times too long before its sender is given up. */
const PATIENCE = 16;
/** Lines that are read before others have a turn. */
const LINES_A_TURN = 200;
const GRACE_MS = 2_000;

export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly lastWords: string[] = [];
  readonly #program: Program;
  readonly #bytesMax: number;
  #child: ChildProcess | undefined;
  #gone = false;

  constructor(program: Program, bytesMax: number) {
    this.#program = program;
    this.#bytesMax = bytesMax;
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#program;
    const inherited = Object.fromEntries(INHERITED.flatMap((name) => entryOf(name)));
    const child = spawn(command, [...args], {
      env: { ...inherited, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
      // Ctrl-C is for us: it decides what becomes of the calls under way.
      detached: process.platform !== "win32",
      ...(cwd !== undefined && { cwd }),
    });
    this.#child = child;
    child.stdin.on("error", (error) => this.onerror?.(error));
    this.#read(child.stdout).catch((error: Error) => this.onerror?.(error));
    this.#listen(child.stderr).catch(() => {});
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        reject(error);
        this.#end();
      });
      child.once("close", () => this.#end());
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#gone || stdin === null || stdin === undefined || !stdin.writable)
      throw new Error("The program has ended.");
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Asks the program to end by closing its input, then less politely. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#gone) return;
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await within(GRACE_MS, ended)) return;
      child.kill(signal);
    }
    await within(GRACE_MS, ended);
    this.#end();
  }

  async #read(stdout: NodeJS.ReadableStream): Promise<void> {
    const lines = new BoundedLines(this.#bytesMax);
    let turn = 0;
    for await (const chunk of stdout) {
      for (const line of lines.push(chunk as Buffer)) {
        this.#receive(line);
        if (++turn % LINES_A_TURN === 0) await new Promise(setImmediate);
      }
      if (lines.pending > this.#bytesMax * PATIENCE) {
        this.#giveUp(`It sent more than ${this.#bytesMax * PATIENCE} bytes without an end of line.`);
        return;
      }
    }
  }

  #receive(line: string | LongLine): void {
    if (this.#gone) return;
    if (typeof line !== "string") {
      const answer = tooLarge(line, this.#bytesMax);
      if (answer === undefined) this.#giveUp(`It sent a message of ${line.bytes} bytes.`);
      else this.onmessage?.(answer);
      return;
    }
    if (line.trim() === "") return;
    try {
      this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    } catch {
      // Programs print banners; what is no message is for people.
      this.#note(line);
    }
  }

  #giveUp(why: string): void {
    this.#note(why);
    this.onerror?.(new Error(why));
    this.#child?.kill("SIGKILL");
  }

  async #listen(stderr: NodeJS.ReadableStream): Promise<void> {
    const lines = new BoundedLines(STDERR_LINE_BYTES);
    for await (const chunk of stderr) {
      for (const line of lines.push(chunk as Buffer))
        this.#note(typeof line === "string" ? line : `${line.head}…`);
    }
  }

  #note(line: string): void {
    if (line.trim() === "") return;
    const cut = line.slice(0, STDERR_LINE_BYTES);
    this.lastWords.push(cut);
    if (this.lastWords.length > STDERR_LINES) this.lastWords.shift();
  }

  #end(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.onclose?.();
  }
}

function entryOf(name: string): [string, string][] {
  const value = process.env[name];
  // Functions that shells export are code.
  return value === undefined || value.startsWith("()") ? [] : [[name, value]];
}

/** Whether it came to pass in that time. */
async function within(ms: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return done;
}
