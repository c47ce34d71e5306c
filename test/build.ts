import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { build } from "rolldown";
import { SHIPPED } from "../bundle.ts";

/**
 * Tests of the command line run what users run, `bin/sequitur.js`, which needs `dist/bundle`. Types are checked elsewhere.
 * Several test runs may go on at once, and processes of one of them may be reading it: so it is built beside, and only files
 * that have changed are put in place, each as a whole.
 */
export default async function buildForTests(): Promise<void> {
  // As deep as the place it is for: source maps name their sources from where they lie.
  const beside = join("dist", `.bundle-${process.pid}`);
  try {
    await build({ ...SHIPPED, output: { ...SHIPPED.output, dir: beside } });
    for (const entry of readdirSync(beside, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) putInPlace(join(entry.parentPath, entry.name), beside, join("dist", "bundle"));
    }
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  buildWeb();
}

/** Browser tests open what users open, `web/dist`. It is built where its sources are newer. */
function buildWeb(): void {
  if (newest("src", "web/src", "web/public", "web/index.html") < newest("web/dist/index.html")) return;
  const vite = join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin", "vite.js");
  const beside = join(process.cwd(), `.dist-web-${process.pid}`);
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      [vite, "build", "web", "--outDir", beside, "--logLevel", "warn"],
      // Not React's build for tests, which is twice as large.
      { encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } },
    );
    if (status !== 0) throw new Error(`The web application does not build: ${stderr}`);
    const files = readdirSync(beside, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    // The page last: what it asks for is there by then.
    files.sort((a, b) => Number(a.name === "index.html") - Number(b.name === "index.html"));
    for (const entry of files) putInPlace(join(entry.parentPath, entry.name), beside, join("web", "dist"));
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** When the newest of these files, or of the files in these folders, was written. */
function newest(...paths: readonly string[]): number {
  return Math.max(
    ...paths.map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return 0;
      if (!stat.isDirectory()) return stat.mtimeMs;
      return newest(...readdirSync(path).map((name) => join(path, name)));
    }),
  );
}

function putInPlace(file: string, beside: string, folder: string): void {
  const target = join(folder, relative(beside, file));
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
