/*
 * Two workers and one server, real processes, killed with SIGKILL at random moments while runs go on.
 * `npm run cluster:killer -- --workers 50 --servers 10 --seed 1`.
 *
 * Every call of a tool begins with a line in a file: its idempotency key and a stamp that no other call has; the stamp is in the
 * result. The laws:
 *
 *   L1  Every run ends right: completed, with the right answer, and every step has been called.
 *   L2  A step whose result is recorded is not called again: of the calls of a step, the recorded one is the one that began last.
 *   L3  No call has a key that is not a step's.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { canonicalJson, type Json, type JsonObject } from "../../src/base/json.ts";
import { seededUnit } from "../../src/base/random.ts";
import { createEngine, type Engine, type RunResult } from "../../src/index.ts";
import { restateCluster } from "../../src/restate.ts";
import { KILLER_PLANS, type KillerPlan } from "../durability/killer-plans.ts";
import { freePorts, type RestateServer, startRestate } from "./server.ts";
import { WorkerProcess } from "./worker-process.ts";

export interface KillerOptions {
  /** SIGKILLs of workers and of the server. */
  readonly workers: number;
  readonly servers: number;
  readonly seed: number;
  readonly onNews?: (news: string) => void;
}

export interface KillerReport {
  readonly runs: number;
  readonly steps: number;
  readonly calls: number;
  /** Calls that were under way when their worker, or the server they answered to, was killed: made again. */
  readonly repeated: number;
  /** Calls by each process that was a worker. */
  readonly processes: number;
}

const TOOLS = `
import { appendFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";

async function act({ n }, { idempotencyKey }) {
  const stamp = randomUUID();
  appendFileSync(process.env.CALLS, idempotencyKey + " " + stamp + " " + process.pid + "\\n");
  await setTimeout(Math.random() * 30);
  return { n: n + 1, stamp };
}

export const effect = act;
export const flaky = (params, context) => {
  if (context.attempt <= params.times) throw new Error("attempt " + context.attempt + " fails");
  return act(params, context);
};
`;

/** Runs that go on side by side. */
const LANES = 6;

export async function kill(options: KillerOptions): Promise<KillerReport> {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-cluster-killer-"));
  const calls = join(folder, "calls.txt");
  writeFileSync(join(folder, "tools.mjs"), TOOLS);
  writeFileSync(calls, "");
  const server = await startRestate();
  const [port = 0] = await freePorts(1);
  const place = { server, folder, port, env: { CALLS: calls } };
  const workers = [new WorkerProcess(place), new WorkerProcess(place)];
  const tools = { effect: () => null, flaky: () => null };
  const store = { sqlite: join(folder, "runs.db"), durability: "relaxed" } as const;
  const engine = await createEngine({ store, cluster: restateCluster(server), tools });
  try {
    await Promise.all(workers.map((worker) => worker.start()));
    const shooting = { isOver: false };
    const victims = Array.from({ length: LANES }, (_, lane) => runOn(engine, lane, shooting));
    await shoot(server, workers, options);
    shooting.isOver = true;
    const ended = (await Promise.all(victims)).flat();
    return judge(ended, readFileSync(calls, "utf8").split("\n").slice(0, -1));
  } finally {
    await engine.close();
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function shoot(
  server: RestateServer,
  workers: readonly WorkerProcess[],
  { workers: workerKills, servers: serverKills, seed, onNews = () => {} }: KillerOptions,
): Promise<void> {
  const total = workerKills + serverKills;
  let served = 0;
  for (let shot = 0; shot < total; shot++) {
    const chance = (salt: number): number => seededUnit(seed, shot, salt);
    await pause(50 + chance(1) * 600);
    // The server's kills are spread among the workers'.
    if (Math.floor(((shot + 1) * serverKills) / total) > served) {
      served++;
      await server.kill();
      onNews(`shot ${shot + 1}: the server`);
      await pause(chance(2) * 500);
      await server.restart();
    } else {
      const worker = workers[chance(3) < 0.5 ? 0 : 1] as WorkerProcess;
      onNews(`shot ${shot + 1}: a worker (${worker.pid})`);
      await worker.end("SIGKILL");
      await worker.start();
    }
  }
}

interface Ended {
  readonly plan: KillerPlan;
  readonly result: RunResult;
}

/** One run after the other, for as long as there is shooting. */
async function runOn(engine: Engine, lane: number, shooting: { isOver: boolean }): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (let i = 0; !shooting.isOver || i === 0; i++) {
    const plan = KILLER_PLANS[(lane + i) % KILLER_PLANS.length] as KillerPlan;
    const run = await startSurely(engine, plan.plan, `run-${lane}-${i}`);
    ended.push({ plan, result: await run.result });
  }
  return ended;
}

/** The server may be down: a start that was not answered is made again, under the same id. */
async function startSurely(engine: Engine, plan: Json, runId: string) {
  for (let tries = 0; ; tries++) {
    try {
      return await engine.start(plan, { runId });
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "RUN_EXISTS" && engine.find(runId) !== undefined) return engine.resume(runId);
      if (tries > 100 || !/^(RESTATE_|RUN_EXISTS|NO_WORKERS)/.test(code ?? "")) throw error;
      await pause(200);
    }
  }
}

function judge(ended: readonly Ended[], lines: readonly string[]): KillerReport {
  const begun = new Map<string, string[]>();
  const processes = new Set<string>();
  for (const line of lines) {
    const [key = "", stamp = "", pid = ""] = line.split(" ");
    begun.set(key, [...(begun.get(key) ?? []), stamp]);
    processes.add(pid);
  }
  const expected = new Set<string>();
  for (const { plan, result } of ended) {
    const answer = withoutStamps(result.response ?? null);
    if (result.status !== "completed" || canonicalJson(answer) !== canonicalJson(plan.response))
      throw broken("L1", `${result.id} is ${result.status} with ${JSON.stringify(answer)}`);
    for (const step of plan.steps) {
      const key = `${result.id}/${step}`;
      expected.add(key);
      const recorded = (result.steps[step]?.result as JsonObject | undefined)?.stamp;
      const stamps = begun.get(key) ?? [];
      if (stamps.length === 0) throw broken("L1", `${key} was never called`);
      if (stamps.at(-1) !== recorded)
        throw broken("L2", `${key} was called again after its result ${String(recorded)}: ${stamps}`);
    }
  }
  for (const key of begun.keys()) if (!expected.has(key)) throw broken("L3", `${key} is no step's`);
  return {
    runs: ended.length,
    steps: expected.size,
    calls: lines.length,
    repeated: lines.length - expected.size,
    processes: processes.size,
  };
}

function withoutStamps(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (key, inner: Json) => (key === "stamp" ? undefined : inner)),
  ) as Json;
}

function broken(law: string, message: string): Error {
  return new Error(`${law} is broken: ${message}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      workers: { type: "string", default: "50" },
      servers: { type: "string", default: "10" },
      seed: { type: "string" },
    },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  say(`seed ${seed}`);
  const before = Date.now();
  const [workers, servers] = [Number(values.workers), Number(values.servers)];
  const report = await kill({ workers, servers, seed, onNews: say });
  say(
    `${workers} workers and ${servers} servers killed, ${report.runs} runs of ${report.steps} steps in all, ${report.calls} calls by ${report.processes} processes, in ${((Date.now() - before) / 1_000).toFixed(0)} s`,
  );
  say(
    `${report.repeated} calls were under way when their worker or the server was killed, and were made again`,
  );
  say("every run ended right; no step was called again once its result was recorded");
  process.exit();
}
