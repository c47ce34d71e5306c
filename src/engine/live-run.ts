import type { Json } from "../base/json.ts";
import type { Command, StartStep } from "../core/commands.ts";
import type { RunEvent, RunStarted } from "../core/events.ts";
import { newRun, type RunState, type RunStatus } from "../core/state.ts";
import type { Cluster } from "../drivers/cluster.ts";
import { RemoteLoop } from "../drivers/remote-loop.ts";
import { type LoopOwner, RunLoop } from "../drivers/run-loop.ts";
import type { RunFiles } from "../files/granted-files.ts";
import { RunHost } from "./executor.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { Metrics } from "./metrics.ts";
import { Run, type RunPort } from "./run.ts";
import { RunBudget } from "./run-budget.ts";
import type { RunSpans } from "./run-spans.ts";
import { RunVariables } from "./run-variables.ts";

/** A run with the loop that carries it out: what the two of them want of the engine. */
export class LiveRun implements RunPort, LoopOwner {
  readonly run: Run;
  readonly loop: RunLoop;
  readonly #home: LiveRuns;
  readonly #first: RunStarted;
  readonly #metrics: Metrics;
  readonly #spans: RunSpans | undefined;
  /** As the list of runs has it. */
  #status: RunStatus;

  constructor(
    home: LiveRuns,
    state: RunState,
    first: RunStarted,
    files: RunFiles,
    cluster: Cluster | undefined,
  ) {
    this.#home = home;
    this.#first = first;
    this.#status = state.status;
    this.#metrics = home.monitoring.metrics;
    this.#spans = home.monitoring.telemetry?.spansOf(state);
    this.loop =
      cluster === undefined
        ? new RunLoop(first.runId, state, home.driver, home.gatherer, this.#host(state, files), this)
        : new RemoteLoop(first.runId, state, home.driver, cluster, this);
    this.run = new Run(this.loop, this);
  }

  #host(state: RunState, files: RunFiles): RunHost {
    const { executor } = this.#home;
    const spans = this.#spans;
    const around = spans && ((command: StartStep, start: () => void) => spans.around(command, start));
    const variables = (): RunVariables => this.#variables(state);
    return new RunHost(this.#first.runId, executor, variables, files, state.program.namesSecrets, around);
  }

  #variables({ program, usage, setup }: RunState): RunVariables {
    const { arguments: args, budget = {} } = this.#first;
    const spent = new RunBudget(budget, usage.values());
    return new RunVariables(program, args, setup.context, this.#home.driver.collections, spent);
  }

  turned(): void {
    const { loop, run } = this;
    const { state, isFollowing, failure } = loop;
    // What most turns are: something went on.
    if (state.status === "running" && this.#status === "running" && !isFollowing && failure === undefined) {
      run.went();
      return;
    }
    if (failure !== undefined) this.#home.driver.release(run.id);
    else if (state.status !== this.#status) {
      this.#status = state.status;
      if (!isFollowing) this.#home.list(state);
    }
    this.#home.follower.consider(loop, run.isOver);
    run.turned();
    if (run.isOver || failure !== undefined) this.#home.leave(run.id);
    if (isFollowing || failure !== undefined) this.#spans?.abandon(this.now());
  }

  watch(event: RunEvent | undefined, commands: readonly Command[]): void {
    this.#metrics.turn(this.loop.state, event, commands);
    this.#spans?.turn(event, commands);
  }

  now(): number {
    return this.#home.executor.clock.now();
  }

  freshState(): RunState {
    const { context, limits } = this.#first;
    return newRun(this.#home.programs.setup(this.run.program, context, limits));
  }

  journal(after: number): Iterable<RunEvent> {
    return this.#home.driver.events(this.run.id, after);
  }

  checkAnswer(name: string, value: Json): Promise<string | undefined> {
    return this.#home.programs.answerProblem(this.run.program, name, value);
  }
}
