/*
 * What is shipped: a few files instead of hundreds, since a process that starts pays for every file it opens. What is loaded on
 * demand stays apart. All files lie at the same depth, two below the package, like `src/*` itself, so that paths relative to a
 * module mean the same before and after.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type BuildOptions, build } from "rolldown";

const VALUE_IMPORT = /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"/gm;

/** The modules that come with `entry` at once. */
function comesWith(entry: string, modules = new Set<string>()): Set<string> {
  const file = resolve(entry);
  if (modules.has(file)) return modules;
  modules.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(VALUE_IMPORT))
    comesWith(resolve(dirname(file), path), modules);
  return modules;
}

const BUILT_IN = /^import \{ ([^}]*) \} from "(node:[\w/]+)";$/gm;

/**
 * Whoever imports a module of Node's own gets all of it, to the last getter, some of which load further modules; whoever asks
 * for it gets what is used. `bench/start.ts` shows the difference.
 */
function askForBuiltIns(code: string): { code: string; map: null } {
  const asked = code.replace(BUILT_IN, (_, names: string, module: string) => {
    return `const { ${names.replaceAll(" as ", ": ")} } = process.getBuiltinModule("${module}");`;
  });
  return { code: asked, map: null };
}

const start = comesWith("src/cli/main.ts");
const compiler = comesWith("src/compiler.ts");
const engine = comesWith("src/index.ts");
const commands = comesWith("src/cli/run.ts");

export const SHIPPED: BuildOptions = {
  input: {
    index: "src/index.ts",
    compiler: "src/compiler.ts",
    restate: "src/restate.ts",
    cli: "src/cli/main.ts",
  },
  platform: "node",
  logLevel: "warn",
  plugins: [{ name: "ask-for-built-ins", renderChunk: askForBuiltIns }],
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
    codeSplitting: {
      groups: [
        { name: "start", test: (id) => start.has(id), priority: 4 },
        { name: "compiler", test: (id) => compiler.has(id), priority: 3 },
        { name: "engine", test: (id) => engine.has(id), priority: 2 },
        { name: "commands", test: (id) => commands.has(id), priority: 1 },
      ],
    },
  },
};

if (import.meta.main) await build(SHIPPED);
