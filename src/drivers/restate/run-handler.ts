/*
 * A run as a Restate workflow: the same core; its events stand in Restate's journal, its commands are Restate's actions.
 *
 * I1  Everything that happens comes out of `Window.next`, one at a time, in recorded order; nothing else is awaited that could
 *     come out differently in a replay.
 * I2  Time comes with events; it never goes back, although workers' clocks differ.
 * I3  What is started is started in the order of the core's commands, so that every replay asks Restate for the same.
 */
import { CancelledError, type InvocationPromise, type WorkflowContext } from "@restatedev/restate-sdk";
import { advance, isOver } from "../../core/advance.ts";
import type { Command, StartStep } from "../../core/commands.ts";
import type { RunEvent } from "../../core/events.ts";
import type { RunState } from "../../core/state.ts";
import { failure as stepFailure } from "../../core/step-error.ts";
import type { Placement } from "../../ir/program.ts";
import type { Host } from "../run-loop.ts";
import { type BlobStore, pack, unpack } from "./blobs.ts";
import { callStep } from "./call-step.ts";
import type { RunFeed } from "./feed.ts";
import { cancelledInRestate, inOrder } from "./given-events.ts";
import { BATCH_FROM, BATCH_SIZE, BATCHES_MAX, RUN_ONCE, WINDOW } from "./limits.ts";
import { Window } from "./window.ts";
import {
  CANCEL_PROMISE,
  confirmationPromise,
  inputPromise,
  type Packed,
  type RunInput,
  type RunOutput,
  STEPS_SERVICE,
  type StepsInput,
  stepName,
} from "./wire.ts";

/** What a run needs of its worker. */
export interface RunSurroundings {
  readonly state: RunState;
  readonly host: Host;
  readonly feed: RunFeed;
  readonly blobs: BlobStore;
  readonly usesSecrets: boolean;
  /** Where a step is called; where nobody says so, here, or by others where there are many. */
  readonly placementOf: (command: StartStep) => Placement | undefined;
  /** How long to sleep for so much time of the run's clock. */
  readonly sleepMs: (ms: number) => number;
}

/** Steps that another worker calls. */
interface Batch {
  readonly commands: readonly StartStep[];
  readonly promise: InvocationPromise<Packed>;
}

export class ClusterRun {
  readonly #ctx: WorkflowContext;
  readonly #around: RunSurroundings;
  readonly #window = new Window<Packed>();
  /** Steps that wait for their turn. */
  #queue: StartStep[] = [];
  readonly #inline = new Map<
    string,
    { readonly commands: readonly StartStep[]; readonly stop: AbortController }
  >();
  readonly #batches = new Map<string, Batch>();
  #batchCount = 0;

  constructor(ctx: WorkflowContext, around: RunSurroundings) {
    this.#ctx = ctx;
    this.#around = around;
  }

  /** From its start, or, taken up again after its end, from what has happened before. */
  async carryOut({ first, more = [] }: RunInput): Promise<RunOutput> {
    const { state, host, feed, blobs } = this.#around;
    this.#ctx
      .request()
      .attemptCompletedSignal.addEventListener("abort", () =>
        host.abortAll("Another attempt goes on with the run."),
      );
    this.#window.add(CANCEL_PROMISE, this.#outside(CANCEL_PROMISE));
    const before = [first, ...more];
    const last = before.pop() as RunEvent;
    for (const event of before) {
      feed.push(event);
      advance(state, event);
    }
    this.#handle(last);
    while (!isOver(state)) {
      this.#startSteps();
      for (const event of await this.#nextEvents(blobs)) this.#handle(event);
    }
    await this.#callOff();
    await feed.finish();
    return { status: state.status };
  }

  async #nextEvents(blobs: BlobStore): Promise<readonly RunEvent[]> {
    try {
      const { key, value, failure } = await this.#window.next();
      const events = value === undefined ? this.#lost(key, failure) : await unpack(value, blobs);
      this.#inline.delete(key);
      this.#batches.delete(key);
      return events;
    } catch (error) {
      // An operator has cancelled the invocation, at Restate's own pages.
      if (error instanceof CancelledError) return [cancelledInRestate(this.#around.state)];
      throw error;
    }
  }

  #handle(event: RunEvent): void {
    const { state, feed } = this.#around;
    if (isOver(state) && event.kind !== "RunResumed") return;
    const timed = inOrder(event, state);
    feed.push(timed);
    for (const command of advance(state, timed)) this.#begin(command);
  }

  #begin(command: Command): void {
    switch (command.kind) {
      case "StartStep":
        this.#queue.push(command);
        return;
      case "StartTimer":
        this.#startTimer(command.name, command.atMs);
        return;
      case "ReadFiles":
        this.#readFiles(command);
        return;
      case "AbortStep":
        this.#abort(command.call);
        return;
      case "AskInput":
        for (const name of command.names) this.#ask(inputPromise(name));
        return;
      case "AskConfirmation":
        this.#ask(confirmationPromise(command.step));
        return;
      default:
        return;
    }
  }

