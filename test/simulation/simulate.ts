/*
 * Runs a program on the core alone. Everything that can happen next (answers, timers, people) lies in a list; whoever simulates
 * chooses what happens. The laws are looked at after each event.
 */
import type { Json, JsonObject } from "../../src/base/json.ts";
import { ContextVariables } from "../../src/context/context.ts";
import { advance, isOver } from "../../src/core/advance.ts";
import type { Command, StartStep } from "../../src/core/commands.ts";
import type { RunEvent, RunStarted } from "../../src/core/events.ts";
import { JOURNAL_VERSION } from "../../src/core/journal.ts";
import { framesOf, watchLaws } from "../../src/core/laws.ts";
import { newRun, type RunSetup, type RunState } from "../../src/core/state.ts";
import { compile } from "../../src/dialects/compile.ts";
import { SchemaValidator } from "../../src/engine/validator.ts";
import { builtInFunctions } from "../../src/expr/functions/registry.ts";
import type { Program } from "../../src/ir/program.ts";
import { answer, durationOf, inputOf, says, TOOLS } from "./world.ts";

export interface Scenario {
  readonly program: Program;
  readonly validator: SchemaValidator;
  /** Makes steps of the same name behave differently in different scenarios. */
  readonly runId: string;
  readonly mode: "stop" | "continue";
  readonly concurrency: number;
  readonly arguments: JsonObject;
  readonly eager: boolean;
  readonly deadlineMs?: number;
  /** Cancels the run when so many events have happened. */
  readonly cancelAt?: number;
}

/** Something that can happen: `dueAt` says when, where time matters. */
export interface Possible {
  readonly event: RunEvent;
  readonly dueAt: number;
}

/** Which of these happens next. */
export type Choose = (possible: readonly Possible[]) => number;

export interface Simulated {
  readonly state: RunState;
  readonly journal: readonly RunEvent[];
  /** What the core answered to each event. */
  readonly commands: readonly (readonly Command[])[];
  /** A composite failed in the stop mode: what ran in it before that depends on the order by its nature. */
  readonly hadFailedComposite: boolean;
}

/** Compiles each schema once. */
const validator = new SchemaValidator();
const BEGIN = 1_000_000;
const EVENTS_MAX = 20_000;

export async function compileForSimulation(
  plan: Json,
): Promise<{ program: Program; validator: SchemaValidator }> {
  const { program, diagnostics } = compile(plan, {
    tools: Object.fromEntries(TOOLS.map((tool) => [tool, () => null])),
  });
  if (program === undefined) {
    throw new Error(
      `The generator made a plan with errors: ${JSON.stringify(
        diagnostics.filter(({ severity }) => severity === "error"),
        null,
        1,
      )}`,
    );
  }
  await validator.prepare(program);
  return { program, validator };
}

export function setupOf({ program, validator, concurrency }: Scenario): RunSetup {
  return {
    program,
    functions: builtInFunctions,
    validator,
    context: new ContextVariables(program.context, {}),
    concurrencyMax: concurrency,
    depthMax: 64,
    itemsMax: Number.POSITIVE_INFINITY,
  };
}

export function firstEvent(scenario: Scenario): RunStarted {
  const { runId, mode, concurrency, eager, deadlineMs } = scenario;
  return {
    kind: "RunStarted",
    at: BEGIN,
    journal: JOURNAL_VERSION,
    runId,
    seed: 1,
    arguments: scenario.arguments,
    inputs: {},
    context: {},
    mode,
    limits: { concurrency, depth: 64 },
    eager,
    ...(deadlineMs !== undefined && { deadlineMs }),
  };
}

/** Throws where a law is broken, or where the run does not come to an end. */
export function simulate(scenario: Scenario, choose: Choose): Simulated {
  const state = newRun(setupOf(scenario));
  const check = watchLaws();
  const possible: Possible[] = [];
  const journal: RunEvent[] = [];
  const answers: (readonly Command[])[] = [];
  let hadFailedComposite = false;
  let now = BEGIN;
  const happen = (event: RunEvent): void => {
    const commands = advance(state, event);
    journal.push(event);
    answers.push(commands);
    const broken = check({ event, commands, state });
    if (broken !== undefined) throw new Error(broken);
    hadFailedComposite ||= framesOf(state.root).some(
      (frame) => frame.call !== undefined && frame.failure !== undefined,
    );
    for (const command of commands) possible.push(...consequences(scenario.runId, command, now));
  };
  happen(firstEvent(scenario));
  while (!isOver(state)) {
    if (journal.length > EVENTS_MAX) throw new Error("the run does not come to an end");
    if (journal.length === scenario.cancelAt) {
      happen({ kind: "CancelRequested", at: now, reason: "enough" });
      continue;
    }
    if (possible.length === 0) throw new Error("nothing can happen any more, but the run is not over");
    const [next] = possible.splice(choose(possible), 1);
    if (next === undefined) throw new Error("chose something impossible");
    now = Math.max(now + 1, next.dueAt);
    happen({ ...next.event, at: now });
  }
  return {
    state,
    journal,
    commands: answers,
    hadFailedComposite: hadFailedComposite && scenario.mode === "stop",
  };
}

/** What a command makes possible. Calls that are aborted still answer, late: nobody may listen. */
export function consequences(runId: string, command: Command, now: number): Possible[] {
  switch (command.kind) {
    case "StartStep":
      return [answerOf(runId, command, now)];
    case "StartTimer":
      return [{ event: { kind: "TimerFired", at: 0, name: command.name }, dueAt: command.atMs }];
    case "AskConfirmation":
      return [
        {
          event: { kind: "ConfirmationGiven", at: 0, step: command.step, yes: says(command.step) },
          dueAt: now + 30,
        },
      ];
    case "AskInput":
      return command.names.map((name) => ({
        event: { kind: "InputProvided", at: 0, name, value: inputOf(name) },
        dueAt: now + 20,
      }));
    default:
      return [];
  }
}

function answerOf(runId: string, command: StartStep, now: number): Possible {
  const { call, attempt, timeoutMs } = command;
  const base = { at: 0, call, attempt };
  const takes = durationOf(runId, command);
  if (timeoutMs !== undefined && takes > timeoutMs) {
    const error = { name: "TimeoutError", code: "TIMEOUT", message: `${command.step} took too long` };
    return { event: { kind: "StepFailed", ...base, error }, dueAt: now + timeoutMs };
  }
  const said = answer(runId, command);
  const dueAt = now + takes;
  switch (said.kind) {
    case "succeeds":
      return { event: { kind: "StepSucceeded", ...base, result: said.result }, dueAt };
    case "fails":
      return { event: { kind: "StepFailed", ...base, error: said.error }, dueAt };
    case "suspends":
      return {
        event: { kind: "StepSuspended", ...base, untilMs: dueAt + said.ms, result: said.result },
        dueAt,
      };
  }
}

/** The order of time: what is due first, and of that what became possible first. */
export const inTime: Choose = (possible) => {
  let next = 0;
  for (const [i, { dueAt }] of possible.entries()) if (dueAt < (possible[next]?.dueAt ?? 0)) next = i;
  return next;
};
