/*
 * Random plans on the real loop, over a simulated disk and clock, in processes that die at random moments. What must hold:
 *
 *   - the laws of the core, after each event, in each process that folds the journal;
 *   - nothing is carried out that is not on the disk, and everything that is on the disk is carried out;
 *   - what has been answered on the disk is never called again;
 *   - what a process was told is safe is there in the next one (where the disk is not relaxed);
 *   - the run ends, as it would have without a crash.
 */
import { advance, isOver } from "../../src/core/advance.ts";
import type { Command, StartStep } from "../../src/core/commands.ts";
import type { RunEvent } from "../../src/core/events.ts";
import { framesOf, watchLaws } from "../../src/core/laws.ts";
import { outstanding } from "../../src/core/outstanding.ts";
import { newRun, type RunState } from "../../src/core/state.ts";
import { Gatherer } from "../../src/drivers/gatherer.ts";
import { type Host, RunLoop } from "../../src/drivers/run-loop.ts";
import type { Chance } from "./chance.ts";
import { consequences, firstEvent, type Scenario, type Simulated, setupOf } from "./simulate.ts";
import { type DiskStore, openDisk, PowerCut, SimulatedDisk } from "./simulated-disk.ts";

const TURNS_MAX = 20_000;

/** Something that can happen to one of the runs. */
interface Possible {
  readonly dueAt: number;
  readonly happen: (now: number) => void;
}

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
class Process {
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

/** One run in one process: the loop, and beside it a shadow that is fed from the disk and knows what has to be carried out. */
class Life {
  readonly #scenario: Scenario;
  readonly #store: DiskStore;
  readonly #process: Process;
  readonly #loop: RunLoop;
  readonly #shadow: RunState;
  readonly #check = watchLaws();
  readonly #journal: RunEvent[] = [];
  readonly #commands: (readonly Command[])[] = [];
  /** Calls that the shadow wants to be under way, and those that are. */
  readonly #wanted = new Map<number, StartStep>();
  readonly #underWay = new Map<number, { readonly command: StartStep; readonly possible: Possible }>();
  readonly #calledOff = new Set<string>();
  readonly #asked = new Set<unknown>();
  #hadFailedComposite = false;

  constructor(scenario: Scenario, store: DiskStore, gatherer: Gatherer, process: Process) {
    this.#scenario = scenario;
    this.#store = store;
    this.#process = process;
    this.#shadow = newRun(setupOf(scenario));
    this.#loop = new RunLoop(
      scenario.runId,
      newRun(setupOf(scenario)),
      store.driver,
      gatherer,
      this.#host(),
      () => {},
    );
  }

  get isOver(): boolean {
    return isOver(this.#shadow);
  }

  #host(): Host {
    const process = this.#process;
    const underWay = this.#underWay;
    return {
      clock: {
        now: () => process.now,
        at: (atMs, callback) => {
          const possible = process.add(atMs, callback);
          return () => process.remove(possible);
        },
      },
      get underWay() {
        return underWay.size;
      },
      start: (command, offer) => this.#start(command, offer),
      abort: (call) => this.#stop(call),
      abortAll: () => {
        for (const call of [...underWay.keys()]) this.#stop(call);
      },
      readFiles: () => {
        throw new Error("no plan of the simulation reads files");
      },
    };
  }

