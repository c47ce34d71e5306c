import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";
import config from "../rolldown.config.ts";

/**
 * Tests of the command line run what users run, `bin/sequitur.js`, which needs `dist/bundle`. Types are checked elsewhere.
 * Several test runs may go on at once, and processes of one of them may be reading it: so it is built beside, and only files
 * that have changed are put in place, each as a whole.
 */
export default async function build(): Promise<void> {
  const beside = `.dist-${process.pid}`;
  try {
    const { output, ...input } = config;
    const bundle = await rolldown(input);
    await bundle.write({ ...output, dir: beside });
    await bundle.close();
    for (const entry of readdirSync(beside, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) putInPlace(join(entry.parentPath, entry.name), beside);
    }
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

function putInPlace(file: string, beside: string): void {
  const target = join("dist", "bundle", relative(beside, file));
  if (readOrNothing(target)?.equals(readFileSync(file)) === true) return;
  mkdirSync(dirname(target), { recursive: true });
  renameSync(file, target);
}

function readOrNothing(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
