import { DRAWING_FORMATS, type DrawingFormat, draw } from "../compiler.ts";
import { type Command, EXIT, type ExitCode } from "./command.ts";
import { AGENTS, CONTEXT, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { compileNamedPlan, namedPlan } from "./named-plan.ts";
import type { Parsed } from "./options.ts";

export const command: Command = {
  operands: "FILE",
  about: [
    "Draws what waits for what, level by level, and says what the plan will call at most, its longest chain, and what it",
    "asks people. - is standard input. A plan with errors is not drawn: exit code 1.",
  ].join("\n"),
  options: [
    { name: "format", kind: "value", choices: DRAWING_FORMATS, about: "text, if not given" },
    TOOLS,
    AGENTS,
    CONTEXT,
  ],
  run: graph,
};

async function graph(parsed: Parsed, console: Console): Promise<ExitCode> {
  const program = await compileNamedPlan(namedPlan(parsed), parsed, console);
  if (program === undefined) return EXIT.planIsWrong;
  // The table of options lets no other format through.
  const format = (parsed.value("format") ?? "text") as DrawingFormat;
  console.out(draw(program, format, { color: console.outColor }));
  return EXIT.ok;
}
