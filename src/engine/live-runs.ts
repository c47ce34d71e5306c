/*
 * The runs that this engine knows: those under way here, and those that are only recorded, which are folded from their journals
 * when somebody asks.
 */
import { SequiturError } from "../base/error.ts";
import { FleetingMap } from "../base/fleeting-map.ts";
import { advance, isOver } from "../core/advance.ts";
import type { RunResumed, RunStarted } from "../core/events.ts";
import { firstOf, known } from "../core/journal.ts";
import { outstanding } from "../core/outstanding.ts";
import { newRun, type RunState } from "../core/state.ts";
import { type Cluster, clusterOf } from "../drivers/cluster.ts";
import type { Driver, Once, RunRecord, RunSource } from "../drivers/driver.ts";
import { Follower } from "../drivers/follower.ts";
import { Gatherer } from "../drivers/gatherer.ts";
import type { RunLoop } from "../drivers/run-loop.ts";
import type { RunFiles } from "../files/granted-files.ts";
import type { Program } from "../ir/program.ts";
import type { Executor } from "./executor.ts";
import { LiveRun } from "./live-run.ts";
import type { Programs } from "./programs.ts";
import { elsewhere } from "./remote-runs.ts";
import type { Run } from "./run.ts";
import { firstRecord, type RunSummary, recordOf, summaryOf } from "./run-summary.ts";
import type { Monitoring } from "./telemetry.ts";

export interface FoldedRun {
  readonly state: RunState;
  readonly first: RunStarted;
  /** How many events have been folded. */
  readonly seen: number;
}

export class LiveRuns {
  readonly driver: Driver;
  readonly programs: Programs;
  readonly executor: Executor;
  readonly monitoring: Monitoring;
  readonly gatherer: Gatherer;
  readonly follower: Follower;
  /** Who carries out the runs that are started here, if not this process. */
  readonly cluster: Cluster | undefined;
  readonly #filesOf: (token: string | undefined) => RunFiles;
  readonly #watchers = new Set<(run: RunSummary) => void>();
  readonly #live = new FleetingMap<string, LiveRun>();
  /** Runs that are being folded: whoever resumes one meanwhile gets the same. */
  readonly #resuming = new Map<string, Promise<Run>>();

  constructor(
    driver: Driver,
    programs: Programs,
    executor: Executor,
    monitoring: Monitoring,
    filesOf: (token: string | undefined) => RunFiles,
    cluster?: Cluster,
  ) {
    this.cluster = cluster;
    this.driver = driver;
    this.programs = programs;
    this.executor = executor;
    this.monitoring = monitoring;
    this.#filesOf = filesOf;
    this.gatherer = new Gatherer(driver);
    this.follower = new Follower(driver);
  }

  get size(): number {
    return this.#live.size;
  }

  find(runId: string): LiveRun | undefined {
    return this.#live.get(runId);
  }

  /** Looks whether other processes have gone on with runs that we only follow. */
  look(): void {
    this.follower.look();
  }

  watch(watcher: (run: RunSummary) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** A new run, recorded with its first event; undefined where its id, or its key, is taken. */
  create(
    state: RunState,
    first: RunStarted,
    fileToken: string | undefined,
    once: Once | undefined,
  ): LiveRun | undefined | Promise<LiveRun | undefined> {
    const record = firstRecord(state.program, first);
    const made = this.#recordFirst(record, this.programs.sourceOf(state.program), first, once);
    const begin = (isNew: boolean): LiveRun | undefined =>
      isNew ? this.#begin(state, record, first, fileToken) : undefined;
    return typeof made === "boolean" ? begin(made) : made.then(begin);
  }

  #begin(state: RunState, record: RunRecord, first: RunStarted, fileToken: string | undefined): LiveRun {
    const live = this.#enliven(state, first, fileToken, this.cluster);
    this.#announce(record);
    live.loop.begin(first);
    return live;
  }

