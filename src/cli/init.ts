import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import type { Console } from "./console.ts";
import { INIT_FILES, INIT_PLAN } from "./init-files.ts";
import type { Parsed } from "./options.ts";

export const command: Command = {
  operands: "[DIR]",
  about:
    "Makes a small project that runs: a plan, its tools, tests, a configuration. Files that are there are left alone.",
  options: [],
  run: init,
};

async function init(parsed: Parsed, console: Console): Promise<ExitCode> {
  const [operand = ".", ...more] = parsed.operands;
  if (more.length > 0) throw new UsageError(`One folder at a time: "${more[0]}" is one too many.`);
  const folder = resolve(console.folder, operand);
  const taken = INIT_FILES.filter(({ name }) => existsSync(join(folder, name)));
  if (taken.length > 0) {
    const names = taken.map(({ name }) => name).join(", ");
    throw new UsageError(`${operand} already has ${names}. Name another folder: sequitur init DIR.`);
  }
  try {
    await mkdir(folder, { recursive: true });
    for (const { name, text } of INIT_FILES) await writeFile(join(folder, name), text, { flag: "wx" });
  } catch (error) {
    throw new UsageError(
      `${operand} cannot be written to: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const width = Math.max(...INIT_FILES.map(({ name }) => name.length));
  const files = INIT_FILES.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`);
  const place = relative(console.folder, folder);
  const sequitur = await commandFrom(folder, console);
  console.out(
    [
      `Made in ${place === "" ? "this folder" : place}:`,
      ...files,
      "",
      "Next:",
      ...(place === "" ? [] : [`  cd ${shellWord(place)}`]),
      `  ${sequitur} run ${INIT_PLAN}`,
      `  ${sequitur} test`,
    ].join("\n"),
  );
  return EXIT.ok;
}

/** How `sequitur` is called from the new folder, so that the printed command works there. */
async function commandFrom(folder: string, console: Console): Promise<string> {
  if (await isInstalledFor(folder)) return "npx sequitur";
  const folders = (console.env.PATH ?? "").split(delimiter);
  if (folders.some((one) => one !== "" && existsSync(join(one, "sequitur")))) return "sequitur";
  const bin = fileURLToPath(new URL("../../bin/sequitur.js", import.meta.url));
  return `${shellWord(process.execPath)} ${shellWord(bin)}`;
}

/** npx takes what the nearest project depends on, or is. */
async function isInstalledFor(folder: string): Promise<boolean> {
  try {
    createRequire(join(folder, "x.js")).resolve("sequitur/package.json");
    return true;
  } catch {
    return (await nameOfProject(folder)) === "sequitur";
  }
}

async function nameOfProject(folder: string): Promise<unknown> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (text !== undefined) return (JSON.parse(text) as { readonly name?: unknown }).name;
  return dirname(folder) === folder ? undefined : nameOfProject(dirname(folder));
}

function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
