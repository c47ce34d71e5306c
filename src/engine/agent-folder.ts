import { join, relative, sep } from "node:path";
import { SequiturError } from "../base/error.ts";

/** Definitions below a folder, as text: `DIR/a/b.agent` is `/a/b.agent`. */
export async function readAgentFolder(folder: string): Promise<Record<string, string>> {
  // Few engines have such a folder, and every start would pay for what reads it.
  const { readdir, readFile } = await import("node:fs/promises");
  const agents: Record<string, string> = {};
  let entries: import("node:fs").Dirent[];
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (cause) {
    throw new SequiturError("AGENTS_UNREADABLE", `The folder of agents "${folder}" cannot be read.`, {
      cause,
    });
  }
  for (const entry of entries) {
    if (!entry.isFile() || !/\.(agent|tool)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    agents[`/${relative(folder, file).split(sep).join("/")}`] = await readFile(file, "utf8");
  }
  return agents;
}
