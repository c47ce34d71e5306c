/*
 * What a cluster of one server and one worker does on this machine. `npm run bench:cluster -- throughput|starvation|map`, with
 * --runs, --steps, --plans, --items for other sizes. Everything is bounded, and listens on loopback only.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEndpointHandler, type WorkflowContext, workflow } from "@restatedev/restate-sdk";
import type { Json } from "../src/base/json.ts";
import { register } from "../src/drivers/restate/registration.ts";
import { RUN_SERVICE, type RunInput } from "../src/drivers/restate/wire.ts";
import { createEngine, type Engine, type Tool } from "../src/index.ts";
import { type Cluster, restateCluster, startWorker } from "../src/restate.ts";
import { type RestateServer, startRestate } from "../test/restate/server.ts";
import { agent, call, field } from "../test/scene.ts";
import { chainOf } from "../test/simple-plans.ts";

interface Bench {
  readonly server: RestateServer;
  readonly engine: Engine;
  readonly calls: () => number;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (since: number): number => (performance.now() - since) / 1_000;

async function withCluster(
  work: (bench: Bench) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-bench-"));
  const server = await startRestate({ settings });
  let calls = 0;
  const next: Tool = ({ n }: { n: number }) => {
    calls++;
    return { n: n + 1 };
  };
  const heavy: Tool = { name: "heavy", placement: "anywhere", run: next };
  const tools = { next, heavy };
  const store = { sqlite: join(folder, "runs.db") };
  const { url, adminUrl } = server;
  const worker = await startWorker({ url, adminUrl, store, port: 0, tools, onProblem: say });
  const relaxed = { ...store, durability: "relaxed" } as const;
  const engine = await createEngine({ store: relaxed, cluster: restateCluster({ url }), tools });
  try {
    await work({ server, engine, calls: () => calls });
  } finally {
    await engine.close();
    await worker.close(0);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** So many at a time. */
async function inTurns(count: number, atOnce: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** The same steps, as somebody would write them for Restate by hand. */
async function handWritten(server: RestateServer, steps: number) {
  const run = async (ctx: WorkflowContext, _: null): Promise<number> => {
    let n = 0;
    for (let i = 0; i < steps; i++) {
      const given = n;
      n = (await ctx.run(`s${i}`, () => ({ n: given + 1 }))).n;
    }
    return n;
  };
  const definition = workflow({ name: "ByHand", handlers: { run } });
  const endpoint = createServer(createEndpointHandler({ services: [definition], logger: () => {} }));
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  await register(server.adminUrl, `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`);
  return { close: () => endpoint.close() };
}

/** Calls a workflow and waits for its end. */
async function invoke(server: RestateServer, service: string, key: string, input: unknown): Promise<void> {
  const response = await fetch(`${server.url}/${service}/${key}/run`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** What an engine hands to a cluster for a plan. */
async function inputOf(plan: Json): Promise<RunInput> {
  const store = { sqlite: ":memory:" };
  const inputs: RunInput[] = [];
  const cluster: Cluster = {
    name: "Restate",
    start: async (source, first) => inputs.push({ source, first }) > 0,
    send: async () => {},
    reopen: async () => false,
  };
  const engine = await createEngine({ store, cluster, tools: { next: () => null } });
  await engine.start(plan);
  await engine.close();
  return inputs[0] as RunInput;
}

/**
 * Both handlers in one process, on one server, called in the same way and in turns, so that whatever else the machine does hits
 * both. Ours also tells the read model. Then the same runs through an engine, which checks, starts and follows each of them.
 */
async function throughput(runs: number, steps: number, rounds: number): Promise<void> {
  await withCluster(async ({ server, engine }) => {
    const byHand = await handWritten(server, steps);
    const plan = chainOf(steps, "next");
    const { source, first } = await inputOf(plan);
    const ways = {
      "by hand": (id: string) => invoke(server, "ByHand", id, null),
      sequitur: (runId: string) => invoke(server, RUN_SERVICE, runId, { source, first: { ...first, runId } }),
      "sequitur, with its engine": (runId: string) => engine.run(plan, { runId: `e-${runId}` }),
    };
    const times = new Map<string, number>();
    for (let round = 0; round <= rounds; round++) {
      for (const [name, run] of Object.entries(ways)) {
        const since = performance.now();
        await inTurns(round === 0 ? 50 : runs, 50, (i) => Promise.resolve(run(`${round}-${i}`)));
        if (round > 0) times.set(name, (times.get(name) ?? 0) + seconds(since));
      }
    }
    say(`${rounds * runs} runs of ${steps} steps each way, 50 at once`);
    const hand = times.get("by hand") ?? 1;
    for (const [name, time] of times)
      say(
        `${name}: ${time.toFixed(1)} s, ${((rounds * runs * steps) / time).toFixed(0)} steps a second, ${(time / hand).toFixed(2)} times as long`,
      );
    byHand.close();
  });
}

/** More plans at once than Restate has places for invocations; each waits for children, which need places, too. */
async function starvation(plans: number, places: number): Promise<void> {
  await withCluster(
    async ({ engine, calls }) => {
      const plan = [0, 1, 2].map((i) => ({ id: `c${i}`, tool: "heavy", arguments: { n: i } }));
      const since = performance.now();
      const results = await Promise.all(Array.from({ length: plans }, () => engine.run(plan)));
      const completed = results.filter(({ status }) => status === "completed").length;
      say(
        `${plans} plans at once with 3 children each, on ${places} places: ${completed} completed, ${calls()} calls, in ${seconds(since).toFixed(1)} s`,
      );
    },
    { RESTATE_WORKER__INVOKER__CONCURRENT_INVOCATIONS_LIMIT: String(places) },
  );
}

async function map(items: number): Promise<void> {
  await withCluster(async ({ server, engine, calls }) => {
    const list = Array.from({ length: items }, (_, n) => n);
    const each = { iterate_over: "REF:arguments.list", child_argument_name: "n" };
    const plan = agent([call("x", "next", {}, { parallel_execution: each })], {
      arguments: [field("list", "list")],
      response_reference_map: { all: "REF:x.response.*.n" },
    });
    const since = performance.now();
    const { status, response, error } = await engine.run(plan, { arguments: { list }, runId: "map" });
    const time = seconds(since);
    const all = (response as { all?: number[] } | undefined)?.all ?? [];
    const right = all.length === items && all.every((n, i) => n === i + 1);
    say(
      `${items} items: ${status}, ${right ? "every result right" : `wrong results (${JSON.stringify(error)})`}, ${calls()} calls, in ${time.toFixed(1)} s, ${(items / time).toFixed(0)} items a second`,
    );
    const journals = await fetch(`${server.adminUrl}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        query:
          "SELECT target_service_name AS service, count(*) AS invocations, max(journal_size) AS longest FROM sys_invocation GROUP BY target_service_name",
      }),
    });
    for (const row of ((await journals.json()) as { rows: Record<string, unknown>[] }).rows)
      say(`${row.service}: ${row.invocations} invocations, the longest journal has ${row.longest} entries`);
    say(`memory of this process: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "200" },
    steps: { type: "string", default: "10" },
    plans: { type: "string", default: "1500" },
    places: { type: "string", default: "1000" },
    items: { type: "string", default: "100000" },
  },
});
const which = positionals[0] ?? "throughput";
if (which === "throughput") await throughput(Number(values.runs), Number(values.steps), 5);
else if (which === "starvation") await starvation(Number(values.plans), Number(values.places));
else if (which === "map") await map(Number(values.items));
else say("Which one? throughput, starvation or map");
process.exit();
