import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createEngine } from "../../src/index.ts";
import { openScratch, scratchFolder } from "./scratch.ts";

const CHILD = fileURLToPath(new URL("two-processes-child.ts", import.meta.url));
const RUNS = 200;

function begin(db: string, effects: string, from: number): ChildProcess {
  return spawn(process.execPath, [CHILD, db, effects, String(from), String(RUNS)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}

/** It has opened the store, and waits for the word. */
function ready(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.stdout?.once("data", resolve));
}

async function ending(
  child: ChildProcess,
): Promise<{ started: number; refused: number; recovered: number; completed: number }> {
  let out = "";
  child.stdout?.on("data", (chunk) => {
    out += String(chunk);
  });
  await new Promise((resolve) => child.on("close", resolve));
  return JSON.parse(out);
}

test("two processes that are given the same 200 runs carry out each once", async () => {
  const folder = scratchFolder();
  const [db, effects] = [join(folder, "runs.db"), join(folder, "effects.txt")];
  (await openScratch(db)).close();
  writeFileSync(effects, "");
  const children = [begin(db, effects, 0), begin(db, effects, RUNS / 2)];
  // One that is still being loaded would find all runs taken.
  await Promise.all(children.map(ready));
  for (const child of children) child.stdin?.write("go\n");
  const [one, other] = await Promise.all(children.map(ending));

  expect((one?.started ?? 0) + (other?.started ?? 0)).toBe(RUNS);
  expect((one?.refused ?? 0) + (other?.refused ?? 0)).toBe(RUNS);
  for (const { started, completed, recovered } of [one, other].filter((each) => each !== undefined)) {
    expect(started).toBeGreaterThan(0);
    expect(completed).toBe(started);
    expect(recovered).toBe(0);
  }
  const lines = readFileSync(effects, "utf8").trim().split("\n");
  const keys = lines.map((line) => line.split(" ")[0]);
  expect(keys).toHaveLength(3 * RUNS);
  expect(new Set(keys).size).toBe(3 * RUNS);

  const engine = await createEngine({ store: { sqlite: db }, tools: { note: () => null } });
  const listed = await engine.list({ status: "completed", limit: 2 * RUNS });
  expect(listed).toHaveLength(RUNS);
  const { problems } = await engine.replay("run-0");
  expect(problems).toEqual([]);
  await engine.close();
}, 120_000);
