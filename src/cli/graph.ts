import { DRAWING_FORMATS, type DrawingFormat, draw, renderDiagnostics } from "../compiler.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, CONTEXT, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { loadEnvironment } from "./environment.ts";
import type { Parsed } from "./options.ts";
import { compilePlan, readPlan } from "./plan-file.ts";

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
  const [operand, ...more] = parsed.operands;
  if (operand === undefined) throw new UsageError("Which plan? Name a file, or - for standard input.");
  if (more.length > 0) throw new UsageError(`One plan at a time: "${more[0]}" is one too many.`);
  const environment = await loadEnvironment(parsed, console);
  // Nothing is called: what the servers say of their tools is all that is needed.
  await environment.remote?.close();
  const plan = await readPlan(operand, console);
  if (typeof plan === "string") throw new UsageError(plan);
  const { program, diagnostics, documents } = compilePlan(plan, environment, console.folder);
  if (program === undefined) {
    const texts = new Map([...documents].map(([name, document]) => [name, document.text]));
    console.err(renderDiagnostics(diagnostics, texts, { color: console.errColor }));
    return EXIT.planIsWrong;
  }
  // The table of options lets no other format through.
  const format = (parsed.value("format") ?? "text") as DrawingFormat;
  console.out(draw(program, format, { color: console.outColor }));
  return EXIT.ok;
}
