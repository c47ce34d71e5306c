/* The rules of ARCHITECTURE.md and STYLE.md that a test can hold. */
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { readSources, readText, type SourceFile } from "./source-tree.ts";

const all = readSources("src", "test", "bench", "examples", "web/src");
const sources = all.filter(({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts"));

/** `ir/passes` of `src/ir/passes/pass.ts`; empty for the doors in `src/` itself. */
function folderOf(path: string): string {
  return path.split("/").slice(1, -1).join("/");
}

function topOf(path: string): string {
  return folderOf(path).split("/")[0] ?? "";
}

/** The table of ARCHITECTURE.md: each folder with what it may import, and what of that only as types. */
function importTable(): Map<string, { readonly allowed: Set<string>; readonly types: Set<string> }> {
  const table = new Map<string, { allowed: Set<string>; types: Set<string> }>();
  for (const [, names = "", may = ""] of readText("ARCHITECTURE.md").matchAll(
    /^\| (`[^|]+) \|[^|]+\| ([^|]+) \|$/gm,
  )) {
    const [allowedText = ""] = may.split(";");
    const entries = allowedText.split(",").map((entry) => entry.trim().replaceAll("`", ""));
    const above = entries.includes("all above") ? [...table.keys()] : [];
    const allowed = new Set([...entries.map((entry) => entry.replace(/ \(.*\)$/, "")), ...above]);
    const types = new Set(
      entries.filter((entry) => entry.endsWith("(types)")).map((entry) => entry.replace(" (types)", "")),
    );
    for (const [, name = ""] of names.matchAll(/`([\w-]+)\/`/g)) table.set(name, { allowed, types });
  }
  return table;
}

describe("imports", () => {
  const table = importTable();

  test("every folder is in the table of ARCHITECTURE.md", () => {
    expect(
      [...new Set(sources.map(({ path }) => topOf(path)))].filter((top) => top !== "" && !table.has(top)),
    ).toEqual([]);
  });

  test("go only where the table lets them", () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const row = table.get(topOf(path));
      return imports.flatMap(({ from, isTypeOnly }) => {
        if (row === undefined || !from.startsWith("src/") || topOf(from) === topOf(path)) return [];
        const target = topOf(from) === "" ? basename(from) : topOf(from);
        if (!row.allowed.has(target)) return [`${path} imports ${from}`];
        return row.types.has(target) && !isTypeOnly ? [`${path} imports more than types from ${from}`] : [];
      });
    });
    expect(wrong).toEqual([]);
  });

  test.each(["dialects", "drivers"])("%s know nothing of their siblings", (folder) => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const own = folderOf(path);
      if (!own.startsWith(`${folder}/`)) return [];
      const siblings = imports.filter(
        ({ from }) => folderOf(from).startsWith(`${folder}/`) && folderOf(from) !== own,
      );
      return siblings.map(({ from }) => `${path} imports ${from}`);
    });
    expect(wrong).toEqual([]);
  });
});

const PURE = new Set(["base", "source", "expr", "ir", "dialects", "builder", "completion", "repair", "core"]);

/** What may not be used, where, and what to use instead. `except` are the files that are there to do it. */
const BANNED: readonly {
  name: RegExp;
  isBanned: (top: string) => boolean;
  instead: string;
  except?: readonly string[];
}[] = [
  {
    name: /^(Date\.now|new Date|performance\.now)$/,
    isBanned: (top) => PURE.has(top),
    instead: "the time of the event at hand",
    except: ["src/base/clock.ts"],
  },
  {
    name: /^(setTimeout|setInterval|setImmediate|queueMicrotask)$/,
    isBanned: (top) => PURE.has(top),
    instead: "a StartTimer command",
    except: ["src/base/clock.ts"],
  },
  {
    name: /^(Math\.random|crypto\.randomUUID)$/,
    isBanned: (top) => PURE.has(top),
    instead: "the seeded random of base/random.ts",
  },
  {
    name: /^(async|fetch)$/,
    isBanned: (top) => PURE.has(top),
    instead: "commands that a driver carries out",
  },
  {
    name: /^process\.exit$/,
    isBanned: (top) => top !== "cli",
    instead: "an error that the caller can catch",
  },
  {
    name: /^console\.\w+$/,
    isBanned: (top) => top !== "cli",
    instead: "the log of a tool's context, or a returned value",
  },
];

describe("banned", () => {
  test.each(BANNED)("$name: use $instead", ({ name, isBanned, except }) => {
    const wrong = sources.filter(({ path }) => isBanned(topOf(path)) && except?.includes(path) !== true);
    const used = wrong.flatMap(({ path, uses }) =>
      uses.filter((use) => name.test(use.name)).map((use) => `${path}:${use.line} ${use.name}`),
    );
    expect(used).toEqual([]);
  });

  test("node modules in what must run anywhere", () => {
    const wrong = sources.filter(
      ({ path, imports }) => PURE.has(topOf(path)) && imports.some(({ from }) => from.startsWith("node:")),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe("sizes", () => {
  const LINES_MAX = 500;
  const LINES_MANY = 300;
  const FUNCTION_LINES_MAX = 60;

  test(`no file has more than ${LINES_MAX} lines`, () => {
    const large = all
      .filter(({ lines }) => lines > LINES_MANY)
      .map(({ path, lines }) => `${path}: ${lines} lines`);
    if (large.length > 0)
      process.stdout.write(`Look for the second thing in these files:\n  ${large.join("\n  ")}\n`);
    expect(all.filter(({ lines }) => lines > LINES_MAX).map(({ path }) => path)).toEqual([]);
  });

  test(`no function has more than ${FUNCTION_LINES_MAX} lines`, () => {
    const long = sources.flatMap(({ path, functions }) =>
      functions
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ line, lines }) => `${path}:${line} has ${lines}`),
    );
    expect(long).toEqual([]);
  });
});

test("names say what is inside", () => {
  const vague = /^(utils?|helpers?|types|common|misc|shared|lib|stuff)(\.test)?\.tsx?$/;
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/;
  const wrong = all.filter(({ path }) => vague.test(basename(path)) || !kebab.test(basename(path)));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("what is exported is imported somewhere", () => {
  const doors = new Set(["src/index.ts", "src/compiler.ts", "src/restate.ts", "src/cli/main.ts"]);
  const used = new Map<string, Set<string>>();
  for (const { imports } of all) {
    for (const { from, names } of imports) {
      const known = used.get(from) ?? new Set();
      for (const name of names) known.add(name);
      used.set(from, known);
    }
  }
  const isUsed = (file: SourceFile, name: string) =>
    used.get(file.path)?.has(name) === true || used.get(file.path)?.has("*") === true;
  const dead = sources
    .filter(({ path }) => !doors.has(path))
    .flatMap((file) =>
      file.exports.filter((name) => !isUsed(file, name)).map((name) => `${file.path}: ${name}`),
    );
  expect(dead).toEqual([]);
});
