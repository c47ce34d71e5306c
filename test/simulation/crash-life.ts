/*
 * One run in one process that may die: the real loop on a simulated disk, and beside it a shadow that is fed from the disk, holds
 * the laws, and knows what has to be under way.
 */
import { advance, isOver } from "../../src/core/advance.ts";
import type { Command, StartStep } from "../../src/core/commands.ts";
import type { RunEvent } from "../../src/core/events.ts";
import { framesOf, watchLaws } from "../../src/core/laws.ts";
import { outstanding } from "../../src/core/outstanding.ts";
import { newRun, type RunState } from "../../src/core/state.ts";
import type { Gatherer } from "../../src/drivers/gatherer.ts";
import { type Host, type Inbox, RunLoop } from "../../src/drivers/run-loop.ts";
import { consequences, type Scenario, type Simulated, setupOf } from "./simulate.ts";
import { type DiskStore, PowerCut } from "./simulated-disk.ts";

/** Something that can happen to one of the runs. */
export interface Possible {
  readonly dueAt: number;
  readonly happen: (now: number) => void;
}

/** What a run has of the process it lives in. */
export interface LifeSupport {
  readonly now: number;
  add(dueAt: number, happen: (now: number) => void): Possible;
  remove(possible: Possible): void;
}

export class Life {
  readonly #scenario: Scenario;
  readonly #store: DiskStore;
  readonly #process: LifeSupport;
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

  constructor(scenario: Scenario, store: DiskStore, gatherer: Gatherer, process: LifeSupport) {
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
      { turned: () => {}, watch: () => {} },
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
      start: (command, inbox) => this.#start(command, inbox),
      abort: (call) => this.#stop(call),
      abortAll: () => {
        for (const call of [...underWay.keys()]) this.#stop(call);
      },
      readFiles: () => {
        throw new Error("no plan of the simulation reads files");
      },
    };
  }

  #start(command: StartStep, inbox: Inbox): void {
    this.#takeIn();
    const isWanted = this.#wanted.get(command.call)?.attempt === command.attempt;
    if (!isWanted && !this.#calledOff.has(nameOf(command))) {
      throw new Error(`${nameOf(command)} is called, but the disk does not say so, or has its answer`);
    }
    const [answer] = consequences(this.#scenario.runId, command, this.#process.now);
    if (answer === undefined) throw new Error("a call has no consequences");
    const possible = this.#process.add(answer.dueAt, (now) => {
      this.#underWay.delete(command.call);
      inbox.offer({ ...answer.event, at: now });
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
    for (const { event, dueAt } of consequences(this.#scenario.runId, command, this.#process.now)) {
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

function nameOf({ call, attempt, step, turn }: StartStep): string {
  return `${step} turn ${turn} attempt ${attempt} (call ${call})`;
}
