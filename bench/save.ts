import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

/** Keeps what a benchmark has measured in `bench/results/NAME.json`, with what it was measured on. */
export function save(name: string, rows: readonly object[]): void {
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model.trim() ?? "" };
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify({ name, machine, rows }, null, 2)}\n`);
}
