import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { coreAgentDefinitions, typeDeclarations } from "../compiler.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { loadEnvironment } from "./environment.ts";
import type { Parsed } from "./options.ts";

export const command: Command = {
  operands: "",
  about: [
    "Writes TypeScript types of what your tools and agents take and give, for plan<Tools>() and for your own code. Tools bring JSON",
    "Schemas, agents declare their arguments and responses; what nobody declared is unknown. Without --out they are printed.",
  ].join("\n"),
  options: [
    { name: "out", short: "o", kind: "value", value: "FILE", about: "write them into a file" },
    TOOLS,
    AGENTS,
  ],
  run: types,
};

async function types(parsed: Parsed, console: Console): Promise<ExitCode> {
  const { tools, agents } = await loadEnvironment(parsed, console);
  if (tools === undefined && agents === undefined)
    throw new UsageError(
      `Types of what? Name --tools MODULE or --agents DIR, or "tools" or "agents" in sequitur.config.json.`,
    );
  const text = typeDeclarations(tools ?? {}, { ...coreAgentDefinitions, ...agents });
  const file = parsed.value("out");
  if (file === undefined) {
    console.out(text.trimEnd());
    return EXIT.ok;
  }
  await writeFile(resolve(console.folder, file), text).catch((error: Error) => {
    throw new UsageError(`${file} cannot be written: ${error.message}`);
  });
  console.err(`Written to ${file}.`);
  return EXIT.ok;
}
