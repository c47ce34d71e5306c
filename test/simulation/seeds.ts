/* One seed: one random plan in one of the three languages, run in several orders. What must hold is in the functions' names. */
import { canonicalJson, type Json } from "../../src/base/json.ts";
import { ContextVariables } from "../../src/context/context.ts";
import { advance } from "../../src/core/advance.ts";
import type { Command } from "../../src/core/commands.ts";
import type { RunEvent } from "../../src/core/events.ts";
import { outstanding } from "../../src/core/outstanding.ts";
import { newRun, type RunState } from "../../src/core/state.ts";
import { Chance } from "./chance.ts";
import { finalState } from "./final-state.ts";
import { randomAgent } from "./random-agent.ts";
import { randomActionPlan, randomStepPlan } from "./random-plans.ts";
import {
  type Choose,
  compileForSimulation,
  inTime,
  type Scenario,
  type Simulated,
  setupOf,
  simulate,
} from "./simulate.ts";

export const STEPS_MAX = 60;
const ORDERS = 3;

/** The plan of a seed, to look at. */
export function planOf(seed: number): Json {
  const chance = new Chance(seed);
  const steps = chance.maybe(0.5) ? chance.between(1, 8) : chance.between(5, STEPS_MAX);
  const language = chance.unit();
  if (language < 0.7) return randomAgent(chance, { steps, levels: 2, refers: chance.pick([0.3, 0.6, 0.8]) });
  return language < 0.85 ? randomStepPlan(chance, steps) : randomActionPlan(chance, steps);
}

async function scenarioOf(seed: number): Promise<Scenario> {
  const chance = new Chance(seed ^ 0x5eed);
  return {
    ...(await compileForSimulation(planOf(seed))),
    runId: `sim${seed}`,
    mode: chance.maybe(0.5) ? "continue" : "stop",
    concurrency: chance.pick([1, 2, 4, 64]),
    arguments: chance.maybe(0.5) ? {} : { given: { text: "REF:s0.n" } },
    eager: chance.maybe(0.5),
  };
}

/** What happened in a seed, for whoever prints it. */
export interface SeedReport {
  readonly events: number;
  readonly status: string;
  readonly compared: boolean;
}

/** Throws where anything that must hold does not. */
export async function checkSeed(seed: number): Promise<SeedReport> {
  const scenario = await scenarioOf(seed);
  const runs: Simulated[] = [];
  for (let order = 0; order < ORDERS; order++)
    runs.push(simulate(scenario, atRandom(new Chance(seed * 31 + order))));
  runs.push(simulate(scenario, inTime));
  for (const run of runs.slice(-2)) replayGivesTheSameCommands(scenario, run);
  for (const run of runs) theLongWayGivesTheSameCommands(scenario, run);
  const compared = anyOrderEndsTheSame(runs);
  takeOverKnowsWhatIsOutstanding(scenario, runs[0] as Simulated, new Chance(seed));
  interrupted(scenario, new Chance(seed ^ 0xdead));
  return { events: runs[0]?.journal.length ?? 0, status: runs[0]?.state.status ?? "", compared };
}

function atRandom(chance: Chance): Choose {
  return (possible) => chance.below(possible.length);
}

/**
 * Any completion order gives the same final state. What depends on the order by its nature is left out: in the stop mode
 * nothing new starts after a failure, so what a failed run, or a failed composite in it, had done by then depends on what
 * happened first. That a run fails does not, unless a composite failed in it, whose error others may look at.
 */
export function anyOrderEndsTheSame(runs: readonly Simulated[]): boolean {
  if (runs.some((run) => run.hadFailedComposite)) return false;
  const [first, ...others] = runs.map((run) => run.state.status);
  for (const status of others)
    if (status !== first) throw new Error(`in one order the run is ${first}, in another ${status}`);
  if (first === "failed" && runs[0]?.state.mode === "stop") return false;
  const ends = runs.map((run) => finalState(run.state));
  for (const end of ends) {
    if (end !== ends[0]) throw new Error(`the order made a difference:\n${ends[0]}\n${end}`);
  }
  return true;
}

/** Folding the journal, as it was written down, into a fresh state gives the same commands, byte for byte. */
export function replayGivesTheSameCommands(scenario: Scenario, run: Simulated): void {
  expectSame(newRun(setupOf(scenario)), run, printed);
}

/**
 * No step of a run with a context variable is plain, be it used or not: none of them takes the short way. What is started
 * is the same, in the same order; it may be after something that is said in the same turn, instead of before it.
 */
function theLongWayGivesTheSameCommands(scenario: Scenario, run: Simulated): void {
  const context = new ContextVariables(scenario.program.context, { nobody_uses_this: 1 });
  const isStart = ({ kind }: Command): boolean => kind === "StartStep";
  const startsFirst = (commands: readonly Command[]): string =>
    printed([...commands.filter(isStart), ...commands.filter((command) => !isStart(command))]);
  expectSame(newRun({ ...setupOf(scenario), context }), run, startsFirst);
}

function expectSame(state: RunState, run: Simulated, print: (commands: readonly Command[]) => string): void {
  const written = run.journal.map((event) => JSON.stringify(event));
  for (const [i, text] of written.entries()) {
    const again = advance(state, JSON.parse(text) as RunEvent);
    const before = run.commands[i] ?? [];
    if (JSON.stringify(again) === JSON.stringify(before)) continue;
    if (print(again) !== print(before)) {
      throw new Error(`the replay differs after event ${i}:\n${print(before)}\n${print(again)}`);
    }
  }
  if (finalState(state) !== finalState(run.state)) throw new Error("the replay ends otherwise");
}

/** Canonical, so that only what differs can differ; what is absent and what is undefined are the same. */
function printed(commands: readonly Command[]): string {
  return commands.length === 0 ? "" : canonicalJson(JSON.parse(JSON.stringify(commands)) as Json);
}

/** A process that takes the run over at any point of the journal has to do exactly what has not been answered. */
function takeOverKnowsWhatIsOutstanding(scenario: Scenario, run: Simulated, chance: Chance): void {
  const length = chance.between(1, run.journal.length - 1 || 1);
  const state = newRun(setupOf(scenario));
  const open = new Map<string, Command>();
  for (const event of run.journal.slice(0, length)) {
    if ("call" in event) open.delete(`call ${event.call}`);
    if (event.kind === "TimerFired") open.delete(`timer ${event.name}`);
    for (const command of advance(state, event)) {
      if (command.kind === "StartStep") open.set(`call ${command.call}`, command);
      if (command.kind === "StartTimer") open.set(`timer ${command.name}`, command);
      if (command.kind === "AbortStep") open.delete(`call ${command.call}`);
      if (command.kind === "FinishRun") open.clear();
    }
  }
  const sorted = (commands: Iterable<Command>): string[] =>
    [...commands].map((command) => printed([command])).sort();
  const [expected, found] = [sorted(open.values()), sorted(outstanding(state))];
  if (expected.join() !== found.join())
    throw new Error(`after ${length} events, outstanding is\n${found}\nand not\n${expected}`);
}

/** Cancellation at a random moment, and a deadline: the laws hold, and the run ends. */
function interrupted(scenario: Scenario, chance: Chance): void {
  const cancelled = simulate({ ...scenario, cancelAt: chance.between(1, 30) }, atRandom(chance));
  replayGivesTheSameCommands(scenario, cancelled);
  const late = simulate({ ...scenario, deadlineMs: chance.between(1, 100) }, inTime);
  replayGivesTheSameCommands(scenario, late);
}
