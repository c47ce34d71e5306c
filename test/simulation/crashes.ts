/*
 * Random plans on the real loop, over a simulated disk and clock, in processes that die at random moments. What must hold:
 *
 *   - the laws of the core, after each event, in each process that folds the journal;
 *   - nothing is carried out that is not on the disk, and everything that is on the disk is carried out;
 *   - what has been answered on the disk is never called again;
 *   - what a process was told is safe is there in the next one (where the disk is not relaxed);
 *   - the run ends, as it would have without a crash.
 */
import { Gatherer } from "../../src/drivers/gatherer.ts";
import type { Chance } from "./chance.ts";
import { Life, type LifeSupport, type Possible } from "./crash-life.ts";
import { firstEvent, type Scenario, type Simulated } from "./simulate.ts";
import { type DiskStore, openDisk, SimulatedDisk } from "./simulated-disk.ts";

const TURNS_MAX = 20_000;

export interface CrashReport {
  readonly runs: readonly Simulated[];
  readonly crashes: number;
}

export async function simulateCrashes(scenarios: readonly Scenario[], chance: Chance): Promise<CrashReport> {
  const disk = new SimulatedDisk();
  const isRelaxed = chance.maybe(0.3);
  let crashesLeft = chance.between(1, 6);
  let crashes = 0;
  let now = 1_000_000;
  const { driver } = openDisk(disk, () => undefined);
  driver.together(() => {
    for (const scenario of scenarios) driver.append(scenario.runId, 0, [firstEvent(scenario)]);
  });
  for (;;) {
    const process = new Process(scenarios, disk, chance, now, crashesLeft > 0);
    const died = await process.live();
    now = process.now;
    if (!died) return { runs: process.results(), crashes };
    crashes++;
    crashesLeft--;
    const told = process.told();
    disk.crash(chance, isRelaxed);
    if (!isRelaxed)
      nothingToldIsLost(
        told,
        openDisk(disk, () => undefined),
      );
  }
}

function nothingToldIsLost(told: ReadonlyMap<string, number>, { journals }: DiskStore): void {
  for (const [run, length] of told) {
    const found = journals.get(run)?.length ?? 0;
    if (found < length) throw new Error(`${run} had ${length} events that were safe, and has ${found}`);
  }
}

/** One process: from opening the disk to its death, or to the end of all runs. */
class Process implements LifeSupport {
  now: number;
  readonly #chance: Chance;
  readonly #possible: Possible[] = [];
  readonly #store: DiskStore;
  readonly #lives: Life[];
  readonly #mortal: boolean;
  #dead = false;

  constructor(
    scenarios: readonly Scenario[],
    disk: SimulatedDisk,
    chance: Chance,
    now: number,
    mortal: boolean,
  ) {
    this.now = now;
    this.#chance = chance;
    this.#mortal = mortal;
    this.#store = openDisk(disk, () => this.#cut());
    const gatherer = new Gatherer(this.#store.driver);
    this.#lives = scenarios.map((scenario) => new Life(scenario, this.#store, gatherer, this));
  }

  #cut(): "before" | "after" | undefined {
    if (this.#mortal && this.#chance.maybe(0.04)) {
      this.#dead = true;
      return this.#chance.maybe(0.6) ? "before" : "after";
    }
    return undefined;
  }

  add(dueAt: number, happen: (now: number) => void): Possible {
    const possible = { dueAt, happen };
    this.#possible.push(possible);
    return possible;
  }

  remove(possible: Possible): void {
    const at = this.#possible.indexOf(possible);
    if (at >= 0) this.#possible.splice(at, 1);
  }

  /** True where it died. */
  async live(): Promise<boolean> {
    for (const life of this.#lives) life.begin();
    for (let turn = 0; ; turn++) {
      // What is gathered is written at the end of this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#dead) return true;
      for (const life of this.#lives) life.check();
      if (this.#lives.every((life) => life.isOver)) return false;
      if (this.#mortal && this.#chance.maybe(0.02)) return true;
      if (turn > TURNS_MAX) throw new Error("the runs do not come to an end");
      this.#turn();
      if (this.#dead) return true;
    }
  }

  /** One thing happens, or several at once. */
  #turn(): void {
    if (this.#possible.length === 0)
      throw new Error("nothing can happen any more, but the runs are not over");
    const many = this.#chance.maybe(0.5) ? 1 : this.#chance.between(1, 5);
    for (let i = 0; i < many && !this.#dead; i++) {
      const [next] = this.#possible.splice(this.#chance.below(this.#possible.length), 1);
      if (next === undefined) return;
      this.now = Math.max(this.now + 1, next.dueAt);
      next.happen(this.now);
    }
  }

  /** How much of each journal this process was told is safe. */
  told(): Map<string, number> {
    return new Map([...this.#store.journals].map(([run, journal]) => [run, journal.length]));
  }

  results(): Simulated[] {
    return this.#lives.map((life) => life.result());
  }
}
