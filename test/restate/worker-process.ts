/* Workers as people start them: processes of the command line. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { RestateServer } from "./server.ts";

const BIN = fileURLToPath(new URL("../../bin/sequitur.js", import.meta.url));

export interface WorkerPlace {
  readonly server: Pick<RestateServer, "url" | "adminUrl">;
  /** With `tools.mjs` and the store. */
  readonly folder: string;
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
}

export class WorkerProcess {
  readonly #place: WorkerPlace;
  #child: ChildProcess | undefined;
  #said = "";

  constructor(place: WorkerPlace) {
    this.#place = place;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Everything that it has printed so far. */
  get said(): string {
    return this.#said;
  }

  /** Resolves when Restate knows of it. */
  async start(): Promise<void> {
    const { server, folder, port, env } = this.#place;
    const { url, adminUrl } = server;
    const where = ["--restate", url, "--admin", adminUrl, "--port", String(port)];
    const child = spawn(
      process.execPath,
      [BIN, "worker", ...where, "--db", "runs.db", "--tools", "tools.mjs"],
      {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      const hear = (chunk: unknown): void => {
        this.#said += String(chunk);
        if (this.#said.includes("Waiting for runs")) resolve();
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.on("exit", (code, signal) => {
        if (signal === "SIGKILL") resolve();
        else reject(new Error(`The worker ended (${code ?? signal}):\n${this.#said}`));
      });
    });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  }
}
