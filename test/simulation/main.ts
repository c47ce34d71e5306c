/*
 * npm run sim -- [--crashes] --seeds N [--from SEED]: more seeds than CI has time for. A seed that fails is printed, and fails
 * again. With --crashes, the plans are carried out by processes that die.
 */
import { parseArgs } from "node:util";
import { checkCrashSeed } from "./crash-seeds.ts";
import { checkSeed, planOf } from "./seeds.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10000" },
    from: { type: "string", default: "0" },
    crashes: { type: "boolean", default: false },
    /** Stops early, and says how many there were. */
    minutes: { type: "string", default: "Infinity" },
    /** Prints the plan of this seed, and runs it alone. */
    seed: { type: "string" },
  },
});

const only = values.seed === undefined ? undefined : Number(values.seed);
const from = only ?? Number(values.from);
const count = only === undefined ? Number(values.seeds) : 1;
if (only !== undefined) console.log(JSON.stringify(planOf(only), null, 1));

const check = values.crashes ? checkCrashSeed : checkSeed;
const began = Date.now();
const deadline = began + Number(values.minutes) * 60_000;
let seeds = 0;
const tally = new Map<string, number>();
let failures = 0;
let events = 0;
for (let seed = from; seed < from + count && Date.now() < deadline; seed++) {
  seeds++;
  try {
    const report = await check(seed);
    events += report.events;
    const key = `${report.status}${report.compared ? ", compared" : ""}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  } catch (error) {
    failures++;
    console.error(`seed ${seed}: ${error instanceof Error ? error.message.slice(0, 2_000) : String(error)}`);
    console.error(`  again with: npm run sim -- ${values.crashes ? "--crashes " : ""}--seed ${seed}`);
    if (failures >= 10) break;
  }
}
console.log(
  `${seeds} seeds, ${events} events, ${failures} failed, ${((Date.now() - began) / 1_000).toFixed(0)} s`,
);
for (const [key, n] of tally) console.log(`  ${key}: ${n}`);
process.exitCode = failures > 0 ? 1 : 0;
