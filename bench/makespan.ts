/* node bench/makespan.ts: how much longer a run of waiting tools takes than its longest chain, on the real clock. */

import { createEngine } from "../src/index.ts";
import { agent, call } from "../test/scene.ts";
import { Chance } from "../test/simulation/chance.ts";
import { save } from "./save.ts";

const engine = await createEngine({
  concurrency: 1_000,
  tools: {
    wait: ({ ms }: { ms: number }) => new Promise((resolve) => setTimeout(() => resolve({ ms }), ms)),
  },
});

const rows: object[] = [];
for (const size of [10, 100, 1_000]) {
  const chance = new Chance(size);
  const ends: number[] = [];
  const steps = Array.from({ length: size }, (_, i) => {
    const ms = chance.between(1, 50);
    const needs = i === 0 ? [] : [...new Set([chance.below(i), chance.below(i)])];
    ends.push(ms + Math.max(0, ...needs.map((need) => ends[need] ?? 0)));
    return call(`t${i}`, "wait", { ms, after: needs.map((need) => `REF:t${need}.ms`) });
  });
  const longest = Math.max(...ends);
  const began = performance.now();
  await engine.run(agent(steps));
  const took = performance.now() - began;
  rows.push({ steps: size, longestMs: longest, tookMs: took });
  console.log(
    `${size} steps: longest chain ${longest} ms, run ${took.toFixed(0)} ms (${(took - longest).toFixed(0)} ms more)`,
  );
}
await engine.close();
save("makespan", rows);
