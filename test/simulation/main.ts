/* npm run sim -- --seeds N [--from SEED]: more seeds than CI has time for. A seed that fails is printed, and fails again. */
import { parseArgs } from "node:util";
import { checkSeed, planOf } from "./seeds.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10000" },
    from: { type: "string", default: "0" },
    /** Prints the plan of this seed, and runs it alone. */
    seed: { type: "string" },
  },
});

const only = values.seed === undefined ? undefined : Number(values.seed);
const from = only ?? Number(values.from);
const count = only === undefined ? Number(values.seeds) : 1;
if (only !== undefined) console.log(JSON.stringify(planOf(only), null, 1));

const tally = new Map<string, number>();
let failures = 0;
let events = 0;
for (let seed = from; seed < from + count; seed++) {
  try {
    const report = await checkSeed(seed);
    events += report.events;
    const key = `${report.status}${report.compared ? ", compared" : ""}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  } catch (error) {
    failures++;
    console.error(`seed ${seed}: ${error instanceof Error ? error.message.slice(0, 2_000) : String(error)}`);
    console.error(`  again with: npm run sim -- --seed ${seed}`);
    if (failures >= 10) break;
  }
}
console.log(`${count} seeds, ${events} events, ${failures} failed`);
for (const [key, n] of tally) console.log(`  ${key}: ${n}`);
process.exitCode = failures > 0 ? 1 : 0;
