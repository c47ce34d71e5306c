/* One of two processes that are given the same runs: it starts those it can have, and recovers whatever it thinks was left behind. */
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { createEngine, type Run, type ToolContext } from "../../src/index.ts";

const [db = "", effects = "", from = "0", count = "0"] = process.argv.slice(2);
const note = (_: object, { idempotencyKey }: ToolContext) => {
  appendFileSync(effects, `${idempotencyKey} ${process.pid}\n`);
  return setTimeout(Math.random() * 3, { done: true });
};
const engine = await createEngine({ store: { sqlite: db }, tools: { note } });
const plan = [
  { id: "a", tool: "note" },
  { id: "b", tool: "note", arguments: { x: "{{a.result.done}}" } },
  { id: "c", tool: "note", arguments: { x: "{{a.result.done}}" } },
];

// Both begin at once, from different ends of the list.
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.destroy();
const numbers = Array.from({ length: Number(count) }, (_, i) => (i + Number(from)) % Number(count));
const runs: Run[] = [];
let refused = 0;
for (const number of numbers) {
  try {
    runs.push(await engine.start(plan, { runId: `run-${number}` }));
  } catch (error) {
    if ((error as { readonly code?: string }).code !== "RUN_EXISTS") throw error;
    refused++;
  }
  if (number % 20 === 0) runs.push(...(await engine.recover()));
}
const results = await Promise.all(runs.map((run) => run.result));
const recovered = await engine.recover();
await engine.close();
process.stdout.write(
  JSON.stringify({
    started: runs.length,
    refused,
    recovered: recovered.length,
    completed: results.filter(({ status }) => status === "completed").length,
  }),
);
