/*
 * Many clients, a server that is killed and started again meanwhile, and clients that try again with their idempotency keys:
 * as many runs as were asked for, each once, none lost. `npm run load` prints times and memory; the test suite runs it small.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TokenRegistry } from "../src/server/token-registry.ts";

export interface LoadOptions {
  readonly runs: number;
  readonly clients: number;
  readonly kills: number;
}

export interface LoadReport {
  readonly seconds: number;
  readonly runsPerSecond: number;
  /** From the first attempt to the answer, in milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly retries: number;
  /** Of the server's processes, in MB; 0 where the system does not say. */
  readonly peakMemoryMb: number;
  /** What the store holds in the end. */
  readonly stored: { readonly runs: number; readonly completed: number; readonly keys: number };
  /** Clients whose answer was not theirs. */
  readonly wrong: number;
}

const BIN = fileURLToPath(new URL("../bin/sequitur.js", import.meta.url));
const TOOLS = `export const twice = ({ n }) => ({ n: 2 * n });\n`;
const QUERY = `mutation($plan: PlanInput!, $key: String) { executePlan(plan: $plan, idempotencyKey: $key) { results { data } } }`;
const RETRY_MS = 20;
const DAY_MS = 86_400_000;

export async function load(options: LoadOptions): Promise<LoadReport> {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-load-"));
  writeFileSync(join(folder, "tools.mjs"), TOOLS);
  const db = join(folder, "runs.db");
  const { text: token } = await new TokenRegistry(db).issue(
    { subject: "load", scopes: ["plans:run:*"] },
    DAY_MS,
  );
  const server = new Server(folder, db, await freePort());
  try {
    await server.start();
    const measured = await drive(options, server, token);
    await server.stop();
    return { ...measured, peakMemoryMb: Math.round(server.peakBytes / 1e6), stored: countStored(db) };
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Server {
  readonly port: number;
  peakBytes = 0;
  readonly #folder: string;
  readonly #db: string;
  #child: ChildProcess | undefined;

  constructor(folder: string, db: string, port: number) {
    this.#folder = folder;
    this.#db = db;
    this.port = port;
  }

  async start(): Promise<void> {
    const args = [
      "serve",
      "--port",
      String(this.port),
      "--db",
      this.#db,
      "--tools",
      "tools.mjs",
      "--log",
      "warn",
    ];
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: this.#folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      createInterface(child.stdout).once("line", () => resolve());
      child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
    });
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  stop(): Promise<void> {
    return this.#end("SIGTERM");
  }

  #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve();
    this.peakBytes = Math.max(this.peakBytes, peakOf(child.pid));
    return new Promise((resolve) => {
      child.once("exit", () => resolve());
      child.kill(signal);
    });
  }
}

/** The most memory that a process has had so far, where /proc says so. */
function peakOf(pid: number): number {
  try {
    const [, kilobytes = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

async function drive({ runs, clients, kills }: LoadOptions, server: Server, token: string) {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const killAt = Array.from({ length: kills }, (_, i) => Math.round((runs * (i + 1)) / (kills + 1)));
  let next = 0;
  let retries = 0;
  let wrong = 0;
  let restarting: Promise<void> = Promise.resolve();
  const begin = performance.now();
  const client = async (): Promise<void> => {
    for (let n = next++; n < runs; n = next++) {
      const from = performance.now();
      for (;;) {
        const answer = await ask(server.port, agent, token, n);
        if (answer !== undefined) {
          if (answer !== 4 * n) wrong++;
          break;
        }
        retries++;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
      times.push(performance.now() - from);
      if (times.length === killAt[0]) {
        killAt.shift();
        restarting = restarting.then(async () => {
          await server.kill();
          await server.start();
        });
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await restarting;
  const seconds = (performance.now() - begin) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);
  return {
    seconds,
    runsPerSecond: Math.round(runs / seconds),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    retries,
    wrong,
  };
}

/** Four times the number, by two steps; undefined where the client has to try again. */
function ask(port: number, agent: Agent, token: string, n: number): Promise<number | undefined> {
  const steps = [
    { tool: "twice", params: { n } },
    { tool: "twice", params: { n: "${step[0].data.n}" } },
  ];
  const body = JSON.stringify({ query: QUERY, variables: { plan: { steps }, key: `run-${n}` } });
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        host: "127.0.0.1",
        path: "/graphql",
        method: "POST",
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve(resultIn(text)));
        response.on("error", () => resolve(undefined));
        response.on("aborted", () => resolve(undefined));
      },
    );
    sent.on("error", () => resolve(undefined));
    sent.end(body);
  });
}

function resultIn(text: string): number | undefined {
  try {
    return JSON.parse(text).data.executePlan.results[1].data.n;
  } catch {
    return undefined;
  }
}

/** Read from the file itself, not from what the server says of it. */
function countStored(db: string): LoadReport["stored"] {
  const database = new DatabaseSync(db, { readOnly: true });
  const count = (sql: string): number => Number(database.prepare(sql).get()?.count);
  const stored = {
    runs: count("SELECT count(*) AS count FROM runs"),
    completed: count("SELECT count(*) AS count FROM runs WHERE status = 'completed'"),
    keys: count("SELECT count(DISTINCT run) AS count FROM idempotency_keys"),
  };
  database.close();
  return stored;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "10000" },
      clients: { type: "string", default: "200" },
      kills: { type: "string", default: "3" },
    },
  });
  const options = { runs: Number(values.runs), clients: Number(values.clients), kills: Number(values.kills) };
  const report = await load(options);
  process.stdout.write(`${JSON.stringify({ ...options, ...report }, null, 2)}\n`);
  const { stored, wrong } = report;
  const isRight = stored.runs === options.runs && stored.completed === options.runs && wrong === 0;
  process.exitCode = isRight ? 0 : 1;
}
