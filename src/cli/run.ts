import type { Diagnostic } from "../compiler.ts";
import { PlanError } from "../index.ts";
import { clusterOptions, RESTATE } from "./cluster.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, CONTEXT, DB, FILES, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { type Environment, loadEnvironment } from "./environment.ts";
import { followOptions, followRun, JSON_RESULT, QUIET } from "./follow-run.ts";
import { readObject } from "./key-values.ts";
import { namedPlan } from "./named-plan.ts";
import { engineFor, fileTokenFor } from "./open-engine.ts";
import { openDriver, storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";
import { compilePlan, type PlanFile, readBeside, readPlan } from "./plan-file.ts";
import { showProblems } from "./show-problems.ts";

export const command: Command = {
  operands: "FILE",
  about: [
    "Runs a plan and shows how it goes. Everything is kept in the store as it happens: after a crash, sequitur resume goes on.",
    "On a terminal, what the plan asks for is asked; elsewhere the run waits for sequitur input. - is standard input.",
    "Values of k=v are JSON where they are JSON, else text.",
    "Exit code 0: completed; 1: the plan is wrong; 3: the run failed; 4: it waits for a person; 130: it was cancelled.",
  ].join("\n"),
  options: [
    { name: "args", kind: "value", value: "JSON|@FILE", about: "the plan's arguments" },
    { name: "arg", kind: "list", value: "K=V", about: "one of the plan's arguments" },
    { name: "inputs", kind: "value", value: "JSON|@FILE", about: "answers to what the plan asks for" },
    { name: "input", kind: "list", value: "K=V", about: "one of these answers" },
    TOOLS,
    AGENTS,
    FILES,
    CONTEXT,
    DB,
    RESTATE,
    {
      name: "continue",
      kind: "flag",
      about: "after a failure, go on with every step that does not need the failed one",
    },
    JSON_RESULT,
    QUIET,
  ],
  run: runPlan,
};

async function runPlan(parsed: Parsed, console: Console): Promise<ExitCode> {
  const operand = namedPlan(parsed);
  const started = Date.now();
  const given = {
    arguments: await readObject(parsed, "args", "arg", console),
    inputs: await readObject(parsed, "inputs", "input", console),
  };
  const environment = await loadEnvironment(parsed, console);
  const plan = await readPlan(operand, console);
  if (typeof plan === "string" || !passes(plan, environment, parsed, console)) {
    await environment.remote?.close();
    if (typeof plan === "string") throw new UsageError(plan);
    return EXIT.planIsWrong;
  }
  const driver = await openDriver(storeFile(parsed, console, parsed.operands));
  const { cluster } = await clusterOptions(parsed);
  const engine = await engineFor(environment, driver, cluster && { cluster });
  try {
    const hasFiles = environment.config.files !== undefined && cluster === undefined;
    const fileToken = hasFiles ? await fileTokenFor(engine) : undefined;
    const begin = () =>
      engine.start(plan.text, {
        ...given,
        mode: parsed.flag("continue") ? "continue" : "stop",
        file: plan.file ?? plan.name,
        load: (path) => readBeside(plan, path, console.folder),
        ...(environment.contextVariables !== undefined && { contextVariables: environment.contextVariables }),
        ...(fileToken !== undefined && { fileToken }),
      });
    return await followRun(begin, followOptions(parsed, started), console);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    showProblems(error.diagnostics.map(locate), new Map([[plan.file ?? plan.name, plan]]), console);
    return EXIT.planIsWrong;
  } finally {
    await engine.close();
  }
}

/** Shows what is wrong with a plan, as `check` does. Nothing has been called then, and nothing is kept. */
function passes(plan: PlanFile, environment: Environment, parsed: Parsed, console: Console): boolean {
  const { tools, agents } = environment;
  const complete = { ...environment, tools: tools ?? {}, agents: agents ?? {} };
  const { program, diagnostics, documents } = compilePlan(plan, complete, console.folder);
  const shown = parsed.flag("quiet") && program !== undefined ? [] : diagnostics;
  if (shown.length > 0) showProblems(shown, documents, console);
  if (program !== undefined) return true;
  const missing = (code: string) => diagnostics.some((diagnostic) => diagnostic.code === code);
  if (tools === undefined && missing("unknown-tool")) console.err(adviceOn("tools", "--tools MODULE"));
  if (agents === undefined && missing("unknown-agent")) console.err(adviceOn("agents", "--agents DIR"));
  return false;
}

function adviceOn(what: string, option: string): string {
  return `No ${what} were given: name them with ${option}, or with "${what}" in sequitur.config.json.`;
}

/** Arguments and answers stand in no file. */
function locate(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.code === "given-argument"
    ? { ...diagnostic, pointer: "given on the command line" }
    : diagnostic;
}
