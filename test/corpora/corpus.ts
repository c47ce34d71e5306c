/*
 * Plans that others wrote. They are read where they lie, in `../shared/corpora` beside the project, and never copied into it:
 * where the folder isn't there, the tests that want it are skipped and say so.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe } from "vitest";

const folder = fileURLToPath(new URL("../../../shared/corpora/", import.meta.url));

export const hasCorpora = existsSync(folder);

/** A group of tests over corpora; skipped, by name, where they aren't there. */
export function describeCorpus(title: string, body: () => void): void {
  // Hundreds of runs: a busy machine may take its time.
  if (hasCorpora) describe(title, { timeout: 60_000 }, body);
  else describe.skip(`${title} (skipped: there is no ../shared/corpora beside the project)`, body);
}

/** The rows of a `.jsonl` file; the caller says what they are, as the corpus's README has it. */
export function readRows<Row>(file: string): readonly Row[] {
  if (!hasCorpora) return [];
  const lines = readFileSync(folder + file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}

export function readTable<Entry>(file: string): Readonly<Record<string, Entry>> {
  return hasCorpora ? (JSON.parse(readFileSync(folder + file, "utf8")) as Record<string, Entry>) : {};
}

/** For the log of the test run: how many of a corpus came out right. */
export function printCount(what: string, right: number, all: number): void {
  process.stdout.write(`  ${what}: ${right} of ${all}\n`);
}
