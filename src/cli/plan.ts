import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { draw, harmless } from "../compiler.ts";
import { type DialectName, type Engine, type PlannedGoal, SequiturError } from "../index.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { AGENTS, CONTEXT, DB, FILES, TOOLS } from "./config.ts";
import type { Console } from "./console.ts";
import { counted } from "./counted.ts";
import { type Environment, loadEnvironment } from "./environment.ts";
import { followOptions, followRun } from "./follow-run.ts";
import { engineFor, fileTokenFor } from "./open-engine.ts";
import { openDriver, storeFile } from "./open-store.ts";
import type { Parsed } from "./options.ts";

export const command: Command = {
  operands: "GOAL",
  about: [
    "Asks a model for a plan that reaches a goal with your tools, mends what needs no model, gives the rest back, and shows what",
    "the plan would do. The plan is printed on standard output; nothing but the model is called, unless --run says so.",
    'Models stand in sequitur.config.json: { "models": { "default": { "baseUrl": …, "model": …, "apiKey": { "$secret": "NAME" } } } }.',
    "Exit code 0: there is a plan (with --run: it completed); 1: there is none; 3: the model, or the run, failed.",
  ].join("\n"),
  options: [
    {
      name: "dialect",
      kind: "value",
      choices: ["actions", "steps", "agent"],
      about: "the plan's language; actions, if not given",
    },
    { name: "run", kind: "flag", about: "run the plan, after showing it" },
    { name: "out", short: "o", kind: "value", value: "FILE", about: "write the plan into a file" },
    {
      name: "model",
      kind: "value",
      value: "NAME",
      about: 'a name from "models", or of a model; default, if not given',
    },
    {
      name: "may-use",
      kind: "list",
      value: "NAME",
      about: "a tool, or an agent's path, that the plan may call; all, if not given",
    },
    {
      name: "rounds",
      kind: "value",
      value: "N",
      about: "how often the model is asked at most; 4, if not given",
    },
    { name: "json", kind: "flag", about: "print the plan with everything that is known of it as JSON" },
    TOOLS,
    AGENTS,
    FILES,
    CONTEXT,
    DB,
  ],
  run: plan,
};

async function plan(parsed: Parsed, console: Console): Promise<ExitCode> {
  const goal = parsed.operands.join(" ").trim();
  if (goal === "")
    throw new UsageError('What is to be done? Say it in quotes: sequitur plan "Write John a mail".');
  if (parsed.flag("json") && parsed.flag("run"))
    throw new UsageError("--json prints the plan, and --run runs it; give one of them.");
  const started = Date.now();
  const environment = await loadEnvironment(parsed, console);
  if (environment.config.models === undefined)
    throw new UsageError(`There is no model to ask: name one with "models" in sequitur.config.json.`);
  const driver = parsed.flag("run") ? await openDriver(storeFile(parsed, console, [])) : "memory";
  const engine = await engineFor(environment, driver);
  try {
    const planned = await engine.plan(goal, planOptions(parsed));
    if (parsed.flag("json")) console.out(JSON.stringify(report(planned), null, 2));
    else show(planned, console);
    if (planned.text === undefined || !planned.ok) return EXIT.planIsWrong;
    await hand(planned.text, parsed, console);
    if (!parsed.flag("run")) return EXIT.ok;
    return await runPlanned(planned.text, engine, environment, followOptions(parsed, started), console);
  } catch (error) {
    if (!(error instanceof SequiturError) || !error.code.startsWith("MODEL_")) throw error;
    console.err(`sequitur plan: ${error.message}`);
    return EXIT.runFailed;
  } finally {
    await engine.close();
  }
}

function planOptions(parsed: Parsed): Parameters<Engine["plan"]>[1] {
  const rounds = Number(parsed.value("rounds") ?? 4);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new UsageError("--rounds must be a whole number from 1.");
  const names = parsed.list("may-use");
  const model = parsed.value("model");
  return {
    // The table of options lets no other through.
    dialect: (parsed.value("dialect") ?? "actions") as DialectName,
    roundsMax: rounds,
    ...(model !== undefined && { model }),
    ...(names.length > 0 && { mayUse: names }),
  };
}

/** Everything but the compiled program, which is no JSON. */
function report({ program: _program, ...planned }: PlannedGoal): object {
  return planned;
}

/** What became of the goal; on standard error, since the plan itself is the result. */
function show(planned: PlannedGoal, console: Console): void {
  const { rounds, program, leftOut, tools, usage } = planned;
  const told = `${counted(tools.length, "tool")} to choose from`;
  const without = leftOut.length === 0 ? "" : `, ${leftOut.length} left out`;
  const tokens = `${usage.inputTokens + usage.outputTokens} tokens`;
  console.err(`${told}${without} · ${counted(rounds.length, "round")} · ${tokens}`);
  for (const [i, { fixed, guesses, problems }] of rounds.entries()) {
    const what = `Round ${i + 1}:`;
    if (fixed > 0) console.err(`${what} mended ${counted(fixed, "problem")}.`);
    for (const guess of guesses) console.err(`${what} took it to mean: ${harmless(guess)}.`);
    if (problems.length > 0) console.err(`${what} ${counted(problems.length, "problem")} left.`);
  }
  if (program !== undefined) console.err(`\n${draw(program, "text", { color: console.errColor })}\n`);
  else console.err(`\nThere is no plan: ${whyNot(planned)}`);
}

/** The model's own reason, or everything that was still wrong at the end. */
function whyNot({ reason, rounds }: PlannedGoal): string {
  const problems = rounds.at(-1)?.problems ?? [];
  if (problems.length < 2) return harmless(reason ?? "the model gave none.");
  return problems.map((problem) => `\n- ${harmless(problem)}`).join("");
}

async function hand(text: string, parsed: Parsed, console: Console): Promise<void> {
  const file = parsed.value("out");
  if (file !== undefined) {
    await writeFile(resolve(console.folder, file), `${text}\n`);
    console.err(`Written to ${file}.`);
  } else if (!parsed.flag("json") && !parsed.flag("run")) console.out(text);
}

async function runPlanned(
  text: string,
  engine: Engine,
  environment: Environment,
  options: ReturnType<typeof followOptions>,
  console: Console,
): Promise<ExitCode> {
  const fileToken = environment.config.files === undefined ? undefined : await fileTokenFor(engine);
  const begin = () =>
    engine.start(text, {
      ...(environment.contextVariables !== undefined && { contextVariables: environment.contextVariables }),
      ...(fileToken !== undefined && { fileToken }),
    });
  return followRun(begin, options, console);
}
