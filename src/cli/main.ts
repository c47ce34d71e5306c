import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { type CommandEntry, commands } from "./commands.ts";
import { type Console, processConsole } from "./console.ts";
import type { Parsed } from "./options.ts";

/** Runs a command line and gives its exit code. */
export async function main(args: readonly string[], console: Console = processConsole()): Promise<ExitCode> {
  const [first, ...rest] = args;
  try {
    if (first === "--version" || first === "-V") return await version(console);
    if (first === "--help" || first === "-h") return await help(undefined, console);
    if (first === "help") return await help(rest[0], console);
    if (first === undefined) throw new UsageError("Which command? sequitur --help lists them.");
    return await runCommand(await findCommand(first), rest, console);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.err(`sequitur: ${error.message}`);
    return EXIT.usage;
  }
}

async function runCommand(entry: CommandEntry, args: readonly string[], console: Console): Promise<ExitCode> {
  const [{ command }, { parseOptions }] = await Promise.all([entry.load(), import("./options.ts")]);
  // Asking for help is no mistake, whatever else stands on the line.
  if (args.includes("--help") || args.includes("-h")) return help(entry.name, console);
  try {
    const parsed = parseOptions(args, command.options);
    const [operand] = parsed.operands;
    if (command.operands === "" && operand !== undefined)
      throw new UsageError(`${entry.name} takes no operand: "${operand}".`);
    return await withCleanOutput(parsed, console, command);
  } catch (error) {
    if (!(error instanceof UsageError))
      return (await import("./world-failure.ts")).report(error, entry.name, console);
    const { usageLine } = await import("./usage.ts");
    console.err(`sequitur ${entry.name}: ${error.message}\n\n${usageLine(entry.name, command)}`);
    return EXIT.usage;
  }
}

/** With `--json`, standard output has the JSON and nothing else, whatever a tool or its module prints. */
async function withCleanOutput(parsed: Parsed, console: Console, command: Command): Promise<ExitCode> {
  if (!parsed.flag("json")) return command.run(parsed, console);
  const restore = console.divert((text) => console.err(text.replace(/\n$/, "")));
  try {
    return await command.run(parsed, console);
  } finally {
    restore();
  }
}

async function findCommand(name: string): Promise<CommandEntry> {
  const entry = commands.find((command) => command.name === name);
  if (entry !== undefined) return entry;
  const { nearest } = await import("../compiler.ts");
  const names = commands.map((command) => command.name);
  const near = nearest(name, names);
  const instead = near === undefined ? `Commands: ${names.join(", ")}.` : `Did you mean ${near}?`;
  const what = name.startsWith("-") ? "option" : "command";
  throw new UsageError(`There is no ${what} "${name}". ${instead} sequitur --help says more.`);
}

async function help(name: string | undefined, console: Console): Promise<ExitCode> {
  const usage = await import("./usage.ts");
  if (name === undefined) console.out(usage.usageOfAll(commands));
  else console.out(usage.usageOf(name, (await (await findCommand(name)).load()).command));
  return EXIT.ok;
}

async function version(console: Console): Promise<ExitCode> {
  const { ownVersion } = await import("./own-version.ts");
  console.out(await ownVersion());
  return EXIT.ok;
}
