import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson, type Json } from "../../src/base/json.ts";
import { memoryDriver } from "../../src/drivers/memory/driver.ts";
import { createEngine, type Engine, type Run, type RunResult } from "../../src/index.ts";
import { restateCluster, startWorker, type Worker } from "../../src/restate.ts";
import { openStage, play, type Workload } from "../durability/play.ts";
import { WORKLOADS } from "../durability/workloads/all.ts";
import { TOOLS } from "../durability/workloads/tools.ts";
import { fastClock } from "./fast-clock.ts";
import { hasServer, type RestateServer, startRestate } from "./server.ts";

const SPEED = 50;

describe.skipIf(!hasServer())("runs on Restate end as they do in memory", { retry: 1 }, () => {
  const clock = fastClock(SPEED);
  const folder = mkdtempSync(join(tmpdir(), "sequitur-cluster-"));
  const store = { sqlite: join(folder, "runs.db") };
  let server: RestateServer;
  let worker: Worker;

  beforeAll(async () => {
    server = await startRestate();
    const files = { root: mkdtempSync(join(folder, "files-")) };
    for (const workload of WORKLOADS)
      for (const [name, text] of Object.entries(workload.files ?? {}))
        writeFileSync(join(files.root, name), text);
    const { url, adminUrl } = server;
    const { sleepMs } = clock;
    worker = await startWorker({ url, adminUrl, store, port: 0, tools: TOOLS, files, clock, sleepMs });
  });

  afterAll(async () => {
    await worker?.close(0);
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(WORKLOADS)("$title", async (workload) => {
    const inMemory = await openStage(workload, memoryDriver());
    const expected = await ending(inMemory.engine, await play(workload, inMemory), workload);
    const engine = await createEngine({
      store,
      clock,
      cluster: restateCluster(server),
      tools: TOOLS,
      ...(workload.concurrency !== undefined && { concurrency: workload.concurrency }),
    });
    try {
      const runId = `run-${WORKLOADS.indexOf(workload)}`;
      const run = await engine.start(workload.plan, { runId, seed: 42, ...workload.options });
      expect(await ending(engine, await finish(run, workload), workload)).toEqual(expected);
    } finally {
      await engine.close();
      await inMemory.engine.close();
    }
  });
});

/** Answers whatever the workload has an answer for, until the run ends or nobody can help. */
async function finish(run: Run, { answers = {}, cancelAfterMs }: Workload): Promise<RunResult> {
  if (cancelAfterMs !== undefined) setTimeout(() => void run.cancel("enough"), cancelAfterMs / SPEED);
  for (;;) {
    const result = await run.endedOrAsked();
    const asked = result.questions?.find(({ name }) => answers[name] !== undefined);
    if (run.isOver || asked === undefined) return result;
    const { name, kind } = asked;
    const answer = answers[name] as Json;
    if (kind === "input") await run.provideInputs({ [name]: answer });
    else await run.confirm(name, answer === true);
  }
}

/** The final state, and how the context variables came to it. Only times differ, and the id that a run has. */
async function ending(engine: Engine, result: RunResult, { title }: Workload): Promise<Json> {
  const changes: Json[] = [];
  for await (const event of engine.events(result.id, { follow: false }))
    if (event.kind === "ContextChanged") changes.push([event.name as Json, event.value as Json]);
  const text = canonicalJson(JSON.parse(JSON.stringify({ title, result, changes })) as Json);
  const timeless = text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?/g, "(time)")
    .replaceAll(/"(executionTime|totalDurationMs)":\d+/g, '"$1":0')
    .replaceAll(`"${result.id}/`, '"(run)/')
    .replaceAll(`"${result.id}"`, '"(run)"');
  return JSON.parse(timeless) as Json;
}
