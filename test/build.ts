import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/**
 * Tests of the command line run what users run, `bin/sequitur.js`, which needs `dist/`. Types are checked elsewhere. Several
 * test runs may go on at once, and processes of one of them may be reading `dist/`: so it is built beside, and only files that
 * have changed are put in place, each as a whole.
 */
export default function build(): void {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin",
    "tsc",
  );
  const beside = `.dist-${process.pid}`;
  try {
    const { error } = spawnSync(
      process.execPath,
      [compiler, "-p", "tsconfig.build.json", "--outDir", beside],
      {
        stdio: "ignore",
      },
    );
    if (error !== undefined) throw error;
    for (const entry of readdirSync(beside, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) putInPlace(join(entry.parentPath, entry.name), beside);
    }
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

function putInPlace(file: string, beside: string): void {
  const target = join("dist", relative(beside, file));
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
