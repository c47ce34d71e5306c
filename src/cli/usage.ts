import type { Command } from "./command.ts";
import type { CommandEntry } from "./commands.ts";
import { HELP, type OptionSpec } from "./options.ts";

/** `sequitur --help`. */
export function usageOfAll(commands: readonly CommandEntry[]): string {
  const rows = commands.map((entry) => [entry.name, entry.summary] as const);
  return [
    "Usage: sequitur COMMAND …",
    "",
    "Plans are JSON: steps that call tools and refer to each other's results.",
    "",
    "Commands:",
    ...columns(rows),
    "",
    "sequitur COMMAND --help says more. sequitur --version prints the version.",
  ].join("\n");
}

/** `sequitur check --help`. */
export function usageOf(name: string, command: Command): string {
  const rows = [...command.options, HELP].map((option) => [titleOf(option), option.about] as const);
  return [usageLine(name, command), "", command.about, "", "Options:", ...columns(rows)].join("\n");
}

export function usageLine(name: string, command: Command): string {
  const options = command.options.map((option) => `[${titleOf(option)}]${option.kind === "list" ? "…" : ""}`);
  return `Usage: ${["sequitur", name, command.operands, ...options].filter((part) => part !== "").join(" ")}`;
}

function titleOf({ name, short, kind, value, choices }: OptionSpec): string {
  // -h is the same everywhere, and shown nowhere.
  const option = short === undefined || name === "help" ? `--${name}` : `-${short}, --${name}`;
  return kind === "flag" ? option : `${option} ${choices?.join("|") ?? value ?? "VALUE"}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
