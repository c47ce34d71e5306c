import type { Program } from "../compiler.ts";
import { UsageError } from "./command.ts";
import type { Console } from "./console.ts";
import { loadEnvironment } from "./environment.ts";
import type { Parsed } from "./options.ts";
import { compilePlan, readPlan } from "./plan-file.ts";
import { showProblems } from "./show-problems.ts";

/** The one plan that a command line names: a file, or - for standard input. */
export function namedPlan(parsed: Parsed): string {
  const [operand, ...more] = parsed.operands;
  if (operand === undefined) throw new UsageError("Which plan? Name a file, or - for standard input.");
  if (more.length > 0) throw new UsageError(`One plan at a time: "${more[0]}" is one too many.`);
  return operand;
}

/** Compiles a plan to look at it. What does not compile is undefined, and what is wrong with it has been shown. */
export async function compileNamedPlan(
  operand: string,
  parsed: Parsed,
  console: Console,
): Promise<Program | undefined> {
  const environment = await loadEnvironment(parsed, console);
  // Nothing is called: what the servers say of their tools is all that is needed.
  await environment.remote?.close();
  const plan = await readPlan(operand, console);
  if (typeof plan === "string") throw new UsageError(plan);
  const { program, diagnostics, documents } = compilePlan(plan, environment, console.folder);
  if (program === undefined) showProblems(diagnostics, documents, console);
  return program;
}
