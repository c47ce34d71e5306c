/*
 * What a step costs, counted rather than timed: promises, events, commits. A number that goes up here is a design that got
 * slower, on any machine; `bench/` has the times.
 */
import { createHook } from "node:async_hooks";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, it } from "vitest";
import type { Driver } from "../src/drivers/driver.ts";
import { openStore } from "../src/drivers/open-store.ts";
import { createEngine } from "../src/index.ts";
import { chainOf, fanOutOf } from "./simple-plans.ts";

const STEPS = 1_000;
/** Of a value that is no promise, with somebody counting. */
const PROMISES_PER_AWAIT = 2;
const PROMISES_PER_RUN = 60;
/** Of a run of five steps. */
const BYTES_LEFT_MAX = 6_000;
/** Not an async function, so that every promise that is counted is the engine's. */
const work = ({ n }: { n: number }) => ({ n: n + 1 });

const fanOut = fanOutOf("work");
const items = Array.from({ length: STEPS }, (_, i) => i);

async function promisesDuring(run: () => Promise<unknown>): Promise<number> {
  // What is loaded when it is first needed is loaded now.
  await run();
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === "PROMISE") count++;
    },
  });
  hook.enable();
  await run();
  hook.disable();
  return count;
}

const folder = mkdtempSync(join(tmpdir(), "sequitur-cost-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A database that counts how often something is made durable. */
async function counted(file: string): Promise<{ driver: Driver; commits: () => number }> {
  const driver = await openStore({ sqlite: join(folder, file) }, undefined);
  let commits = 0;
  let depth = 0;
  const counting = <Args extends unknown[]>(method: (...args: Args) => void) => {
    return (...args: Args): void => {
      if (depth++ === 0) commits++;
      method.apply(driver, args);
      depth--;
    };
  };
  driver.append = counting(driver.append);
  driver.together = counting(driver.together);
  return { driver, commits: () => commits };
}

/** Collects what has died young, and gives what is left. */
function heapAfterMinorCollection(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: object) => void;
  collect({ type: "minor", execution: "sync" });
  return process.memoryUsage().heapUsed;
}

describe("a run that has ended", () => {
  it("leaves little to the garbage collector, which need not look at all of memory for it", async () => {
    const engine = await createEngine({ tools: { work } });
    const plan = chainOf(5, "work");
    const runs = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await engine.run(plan);
    };
    await runs(500);
    const before = heapAfterMinorCollection();
    await runs(500);
    // Its plan, its results, and whom it belongs to; all else of it is more than ten times that.
    expect((heapAfterMinorCollection() - before) / 500).toBeLessThan(BYTES_LEFT_MAX);
    await engine.close();
  });
});

describe("a chain", () => {
  it("takes no promises but those of one await a step", async () => {
    const engine = await createEngine({ tools: { work } });
    const { program } = engine.compile(chainOf(STEPS, "work"));
    if (program === undefined) throw new Error("the chain does not compile");
    const promises = await promisesDuring(() => engine.run(program));
    expect(promises).toBeLessThanOrEqual(PROMISES_PER_AWAIT * STEPS + PROMISES_PER_RUN);
    await engine.close();
  });

  it("takes one event and one commit a step", async () => {
    const { driver, commits } = await counted("chain.db");
    const engine = await createEngine({ tools: { work }, store: driver });
    const { id, status } = await engine.run(chainOf(100, "work"));
    expect(status).toBe("completed");
    expect([...driver.events(id)]).toHaveLength(1 + 100);
    // The start, each step, and the end in the list of runs.
    expect(commits()).toBeLessThanOrEqual(100 + 3);
    await engine.close();
  });
});

describe("a fan-out", () => {
  it("takes no promises but those of one await an item", async () => {
    const engine = await createEngine({ tools: { work } });
    const { program } = engine.compile(fanOut);
    if (program === undefined) throw new Error("the fan-out does not compile");
    const promises = await promisesDuring(() => engine.run(program, { arguments: { items } }));
    // And one for each of the calls that are under way at once.
    expect(promises).toBeLessThanOrEqual(PROMISES_PER_AWAIT * STEPS + 64 + PROMISES_PER_RUN);
    await engine.close();
  });

  it("takes one event an item, and a commit for all that answer in one turn of the event loop", async () => {
    const { driver, commits } = await counted("fan-out.db");
    const engine = await createEngine({ tools: { work }, store: driver, concurrency: 100 });
    const { id, status } = await engine.run(fanOut, { arguments: { items } });
    expect(status).toBe("completed");
    expect([...driver.events(id)]).toHaveLength(1 + STEPS);
    expect(commits()).toBeLessThanOrEqual(STEPS / 100 + 3);
    await engine.close();
  });
});

describe("a short run from the command line", () => {
  /** What of Node's own was loaded, by the end of the process. */
  const TELL = `data:text/javascript,process.on("exit",()=>console.error(JSON.stringify(process.moduleLoadList)))`;

  function loadedBy(...args: readonly string[]): string[] {
    const { stderr, status } = spawnSync(process.execPath, ["--import", TELL, "bin/sequitur.js", ...args], {
      encoding: "utf8",
    });
    expect(status).toBe(0);
    const [list = "[]"] = /^\[.*\]$/m.exec(stderr) ?? [];
    return (JSON.parse(list) as string[]).map((name) => name.replace("NativeModule ", ""));
  }

  it("loads of Node's own what it needs, and nothing that takes long", () => {
    const plan = join(folder, "short.plan.json");
    const tools = join(folder, "short-tools.mjs");
    writeFileSync(plan, JSON.stringify(chainOf(5, "work")));
    writeFileSync(tools, "export const work = ({ n }) => ({ n: n + 1 });");
    const loaded = loadedBy("run", plan, "--tools", tools, "--db", join(folder, "short.db"), "--quiet");
    expect(loaded).toContain("sqlite");
    for (const slow of ["crypto", "fs/promises", "internal/readline/interface", "worker_threads"])
      expect(loaded).not.toContain(slow);
  });
});