  #ask(promise: string): void {
    if (!this.#window.has(promise)) this.#window.add(promise, this.#outside(promise));
  }

  /** What somebody says to the run. */
  #outside(promise: string) {
    const said = this.#ctx.promise<RunEvent>(promise).get();
    return said.map((event) => ({ events: event === undefined ? [] : [event] }));
  }

  #startTimer(name: string, atMs: number): void {
    const { state, sleepMs } = this.#around;
    const sleep = this.#ctx.sleep(sleepMs(Math.max(0, atMs - state.now)), name);
    const fired: RunEvent = { kind: "TimerFired", at: atMs, name };
    this.#window.add(
      `timer:${name}`,
      sleep.map(() => ({ events: [fired] })),
    );
  }

  #readFiles(command: Extract<Command, { kind: "ReadFiles" }>): void {
    const { host, blobs } = this.#around;
    const read = async (): Promise<Packed> => {
      const event = await new Promise<RunEvent>((resolve) => host.readFiles(command, { offer: resolve }));
      return pack([event], blobs);
    };
    const name = `read:${command.read}`;
    this.#window.add(name, this.#ctx.run(name, read, RUN_ONCE));
  }

  /** First in, first out, for as long as there is room; many at once go to other workers together. */
  #startSteps(): void {
    let taken = 0;
    for (let count = this.#startNext(taken); count > 0; count = this.#startNext(taken)) taken += count;
    if (taken > 0) this.#queue = this.#queue.slice(taken);
  }

  /** How many were started; 0 where nothing waits, or there is no room. */
  #startNext(at: number): number {
    const { placementOf } = this.#around;
    const command = this.#queue[at];
    if (command === undefined || this.#isFull()) return 0;
    const placement = placementOf(command);
    if (placement !== "inline" && this.#queue.length - at >= BATCH_FROM) {
      const next = this.#queue.slice(at, at + BATCH_SIZE);
      const end = next.findIndex((other) => placementOf(other) === "inline");
      const commands = end < 0 ? next : next.slice(0, end);
      this.#startBatch(commands);
      return commands.length;
    }
    if (placement === "anywhere") this.#startBatch([command]);
    else this.#startInline(command);
    return 1;
  }

  /** Large batches are few, so that what they give does not come all at once; single calls are more. */
  #isFull(): boolean {
    let large = 0;
    for (const { commands } of this.#batches.values()) if (commands.length > 1) large++;
    return large >= BATCHES_MAX || this.#inline.size + this.#batches.size >= WINDOW;
  }

  #startInline(command: StartStep): void {
    const { host, blobs, state } = this.#around;
    const key = `call:${command.call}`;
    const stop = new AbortController();
    const run = async (): Promise<Packed> => pack(await callStep(host, command, stop.signal), blobs);
    this.#window.add(key, this.#ctx.run(stepName(state.runId, command), run, RUN_ONCE));
    this.#inline.set(key, { commands: [command], stop });
  }

  #startBatch(commands: readonly StartStep[]): void {
    const { state, usesSecrets } = this.#around;
    const key = `batch:${this.#batchCount++}`;
    const input: StepsInput = { runId: state.runId, usesSecrets, commands };
    const promise = this.#ctx
      .serviceClient<StepsService>({ name: STEPS_SERVICE })
      .call(input) as InvocationPromise<Packed>;
    this.#window.add(key, promise);
    this.#batches.set(key, { commands, promise });
  }

  /** Nobody waits for a call any more. One that others make together with more is made to its end, and not looked at. */
  #abort(call: number): void {
    this.#queue = this.#queue.filter((waiting) => waiting.call !== call);
    const key = `call:${call}`;
    const inline = this.#inline.get(key);
    if (inline === undefined) return;
    inline.stop.abort();
    this.#inline.delete(key);
    this.#window.drop(key);
  }

  /** Restate has given up on an action: its steps have failed. */
  #lost(key: string, failure: Error | undefined): readonly RunEvent[] {
    const commands = (this.#inline.get(key) ?? this.#batches.get(key))?.commands;
    if (commands === undefined) throw failure;
    const { now } = this.#around.state;
    const why = failure?.message ?? "it gave nothing";
    const error = stepFailure("ToolError", `The cluster could not make the call: ${why}.`);
    return commands.map(({ call, attempt }) => ({ kind: "StepFailed", at: now, call, attempt, error }));
  }

  /** The run is over: what is still under way for it is called off. */
  async #callOff(): Promise<void> {
    for (const { stop } of this.#inline.values()) stop.abort();
    for (const { promise } of this.#batches.values()) {
      this.#ctx.cancel(await promise.invocationId);
    }
  }
}

interface StepsService {
  call: (ctx: unknown, input: StepsInput) => Promise<Packed>;
}
