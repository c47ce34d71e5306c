import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Tests of the command line run what users run, `bin/sequitur.js`, which needs `dist/`. Types are checked elsewhere. */
export default function build(): void {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin",
    "tsc",
  );
  const { error } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { stdio: "ignore" });
  if (error !== undefined) throw error;
}
