/*
 * `node bench/step.ts`: what one more step costs, and what a plan costs that has next to none. A chain of 1,001 steps less one of a
 * single step, by a thousand; time, and bytes that are allocated (sampled by V8, whatever becomes of them afterwards).
 */
import { type HeapProfiler, Session } from "node:inspector/promises";
import type { Json } from "../src/base/json.ts";
import { createEngine } from "../src/index.ts";
import { chainOf } from "../test/simple-plans.ts";
import { median, timed } from "./figures.ts";
import { save } from "./save.ts";

const STEPS = 1_000;
/** Enough of each for V8 to have optimized all of it. */
const ROUNDS = { one: 20_000, many: 600 };

const engine = await createEngine({ tools: { work: async ({ n }: { n: number }) => ({ n: n + 1 }) } });

interface Cost {
  readonly us: number;
  readonly bytes: number;
}

/** What one of many costs: the middle of the later half of their times, and the mean of their bytes. */
async function cost(rounds: number, act: () => unknown): Promise<Cost> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push(await timed(act));
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 1_024,
    includeObjectsCollectedByMinorGC: true,
    includeObjectsCollectedByMajorGC: true,
  });
  const sampled = Math.ceil(rounds / 20);
  for (let i = 0; i < sampled; i++) await act();
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  return { us: 1_000 * median(times.slice(rounds / 2)), bytes: bytesBelow(profile.head) / sampled };
}

function bytesBelow({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + bytesBelow(child), selfSize);
}

function compiled(plan: Json) {
  const { program } = engine.compile(plan);
  if (program === undefined) throw new Error("the plan does not compile");
  return program;
}

const [one, many] = [chainOf(1, "work"), chainOf(1 + STEPS, "work")];
const [oneProgram, manyProgram] = [compiled(one), compiled(many)];
const rows = [];
for (const [what, short, long] of [
  ["compile", () => engine.compile(one), () => engine.compile(many)],
  ["run", () => engine.run(oneProgram), () => engine.run(manyProgram)],
] as const) {
  const [little, much] = [await cost(ROUNDS.one, short), await cost(ROUNDS.many, long)];
  const step = { us: (much.us - little.us) / STEPS, bytes: (much.bytes - little.bytes) / STEPS };
  rows.push({
    what,
    stepUs: step.us,
    stepBytes: step.bytes,
    planUs: little.us - step.us,
    planBytes: little.bytes - step.bytes,
  });
}
await engine.close();
console.table(
  rows.map(({ what, ...figures }) => ({
    what,
    ...Object.fromEntries(Object.entries(figures).map(([key, n]) => [key, Number(n.toPrecision(3))])),
  })),
);
save("step", rows);