  #recordFirst(
    record: RunRecord,
    source: RunSource,
    first: RunStarted,
    once: Once | undefined,
  ): boolean | Promise<boolean> {
    if (this.cluster === undefined) return this.gatherer.create(record, source, first, once);
    return this.cluster.start(source, first).then((isNew) => {
      if (isNew) this.driver.mirror?.({ record, source, once }, 0, [first]);
      return isNew;
    });
  }

  #announce(record: RunRecord): void {
    if (this.#watchers.size === 0) return;
    const summary = summaryOf(record);
    for (const watcher of this.#watchers) watcher(summary);
  }

  /** A run with its loop, known to this engine for as long as it is under way. */
  #enliven(
    state: RunState,
    first: RunStarted,
    fileToken: string | undefined,
    cluster?: Cluster | undefined,
  ): LiveRun {
    const live = new LiveRun(this, state, first, this.#filesOf(fileToken), cluster);
    this.#live.set(first.runId, live);
    return live;
  }

  /** The run is not under way here any more. */
  leave(runId: string): void {
    this.#live.delete(runId);
  }

  /** How the run stands, in the list of runs. The journal is the truth: where this fails, recovery puts it right. */
  list(state: RunState): void {
    const record = recordOf(state);
    const { id: runId, status, finishedAt } = record;
    this.#announce(record);
    this.gatherer.update({
      runId,
      status,
      finishedAt,
      onError: (error) => this.log(runId, `is ${status}, but is not listed so: ${String(error)}`),
    });
  }

  log(runId: string, message: string): void {
    this.executor.log({ runId, stepId: "", message, data: undefined });
  }

  /** A run that has ended, as it ended: nothing goes on with it. */
  ended({ state, first }: FoldedRun): Run {
    const { run } = this.#enliven(state, first, undefined);
    this.#live.delete(first.runId);
    run.turned();
    return run;
  }

  /** Goes on with a run of which nobody is in charge; one that failed only where it is to be reopened. */
  resume(runId: string, fileToken: string | undefined, reopens: boolean): Promise<Run> {
    const under = this.#resuming.get(runId);
    if (under !== undefined) return under;
    const resumed = this.#goOn(runId, fileToken, reopens).finally(() => this.#resuming.delete(runId));
    this.#resuming.set(runId, resumed);
    return resumed;
  }

  async #goOn(runId: string, fileToken: string | undefined, reopens: boolean): Promise<Run> {
    this.follower.look();
    const live = this.#live.get(runId);
    if (this.#clusterOf(runId) !== undefined) return live?.run ?? this.#followCluster(runId, reopens);
    if (live !== undefined && !live.loop.isFollowing) return live.run;
    this.#claim(runId);
    try {
      if (live !== undefined) return this.#takeBack(live);
      const folded = await this.#folded(runId);
      const { run, loop } = this.#enliven(folded.state, folded.first, fileToken);
      return this.#takeOver(run, loop, folded.seen, reopens);
    } catch (error) {
      this.driver.release(runId);
      throw error;
    }
  }

  /** The cluster that carries out a run; undefined for a run of this machine. */
  #clusterOf(runId: string): Cluster | undefined {
    const source = this.driver.find(runId)?.source;
    const name = source && clusterOf(source);
    if (name === undefined) return undefined;
    if (this.cluster === undefined) throw elsewhere(runId, name);
    return this.cluster;
  }

  /** A run that a cluster carries out is only looked at here, also where the cluster is asked to take it up again. */
  async #followCluster(runId: string, reopens: boolean): Promise<Run> {
    let folded = await this.#folded(runId);
    if (reopens && isOver(folded.state) && folded.state.status !== "completed") {
      await this.#reopen(runId, folded);
      folded = await this.#folded(runId);
    }
    if (isOver(folded.state)) return this.ended(folded);
    const { run, loop } = this.#enliven(folded.state, folded.first, undefined, this.cluster);
    loop.takeOver(folded.seen, []);
    this.follower.consider(loop, false);
    return run;
  }

  /** The cluster is to go on with a run that has ended. */
  async #reopen(runId: string, { state }: FoldedRun): Promise<void> {
    const source = this.driver.find(runId)?.source;
    const resumed: RunResumed = { kind: "RunResumed", at: this.executor.clock.now() };
    const journal = [...this.driver.events(runId)];
    if (source === undefined || !(await this.cluster?.reopen(source, journal, resumed))) return;
    advance(state, resumed);
    this.driver.mirror?.({ record: recordOf(state), source }, journal.length, [resumed]);
  }

  #claim(runId: string): void {
    if (this.driver.find(runId) === undefined) throw unknownRun(runId);
    if (this.driver.claim(runId)) return;
    throw new SequiturError("RUN_TAKEN", `Another process is carrying out the run "${runId}".`);
  }

  /** The run is ours, and the state is as its journal has it. */
  #takeOver(run: Run, loop: RunLoop, seen: number, reopens: boolean): Run {
    const { state } = loop;
    const isOpen = !isOver(state);
    loop.takeOver(seen, isOpen ? outstanding(state) : []);
    if (!isOpen && reopens && state.status !== "completed") {
      loop.offer({ kind: "RunResumed", at: this.executor.clock.now() });
      return run;
    }
    // Ended without anybody having said so in the list, or waiting, which needs no owner.
    if (state.status !== "running") this.list(state);
    if (!isOpen) {
      run.turned();
      this.#live.delete(run.id);
    } else this.follower.consider(loop, false);
    return run;
  }

  /** A run that another process had gone on with, and has left. */
  #takeBack({ run, loop }: LiveRun): Run {
    loop.catchUp();
    return this.#takeOver(run, loop, loop.seen, false);
  }

  /** Takes every run that was left behind by a process that is gone. */
  async recover(fileToken: (runId: string) => Promise<string | undefined>): Promise<Run[]> {
    const runs: Run[] = [];
    for (const runId of this.driver.orphans()) {
      if (this.#live.get(runId)?.loop.isFollowing === false) continue;
      const resumed = fileToken(runId).then((token) => this.resume(runId, token, false));
      const run = await resumed.catch((error: unknown) => {
        this.log(runId, `cannot be resumed: ${String(error)}`);
      });
      if (run !== undefined) runs.push(run);
    }
    return runs;
  }

  /** Ours, but standing still: for a run that is to be ended without going on with it first. */
  async takeToEnd(runId: string): Promise<Run> {
    if (this.#clusterOf(runId) !== undefined) return this.#followCluster(runId, false);
    this.#claim(runId);
    const folded = await this.#folded(runId).catch((error: unknown) => {
      this.driver.release(runId);
      throw error;
    });
    const { run, loop } = this.#enliven(folded.state, folded.first, undefined);
    loop.takeOver(folded.seen, []);
    return run;
  }

  async #folded(runId: string): Promise<FoldedRun> {
    const folded = await this.fold(runId);
    if (folded === undefined) throw unknownRun(runId);
    return folded;
  }

  /** The state of a run that is not live here, folded from its journal. */
  async fold(runId: string): Promise<FoldedRun | undefined> {
    const recorded = this.#recorded(runId);
    if (recorded === undefined) return undefined;
    const { source, first } = recorded;
    const program = await this.programs.again(source, first);
    const state = newRun(this.programs.setup(program, first.context, first.limits));
    let seen = 0;
    for (const event of this.driver.events(runId)) {
      advance(state, known(runId, event));
      seen++;
    }
    return { state, first, seen };
  }

  /** A state that has not started, to fold the journal of a run into once more. */
  async fresh(runId: string): Promise<{ readonly freshState: () => RunState; readonly program: Program }> {
    const recorded = this.#recorded(runId);
    if (recorded === undefined) throw unknownRun(runId);
    const { source, first } = recorded;
    const program = this.#live.get(runId)?.run.program ?? (await this.programs.again(source, first));
    return { program, freshState: () => newRun(this.programs.setup(program, first.context, first.limits)) };
  }

  /** What a run was started from, and how. */
  #recorded(runId: string): { readonly source: RunSource; readonly first: RunStarted } | undefined {
    const source = this.driver.find(runId)?.source;
    if (source === undefined) return undefined;
    const [begin] = this.driver.events(runId);
    return { source, first: firstOf(runId, begin) };
  }

  /** Leaves every run as it is recorded; calls under way are given up. */
  close(): void {
    this.follower.stop();
    const closed = new SequiturError("ENGINE_CLOSED", "The engine was closed; the run can be resumed.");
    for (const { loop } of this.#live.values()) loop.fail(closed);
  }
}

export function unknownRun(runId: string): SequiturError {
  return new SequiturError("UNKNOWN_RUN", `There is no run "${runId}".`);
}
