/* `sequitur serve` as users run it: a process of its own, that can be stopped and killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Json } from "../../src/index.ts";

const BIN = fileURLToPath(new URL("../../bin/sequitur.js", import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
  /** What it has written to standard error so far. */
  readonly log: () => string;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ask(query: string, variables?: Json): Promise<any>;
}

/** Rejects with what it said where it does not come up. */
export async function startProcess(folder: string, args: readonly string[] = []): Promise<ServerProcess> {
  const child = spawn(process.execPath, [BIN, "serve", "--port", "0", ...args], { cwd: folder });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = new Promise<number | string>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "?"));
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    ended.then((code) => reject(new Error(`It ended with ${code}: ${log}`)));
  });
  const { origin, searchParams } = new URL(line);
  const token = searchParams.get("token") ?? "";
  const ask = async (query: string, variables: Json = {}) => {
    const response = await fetch(`${origin}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
    });
    return response.json();
  };
  return { url: `${origin}/`, token, child, log: () => log, ended, ask };
}