  #start(command: StartStep, offer: (event: RunEvent) => void): void {
    this.#takeIn();
    const isWanted = this.#wanted.get(command.call)?.attempt === command.attempt;
    if (!isWanted && !this.#calledOff.has(nameOf(command))) {
      throw new Error(`${nameOf(command)} is called, but the disk does not say so, or has its answer`);
    }
    const [answer] = consequences(command, this.#process.now);
    if (answer === undefined) throw new Error("a call has no consequences");
    const possible = this.#process.add(answer.dueAt, (now) => {
      this.#underWay.delete(command.call);
      offer({ ...answer.event, at: now });
    });
    this.#underWay.set(command.call, { command, possible });
  }

  #stop(call: number): void {
    const under = this.#underWay.get(call);
    if (under !== undefined) this.#process.remove(under.possible);
    this.#underWay.delete(call);
  }

  /** As an engine recovers a run: the journal is folded, and what is outstanding is carried out. */
  begin(): void {
    this.#takeIn();
    const { state } = this.#loop;
    for (const event of this.#journal) advance(state, event);
    this.#loop.takeOver(this.#journal.length, isOver(state) ? [] : outstanding(state));
  }

  /** The shadow sees what is on the disk, event by event. */
  #takeIn(): void {
    const journal = this.#store.journals.get(this.#scenario.runId) ?? [];
    for (const event of journal.slice(this.#journal.length)) {
      if ("call" in event) {
        const isAnswer = this.#wanted.get(event.call)?.attempt === event.attempt;
        if (isAnswer) this.#wanted.delete(event.call);
      }
      const commands = advance(this.#shadow, event);
      const broken = this.#check({ event, commands, state: this.#shadow });
      if (broken !== undefined) throw new Error(broken);
      for (const command of commands) this.#note(command);
      this.#journal.push(event);
      this.#commands.push(commands);
    }
    const frames = framesOf(this.#shadow.root);
    this.#hadFailedComposite ||= frames.some(
      (frame) => frame.call !== undefined && frame.failure !== undefined,
    );
  }

  #note(command: Command): void {
    if (command.kind === "StartStep") this.#wanted.set(command.call, command);
    if (command.kind === "AbortStep") this.#callOff(command.call);
    if (command.kind === "FinishRun") for (const call of [...this.#wanted.keys()]) this.#callOff(call);
  }

  /** Of events that were recorded together, a later one may call off what an earlier one has started. */
  #callOff(call: number): void {
    const command = this.#wanted.get(call);
    if (command !== undefined) this.#calledOff.add(nameOf(command));
    this.#wanted.delete(call);
  }

  /** After a turn: is exactly that under way which the disk says should be? */
  check(): void {
    if (this.#loop.failure !== undefined && !(this.#loop.failure instanceof PowerCut))
      throw this.#loop.failure;
    this.#takeIn();
    const list = (commands: Iterable<StartStep>): string => [...commands].map(nameOf).sort().join("\n");
    const [wanted, found] = [
      list(this.#wanted.values()),
      list([...this.#underWay.values()].map(({ command }) => command)),
    ];
    if (wanted !== found) throw new Error(`under way is\n${found}\nbut the disk says\n${wanted}`);
    if (!this.isOver) this.#askPeople();
  }

  /** Every question once; a step that asks a second time has a question of its own. */
  #askPeople(): void {
    const { openInputs, confirmations } = this.#shadow;
    for (const name of openInputs) this.#ask(name, { kind: "AskInput", names: [name] });
    for (const [step, question] of confirmations) this.#ask(question, { kind: "AskConfirmation", step });
    const { cancelAt } = this.#scenario;
    if (cancelAt === undefined || this.#journal.length < cancelAt || this.#asked.has(this)) return;
    this.#asked.add(this);
    this.#process.add(this.#process.now, (now) =>
      this.#loop.offer({ kind: "CancelRequested", at: now, reason: "enough" }),
    );
  }

  #ask(question: unknown, command: Command): void {
    if (this.#asked.has(question)) return;
    this.#asked.add(question);
    for (const { event, dueAt } of consequences(command, this.#process.now)) {
      this.#process.add(dueAt, (now) => this.#loop.offer({ ...event, at: now }));
    }
  }

  result(): Simulated {
    return {
      state: this.#shadow,
      journal: this.#journal,
      commands: this.#commands,
      hadFailedComposite: this.#hadFailedComposite && this.#scenario.mode === "stop",
    };
  }
}

function nameOf({ call, attempt, idempotencyKey }: StartStep): string {
  return `${idempotencyKey} attempt ${attempt} (call ${call})`;
}
