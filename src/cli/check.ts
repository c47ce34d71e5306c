import { countRepairs, type Diagnostic } from "../compiler.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, CONTEXT, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { counted } from "./counted.ts";
import { type Environment, loadEnvironment } from "./environment.ts";
import { fixPlan } from "./fix-files.ts";
import type { Parsed } from "./options.ts";
import { compilePlan, type PlanDocument, plansBelow, readPlan } from "./plan-file.ts";
import { showProblems } from "./show-problems.ts";

export const command: Command = {
  operands: "FILE…",
  about: [
    "Finds every problem of the plans at once, before anything runs. - is standard input; a folder stands for the plans",
    "below it (*.agent, *.agent.json, *.plan.json, *.workflow.json). Unknown tools and agents are problems once --tools or",
    "--agents says which there are. Exit code 0: no errors; 1: a plan is wrong; 2: a file cannot be read.",
  ].join("\n"),
  options: [
    { name: "json", kind: "flag", about: "print { ok, diagnostics } and nothing else on standard output" },
    { name: "fix", kind: "flag", about: "apply the fixes that need no thinking, then report what is left" },
    TOOLS,
    AGENTS,
    CONTEXT,
  ],
  run: check,
};

/** What has been found so far, over all plans. */
class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly documents = new Map<string | undefined, PlanDocument>();
  plans = 0;
  readonly #seen = new Set<string>();

  /** Plans share agents, so that the same problem may turn up with each of them. */
  add(found: readonly Diagnostic[], documents: ReadonlyMap<string | undefined, PlanDocument>): void {
    this.plans++;
    for (const diagnostic of found) {
      const { file, line, column, pointer, code, message } = diagnostic;
      const key = JSON.stringify([file, line, column, pointer, code, message]);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.diagnostics.push(diagnostic);
      const document = documents.get(file);
      if (document !== undefined) this.documents.set(file, document);
    }
  }

  get ok(): boolean {
    return this.diagnostics.every((diagnostic) => diagnostic.severity !== "error");
  }
}

async function check(parsed: Parsed, console: Console): Promise<ExitCode> {
  if (parsed.operands.length === 0)
    throw new UsageError("Which plan? Name one or more files, or - for standard input.");
  const json = parsed.flag("json");
  if (json && parsed.flag("fix") && parsed.operands.includes("-")) {
    throw new UsageError(
      "--fix writes a plan from standard input to standard output, where --json writes as well.",
    );
  }
  const report = new Report();
  const { operands, unreadable } = expandFolders(parsed.operands, console);
  let environment = await loadEnvironment(parsed, console);
  await environment.remote?.close();
  let readable = !unreadable;
  for (const operand of operands) {
    const plan = await readPlan(operand, console);
    if (typeof plan === "string") {
      console.err(`sequitur check: ${plan}`);
      readable = false;
    } else if (parsed.flag("fix")) {
      environment = await fixAndCheck(plan, environment, report, console, json);
    } else {
      const { diagnostics, documents } = compilePlan(plan, environment, console.folder);
      report.add(diagnostics, documents);
    }
  }
  if (json)
    console.out(JSON.stringify({ ok: report.ok && readable, diagnostics: report.diagnostics }, null, 2));
  else if (report.plans > 0) show(report, operands, console);
  if (!readable) return EXIT.usage;
  return report.ok ? EXIT.ok : EXIT.planIsWrong;
}

/** A folder without plans is a mistake only where there is nothing else to check: `examples/*` names every folder. */
function expandFolders(
  operands: readonly string[],
  console: Console,
): { readonly operands: string[]; readonly unreadable: boolean } {
  const files: string[] = [];
  for (const operand of operands) {
    const below = plansBelow(operand, console);
    if (below === undefined && operands.length > 1 && isBesidePlans(operand)) continue;
    files.push(...(below ?? [operand]));
  }
  if (files.length === 0) console.err(`sequitur check: there are no plans below ${operands.join(", ")}`);
  return { operands: [...new Set(files)], unreadable: files.length === 0 };
}

/** `*.json` names what stands beside plans as well. */
function isBesidePlans(operand: string): boolean {
  return /(^|[\\/])sequitur\.config\.json$|\.test\.json$/.test(operand);
}

async function fixAndCheck(
  plan: Parameters<typeof fixPlan>[0],
  environment: Environment,
  report: Report,
  console: Console,
  json: boolean,
): Promise<Environment> {
  const fixed = await fixPlan(plan, environment, console.folder);
  const { diagnostics, documents } = compilePlan(fixed.plan, fixed.environment, console.folder);
  report.add(diagnostics, documents);
  if (plan.file === undefined) console.out(fixed.plan.text.replace(/\n$/, ""));
  const say = json || plan.file === undefined ? console.err : console.out;
  for (const [name, count] of fixed.repaired) say(`Fixed ${counted(count, "problem")} in ${name}.`);
  return fixed.environment;
}

function show(report: Report, operands: readonly string[], console: Console): void {
  const { diagnostics, documents, plans } = report;
  if (diagnostics.length === 0) {
    // With a plan on standard input, standard output may hold the repaired plan.
    const say = operands.includes("-") ? console.err : console.out;
    const what = operands[0] === "-" ? "<stdin>" : operands[0];
    say(`${plans === 1 ? what : `${plans} plans`}: no problems`);
    return;
  }
  showProblems(diagnostics, documents, console);
  let fixable = 0;
  for (const [name, { text }] of documents) {
    fixable += countRepairs(
      text,
      diagnostics.filter((diagnostic) => diagnostic.file === name),
    );
  }
  if (fixable > 0)
    console.err(`${counted(fixable, "of these can", "of these can")} be fixed by sequitur check --fix.`);
}
