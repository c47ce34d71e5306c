/*
 * `npm run bench`: every measurement of our own, one process each, so that none warms up the next. The ratios are what counts;
 * `docs/performance.md` says what they mean. Against other engines: the harness that reads `bench/adapter.mjs`.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const SCRIPTS: readonly (readonly string[])[] = [
  ["start.ts"],
  ["step.ts"],
  ["compile.ts"],
  ["growth.ts"],
  ["makespan.ts"],
  ["fan-out.ts"],
  ["durable.ts"],
  ["durable.ts", "--relaxed"],
];

let failed = 0;
for (const [script = "", ...args] of SCRIPTS) {
  console.log(`\n── ${[script, ...args].join(" ")}`);
  const file = fileURLToPath(new URL(script, import.meta.url));
  const { status } = spawnSync(process.execPath, ["--expose-gc", file, ...args], { stdio: "inherit" });
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
