/*
 * What is shipped: a few files instead of hundreds, since a process that starts pays for every file it opens. Everything that
 * is loaded on demand stays a file of its own. All files lie at the same depth, two below the package, like `src/*` itself,
 * so that paths relative to a module mean the same before and after.
 */
import { defineConfig } from "rolldown";

export default defineConfig({
  input: {
    index: "src/index.ts",
    compiler: "src/compiler.ts",
    restate: "src/restate.ts",
    cli: "src/cli/main.ts",
  },
  platform: "node",
  // Dependencies stay where npm puts them.
  external: /^(?!\.|\/|[A-Za-z]:\\)/,
  output: {
    dir: "dist/bundle",
    cleanDir: true,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    sourcemap: true,
    minify: { mangle: false, compress: false },
  },
});
