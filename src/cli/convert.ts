import { convert, type DialectName } from "../compiler.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, CONTEXT, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { compileNamedPlan, namedPlan } from "./named-plan.ts";
import type { Parsed } from "./options.ts";

const LANGUAGES: readonly DialectName[] = ["agent", "steps", "actions"];

export const command: Command = {
  operands: "FILE",
  about: [
    "Writes the plan in another language to standard output: it calls the same tools with the same values. What it says in",
    "another way is named on standard error. Where the language has no words for something, all reasons are given and",
    "nothing is written: exit code 1. - is standard input.",
  ].join("\n"),
  options: [
    { name: "to", kind: "value", choices: LANGUAGES, about: "the language to write" },
    TOOLS,
    AGENTS,
    CONTEXT,
  ],
  run: convertPlan,
};

async function convertPlan(parsed: Parsed, console: Console): Promise<ExitCode> {
  const operand = namedPlan(parsed);
  // The table of options lets no other language through.
  const to = parsed.value("to") as DialectName | undefined;
  if (to === undefined) throw new UsageError(`Into which language? Say --to ${LANGUAGES.join(", --to ")}.`);
  const program = await compileNamedPlan(operand, parsed, console);
  if (program === undefined) return EXIT.planIsWrong;
  const { plan: written, reasons, changes } = convert(program, to);
  for (const change of changes) console.err(`${change}\n`);
  if (written === undefined) {
    console.err(
      `${operand} cannot be written in the language "${to}":\n${reasons.map((one) => `  - ${one}\n`).join("")}`,
    );
    return EXIT.planIsWrong;
  }
  console.out(`${JSON.stringify(written, null, 2)}\n`);
  return EXIT.ok;
}
