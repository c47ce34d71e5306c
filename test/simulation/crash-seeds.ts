/* One seed: one or several random plans, and processes that die while they carry them out. */
import type { Json } from "../../src/base/json.ts";
import { Chance } from "./chance.ts";
import { simulateCrashes } from "./crashes.ts";
import { anyOrderEndsTheSame, planOf, replayGivesTheSameCommands, type SeedReport } from "./seeds.ts";
import { compileForSimulation, inTime, type Scenario, type Simulated, simulate } from "./simulate.ts";

/** Most seeds have one run; several share commits. */
function plansOf(seed: number): Json[] {
  const runs = new Chance(seed ^ 0xc0ffee).pick([1, 1, 1, 2, 3]);
  return Array.from({ length: runs }, (_, i) => planOf(seed + i * 1_000_003));
}

/** Throws where anything that must hold does not; the error says which small plan shows it, too. */
export async function checkCrashSeed(seed: number): Promise<SeedReport> {
  const plans = plansOf(seed);
  try {
    return await checkPlans(seed, plans);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const small = await shrunk(seed, plans);
    throw new Error(`${message}\nwith these plans: ${JSON.stringify(small)}`, { cause: error });
  }
}

async function checkPlans(seed: number, plans: readonly Json[]): Promise<SeedReport> {
  const scenarios = await Promise.all(plans.map((plan, i) => scenarioOf(plan, seed, i)));
  const { runs } = await simulateCrashes(scenarios, new Chance(seed ^ 0xc4a54));
  let events = 0;
  let compared = false;
  for (const [i, run] of runs.entries()) {
    const scenario = scenarios[i] as Scenario;
    events += run.journal.length;
    replayGivesTheSameCommands(scenario, run);
    // What a cancelled run had done by then depends on when it was cancelled.
    if (scenario.cancelAt === undefined)
      compared = anyOrderEndsTheSame([simulate(scenario, inTime), run]) || compared;
  }
  return { events, status: (runs[0] as Simulated).state.status, compared };
}

async function scenarioOf(plan: Json, seed: number, index: number): Promise<Scenario> {
  const chance = new Chance((seed + index) ^ 0x5eed);
  return {
    ...(await compileForSimulation(plan)),
    runId: `crash${seed}-${index}`,
    mode: chance.maybe(0.5) ? "continue" : "stop",
    concurrency: chance.pick([1, 2, 4, 64]),
    arguments: chance.maybe(0.5) ? {} : { given: { text: "REF:s0.n" } },
    eager: chance.maybe(0.5),
    ...(chance.maybe(0.1) && { cancelAt: chance.between(2, 30) }),
  };
}

/** Leaves out plans, and steps of plans, for as long as it still fails. */
async function shrunk(seed: number, plans: readonly Json[]): Promise<readonly Json[]> {
  let smallest = plans;
  for (let again = true; again; ) {
    again = false;
    for (const smaller of smallerThan(smallest)) {
      if (!(await fails(seed, smaller))) continue;
      smallest = smaller;
      again = true;
      break;
    }
  }
  return smallest;
}

/** A plan that does not compile any more shows nothing. */
async function fails(seed: number, plans: readonly Json[]): Promise<boolean> {
  try {
    await Promise.all(plans.map(compileForSimulation));
  } catch {
    return false;
  }
  return checkPlans(seed, plans).then(
    () => false,
    () => true,
  );
}

function* smallerThan(plans: readonly Json[]): Generator<readonly Json[]> {
  if (plans.length > 1) for (let i = 0; i < plans.length; i++) yield plans.toSpliced(i, 1);
  for (const [i, plan] of plans.entries())
    for (const smaller of smallerPlans(plan)) yield plans.with(i, smaller);
}

function* smallerPlans(plan: Json): Generator<Json> {
  if (Array.isArray(plan)) {
    for (const steps of fewer(plan as Json[])) yield steps;
    return;
  }
  const { instructions, steps, ...rest } = plan as { instructions?: Json[]; steps?: Json[] };
  for (const kept of fewer(instructions ?? [])) yield { ...rest, instructions: kept };
  // Step plans count their steps: only the last ones can go.
  for (const kept of fewer(steps ?? [])) {
    if (kept.at(-1) !== steps?.at(-1)) yield { ...rest, steps: kept };
  }
}

/** Without the half of them, a quarter, …, one. */
function* fewer(list: readonly Json[]): Generator<Json[]> {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < list.length; at += size) yield list.toSpliced(at, size);
  }
}
