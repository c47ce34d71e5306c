import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEngine } from "../../src/index.ts";
import { restateCluster, startWorker } from "../../src/restate.ts";
import { chainOf } from "../simple-plans.ts";
import { hasServer, type RestateServer, startThreeNodes } from "./server.ts";

/** A chain that is long enough to be in the middle when a server is lost. */
const STEPS = 60;
const RUNS = 12;

const tools = {
  next: async ({ n }: { n: number }) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { n: n + 1 };
  },
};

const chain = chainOf(STEPS, "next");

test.skipIf(!hasServer())("one of three servers is killed: runs go on, and new ones start", async () => {
  const nodes = await startThreeNodes();
  const [first, second, third] = nodes as [RestateServer, RestateServer, RestateServer];
  const folder = mkdtempSync(join(tmpdir(), "sequitur-three-"));
  const store = { sqlite: join(folder, "runs.db") };
  const worker = await startWorker({ url: first.url, adminUrl: first.adminUrl, store, port: 0, tools });
  const engine = await createEngine({ store, tools, cluster: restateCluster(second) });
  try {
    const runs = await Promise.all(Array.from({ length: RUNS }, () => engine.start(chain)));
    // Somewhere in the middle.
    for await (const { kind, step } of (runs[0] as (typeof runs)[number]).events)
      if (kind === "StepSucceeded" && step === "s10") break;
    await third.kill();
    const results = await Promise.all(runs.map((run) => run.result));
    for (const { status, steps } of results) {
      expect(status).toBe("completed");
      expect(steps[`s${STEPS - 1}`]?.result).toEqual({ n: STEPS });
    }
    expect((await engine.run(chain.slice(0, 3))).status).toBe("completed");
  } finally {
    await engine.close();
    await worker.close(0);
    for (const node of nodes) await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
