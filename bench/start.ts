/*
 * `node bench/start.ts`: what a process pays before it does anything, next to `node -e 0` in the same round.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./figures.ts";
import { save } from "./save.ts";

const ROUNDS = 15;
const bin = fileURLToPath(new URL("../bin/sequitur.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "sequitur-start-"));
const plan = join(folder, "five.plan.json");
const tools = join(folder, "tools.mjs");
writeFileSync(tools, "export const add = async ({ x, y = 1 }) => ({ x: x + y });\n");
writeFileSync(
  plan,
  JSON.stringify([
    { id: "a", tool: "add", arguments: { x: 1 } },
    { id: "b", tool: "add", arguments: { x: "{{a.result.x}}" } },
    { id: "c", tool: "add", arguments: { x: "{{a.result.x}}" } },
    { id: "d", tool: "add", arguments: { x: "{{b.result.x}}", y: "{{c.result.x}}" } },
    { id: "e", tool: "add", arguments: { x: "{{d.result.x}}" } },
  ]),
);

const COMMANDS = {
  "node -e 0": ["-e", "0"],
  "sequitur --version": [bin, "--version"],
  "sequitur run (five steps)": [
    bin,
    "run",
    plan,
    "--tools",
    tools,
    "--db",
    join(folder, "runs.db"),
    "--quiet",
  ],
};

function time(args: readonly string[]): number {
  const began = performance.now();
  execFileSync(process.execPath, args, { stdio: "ignore" });
  return performance.now() - began;
}

const times = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, [] as number[]]));
for (let round = -2; round < ROUNDS; round++) {
  for (const [name, args] of Object.entries(COMMANDS)) {
    const ms = time(args);
    if (round >= 0) times[name]?.push(ms);
  }
}
rmSync(folder, { recursive: true, force: true });

const [base = [], ...others] = Object.values(times);
const names = Object.keys(COMMANDS).slice(1);
const rows = others.map((own, i) => ({
  command: names[i],
  ms: Math.round(median(own)),
  ratio: Number(median(own.map((ms, round) => ms / (base[round] ?? ms))).toFixed(2)),
}));
console.log(`node -e 0: ${Math.round(median(base))} ms`);
console.table(rows);
save("start", rows);
