import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { Chance } from "./chance.ts";
import { randomAgent } from "./random-agent.ts";
import { randomActionPlan, randomStepPlan } from "./random-plans.ts";
import { anyOrderEndsTheSame, replayGivesTheSameCommands } from "./seeds.ts";
import { compileForSimulation, inTime, type Scenario, type Simulated, simulate } from "./simulate.ts";

const SEEDS = 250;
/** Retries, people and items of fan-outs are further events; with more than these, four steps have too many orders to try. */
const EVENTS_MAX = 8;

/** Every order in which things can happen, one run each. */
function everyOrder(scenario: Scenario): Simulated[] {
  const runs: Simulated[] = [];
  /** The choice at each point of the run, and how many there were. */
  const path: { chosen: number; readonly of: number }[] = [];
  for (;;) {
    let at = 0;
    const run = simulate(scenario, (possible) => {
      const point = path[at] ?? { chosen: 0, of: possible.length };
      if (at === path.length) path.push(point);
      at++;
      return point.chosen;
    });
    runs.push(run);
    for (let last = path.at(-1); last !== undefined && last.chosen + 1 === last.of; last = path.at(-1))
      path.pop();
    const last = path.at(-1);
    if (last === undefined) return runs;
    last.chosen++;
  }
}

function smallPlan(seed: number): Json {
  const chance = new Chance(seed);
  const steps = chance.maybe(0.8) ? 4 : chance.between(1, 3);
  const language = chance.unit();
  if (language < 0.8) return randomAgent(chance, { steps, levels: 1, refers: 0.3, isSmall: true });
  return language < 0.87 ? randomStepPlan(chance, steps) : randomActionPlan(chance, steps);
}

test("plans of up to 4 steps end the same in every order", { timeout: 120_000 }, async () => {
  let plans = 0;
  let orders = 0;
  let compared = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const scenario: Scenario = {
      ...(await compileForSimulation(smallPlan(seed))),
      runId: `small${seed}`,
      mode: seed % 2 === 0 ? "stop" : "continue",
      concurrency: seed % 3 === 0 ? 1 : 64,
      arguments: {},
      eager: seed % 5 === 0,
    };
    if (simulate(scenario, inTime).journal.length > EVENTS_MAX) continue;
    const runs = everyOrder(scenario);
    plans++;
    orders += runs.length;
    replayGivesTheSameCommands(scenario, runs.at(-1) as Simulated);
    try {
      if (anyOrderEndsTheSame(runs)) compared++;
    } catch (error) {
      throw new Error(`small plan ${seed}: ${JSON.stringify(smallPlan(seed))}`, { cause: error });
    }
  }
  expect(plans).toBeGreaterThan(SEEDS * 0.8);
  expect(compared).toBeGreaterThan(plans / 2);
  expect(orders).toBeGreaterThan(plans * 4);
});

test("four steps at once have exactly 24 orders", async () => {
  const plan = Array.from({ length: 4 }, (_, i) => ({ id: `a${i}`, tool: "steady" }));
  const scenario: Scenario = {
    ...(await compileForSimulation(plan)),
    runId: "four",
    mode: "stop",
    concurrency: 64,
    arguments: {},
    eager: false,
  };
  const runs = everyOrder(scenario);
  const orders = runs.map((run) => run.journal.map((event) => ("call" in event ? event.call : "")).join());
  expect(new Set(orders).size).toBe(24);
  expect(runs).toHaveLength(24);
});
