/*
 * `node --expose-gc bench/growth.ts`: how cost grows with the size of a plan, and with the length of a journal.
 *
 *   compile, run   a layered graph of 1,000 to 100,000 steps, next to a promise for each node, written by hand
 *   memory         what a finished run of that plan holds, for each step
 *   journal        bytes on disk for each step
 *   resume         the time to fold a journal of so many events, which is what a process pays that takes a run over
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../src/base/json.ts";
import { createEngine } from "../src/index.ts";
import { exponent, median, timed } from "./figures.ts";
import { save } from "./save.ts";

const SIZES = [1_000, 10_000, 100_000];
const FACTOR = 100;
const work = async ({ k, of }: { k: number; of: number[] }) => ({
  v: of.reduce((sum, n) => (sum * 31 + n) & 0xffffff, k),
});

/** Rows as wide as the plan is deep; each step reads up to three of the row above. */
function needsOf(size: number): number[][] {
  const width = Math.round(Math.sqrt(size));
  return Array.from({ length: size }, (_, i) => {
    const above = i - width - (i % width);
    return above < 0 ? [] : [0, 1, 2].map((k) => above + ((i * 7 + k * 3) % width));
  });
}

function plan(needs: readonly (readonly number[])[]): Json {
  return needs.map((of, k) => ({
    id: `s${k}`,
    tool: "work",
    arguments: { k, of: of.map((need) => `{{s${need}.result.v}}`) },
  }));
}

async function byHand(needs: readonly (readonly number[])[]): Promise<void> {
  const done: Promise<{ v: number }>[] = [];
  for (const [k, of] of needs.entries()) {
    done.push(
      Promise.all(of.map((need) => done[need])).then((all) => work({ k, of: all.map((one) => one?.v ?? 0) })),
    );
  }
  await Promise.all(done);
}

const rows = [];
for (const size of SIZES) {
  const needs = needsOf(size);
  const source = plan(needs);
  const engine = await createEngine({ tools: { work }, stepsMax: 1_000_000 });
  const times = { compile: [] as number[], run: [] as number[], hand: [] as number[] };
  // A full collection throws compiled code away: memory is looked at when the times have been taken.
  for (let round = 0; round < (size > 10_000 ? 5 : size > 1_000 ? 30 : 300); round++) {
    times.compile.push(await timed(() => engine.compile(source)));
    const { program } = engine.compile(source);
    if (program === undefined) throw new Error("the plan does not compile");
    times.run.push(await timed(() => engine.run(program)));
    times.hand.push(await timed(() => byHand(needs)));
  }
  const heldBytes = (await held(source)) / size;
  await engine.close();
  const perStep = (ms: number) => (1_000 * ms) / size;
  rows.push({
    steps: size,
    compileUs: perStep(median(times.compile)),
    runUs: perStep(median(times.run)),
    handUs: perStep(median(times.hand)),
    heldBytes,
    ...(await durable(source, size)),
  });
}

/** What a program, the result of its run and its journal hold in memory. */
async function held(source: Json): Promise<number> {
  const engine = await createEngine({ tools: { work }, stepsMax: 1_000_000 });
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const { program } = engine.compile(source);
  const result = await engine.run(program as NonNullable<typeof program>);
  globalThis.gc?.();
  const bytes = process.memoryUsage().heapUsed - before;
  if (result.status !== "completed" || program === undefined) throw new Error(`the run is ${result.status}`);
  await engine.close();
  return bytes;
}

/** The same plan on disk: its journal's size, and the time to fold it. */
async function durable(source: Json, size: number): Promise<{ journalBytes: number; resumeUs: number }> {
  const folder = mkdtempSync(join(tmpdir(), "sequitur-growth-"));
  const store = { sqlite: join(folder, "runs.db"), durability: "relaxed" as const };
  const engine = await createEngine({ tools: { work }, store, stepsMax: 1_000_000 });
  const { id } = await engine.run(source);
  await engine.close();
  const journalBytes = statSync(store.sqlite).size / size;
  const later = await createEngine({ tools: { work }, store, stepsMax: 1_000_000 });
  const ms = await timed(() => later.get(id));
  await later.close();
  rmSync(folder, { recursive: true, force: true });
  return { journalBytes, resumeUs: (1_000 * ms) / size };
}

const [small, , large] = rows;
if (small !== undefined && large !== undefined) {
  const of = (key: "compileUs" | "runUs" | "handUs" | "resumeUs") =>
    exponent(small[key], large[key] * FACTOR, FACTOR).toFixed(2);
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, n]) => [key, Number(n.toFixed(2))]))),
  );
  console.log(
    `exponents: compile ${of("compileUs")}, run ${of("runUs")}, by hand ${of("handUs")}, resume ${of("resumeUs")}`,
  );
}
save("growth", rows);
