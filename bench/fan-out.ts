/* node bench/fan-out.ts [ITEMS]: one fan-out over many items. Prints how long it takes and how much memory it needs. */

import { createEngine } from "../src/index.ts";
import { agent, call, field } from "../test/scene.ts";

const items = Number(process.argv[2] ?? 100_000);
let active = 0;
let most = 0;
let peak = 0;

function note(): void {
  const { heapUsed } = process.memoryUsage();
  if (heapUsed > peak) peak = heapUsed;
}

const engine = await createEngine({
  tools: {
    work: async ({ item }: { item: number }) => {
      active++;
      if (active > most) most = active;
      if (item % 1_000 === 0) note();
      await null;
      active--;
      return { item, square: item * item };
    },
  },
});

const fanOut = { parallel_execution: { iterate_over: "REF:arguments.items", child_argument_name: "item" } };
const plain = call("each", "work", {}, fanOut);
const inner = agent(
  [call("a", "work", { item: "REF:arguments.item" }), call("b", "work", { item: "REF:a.item" })],
  {
    arguments: [field("item", "number")],
    response_reference_map: { square: "REF:b.square" },
  },
);
const composite = { execution_id: "each", agent_definition: inner, ...fanOut };

for (const [name, step] of [
  ["a tool for each item", plain],
  ["a composite of two steps for each item", composite],
] as const) {
  const plan = agent([step], {
    arguments: [field("items", "list")],
    response_reference_map: { n: "REF:each.response.length" },
  });
  const given = Array.from({ length: items }, (_, i) => i);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  [peak, most] = [0, 0];
  const began = performance.now();
  const result = await engine.run(plan, { arguments: { items: given } });
  const seconds = (performance.now() - began) / 1_000;
  note();
  const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(0);
  console.log(
    `${name}: ${items} items, ${result.status}, ${seconds.toFixed(2)} s, ${Math.round(items / seconds)} items/s`,
  );
  console.log(
    `  at most ${most} calls at once; heap ${megabytes(before)} MB before, ${megabytes(peak)} MB at its peak`,
  );
}
await engine.close();
