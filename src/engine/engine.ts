import { setTimeout } from "node:timers/promises";
import { systemClock } from "../base/clock.ts";
import { SequiturError } from "../base/error.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { isOver } from "../core/advance.ts";
import type { RunStarted } from "../core/events.ts";
import { newRun, type RunState } from "../core/state.ts";
import type { CompileResult } from "../dialects/compile.ts";
import type { Driver, Once, RunFilter } from "../drivers/driver.ts";
import { openStore } from "../drivers/open-store.ts";
import { FileAccessError } from "../files/file-access-error.ts";
import type { FileTokenScopes } from "../files/file-token.ts";
import type { RunFiles } from "../files/granted-files.ts";
import type { Program } from "../ir/program.ts";
import type { PlannedGoal } from "../planner/plan-goal.ts";
import type { CoreServices, ModelClient } from "../tools/core/core-agent.ts";
import { coreAgentDefinitions, coreTools } from "../tools/core/core-agents.ts";
import { type ToolRegistry, toolRegistry } from "../tools/registry.ts";
import type { ToolDefinition } from "../tools/tool.ts";
import { readAgentFolder } from "./agent-folder.ts";
import { Collection } from "./collection.ts";
import { type ConditionSeen, conditionsSeen } from "./condition-report.ts";
import { type EventOptions, traceEvents } from "./event-stream.ts";
import { Executor } from "./executor.ts";
import { NO_STORE, noFiles } from "./file-reader.ts";
import { CANCELLED_BY_CALLER, firstEvent, newRunId } from "./first-event.ts";
import { givenContext, startingContext } from "./initial-context.ts";
import type { LiveRun } from "./live-run.ts";
import { LiveRuns, unknownRun } from "./live-runs.ts";
import type { EngineMetrics } from "./metrics.ts";
import { modelsOf } from "./models.ts";
import { type EngineOptions, limitsOf, type StartOptions } from "./options.ts";
import type { PlanOptions } from "./plan-for.ts";
import { type Given, isGivenNothing, NOTHING_GIVEN, prepareGiven, refuseMode } from "./prepare.ts";
import { isProgram, Programs } from "./programs.ts";
import { recordingCluster, refuseTokenElsewhere, refuseUnmirrored } from "./remote-runs.ts";
import { openRemoteTools, type RemoteTools } from "./remote-tools.ts";
import { type ReplayReport, replayJournal } from "./replay.ts";
import { type RunResult, runResult } from "./result.ts";
import type { Run } from "./run.ts";
import { type Budget, checkBudget } from "./run-budget.ts";
import { type RunSummary, summaryOf } from "./run-summary.ts";
import { SecretVault } from "./secrets.ts";
import { type EngineServices, openServices } from "./services.ts";
import { idOfKey, onceOf, refuseOtherUse } from "./start-once.ts";
import { countSteps, type StepCounts } from "./step-counts.ts";
import { type Monitoring, openMonitoring } from "./telemetry.ts";
import type { TraceEvent } from "./trace.ts";

/** How often the journal of a run that another process carries out is looked at. */
const POLL_MS = 500;
/** How long to wait for the record of a run that another start has handed to the cluster. */
const KNOWN_TRIES = 40;
const KNOWN_PAUSE_MS = 50;

export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const { agents = {} } = options;
  const remote = options.remoteTools ?? (await openRemoteTools(options));
  try {
    return await openEngine(options, agents, remote);
  } catch (error) {
    await remote?.close();
    throw error;
  }
}

async function openEngine(
  options: EngineOptions,
  agents: NonNullable<EngineOptions["agents"]>,
  remote: RemoteTools | undefined,
): Promise<Engine> {
  const definitions = typeof agents === "string" ? await readAgentFolder(agents) : agents;
  const services = await openServices(options, options.clock ?? systemClock);
  const driver = await openStore(options.store ?? "memory", options.clock);
  if (options.cluster !== undefined) refuseUnmirrored(driver);
  return new Engine(options, definitions, driver, services, await openMonitoring(), remote);
}

/** Runs plans: everything that a library user, the command line and the server do goes through here. */
export class Engine {
  readonly #tools: Map<string, ToolDefinition>;
  readonly #programs: Programs;
  readonly #driver: Driver;
  readonly #executor: Executor;
  readonly #limits: RunStarted["limits"];
  readonly #services: EngineServices;
  readonly #monitoring: Monitoring;
  readonly #secrets: SecretVault;
  readonly #models: ModelClient;
  readonly #budget: Budget | undefined;
  readonly #runs: LiveRuns;
  readonly #remote: RemoteTools | undefined;
  #closed = false;

  constructor(
    options: EngineOptions,
    agents: Readonly<Record<string, Json>>,
    driver: Driver,
    services: EngineServices,
    monitoring: Monitoring,
    remote?: RemoteTools,
  ) {
    this.#limits = limitsOf(options);
    this.#monitoring = monitoring;
    this.#services = services;
    this.#driver = driver;
    this.#secrets = remote?.secrets ?? new SecretVault(options.secrets);
    const fits: CoreServices["fits"] = (schema, value) => this.#programs.validator.value(schema, value);
    this.#budget = options.budget && checkBudget(options.budget);
    this.#models = modelsOf(options.models ?? {}, this.#secrets);
    const core = coreTools({ ...services, models: this.#models, fits });
    this.#tools = toolRegistry(core, options.tools ?? {});
    this.#remote = remote && this.#follow(remote);
    this.#programs = new Programs(recordingCluster(options), this.#tools, agents, this.#secrets);
    const concurrencyMax = this.#limits.concurrency ?? Number.POSITIVE_INFINITY;
    const log = options.log ?? (() => {});
    this.#executor = new Executor(this.#tools, services.clock, concurrencyMax, log, this.#secrets);
    const filesOf = (token: string | undefined): RunFiles => this.#filesOf(token);
    this.#runs = new LiveRuns(driver, this.#programs, this.#executor, monitoring, filesOf, options.cluster);
  }

  /** Takes the tools of servers and APIs, now and whenever they change. */
  #follow(remote: RemoteTools): RemoteTools {
    const own = new Set(this.#tools.keys());
    const take = (): void => {
      for (const name of this.#tools.keys()) if (!own.has(name)) this.#tools.delete(name);
      for (const [name, tool] of Object.entries(remote.tools((name) => own.has(name))))
        this.#tools.set(name, tool);
    };
    take();
    remote.onChange(() => {
      take();
      this.#programs.toolsChanged();
    });
    return remote;
  }

  /** Checks a plan with everything this engine knows. */
  compile(source: string | Json, options: StartOptions = {}): CompileResult {
    return this.#programs.compile(source, options);
  }

  /** Asks a model for a plan that reaches a goal with this engine's tools. Nothing but the model is called. */
  async plan(goal: string, options: PlanOptions = {}): Promise<PlannedGoal> {
    const check = (text: string) => this.#programs.compile(text, options, true);
    const known = { tools: this.#tools, agents: { ...coreAgentDefinitions, ...this.agents } };
    return (await import("./plan-for.ts")).planFor(goal, options, known, this.#models, check);
  }

  /** Starts a run. Rejects with a PlanError, before anything is called, where the plan or what is given to it is wrong. */
  async start(source: string | Json | Program, options: StartOptions = {}): Promise<Run> {
    this.#refuseClosed();
    refuseMode(options.mode ?? "stop");
    if (this.#runs.cluster !== undefined) refuseTokenElsewhere(options);
    const once = onceOf(isProgram(source) ? source.origin.plan : source, options);
    const known = once && this.#driver.startedOnce(once.key);
    if (once !== undefined && known !== undefined) return this.#startedBefore(once, known);
    const program = this.#programs.checked(source, options);
    // No promise where nothing has to be waited for.
    const ready = this.#programs.makeReady(program);
    if (ready !== undefined) await ready;
    const context = givenContext(program.context, options.context);
    const state = newRun(this.#programs.setup(program, context, this.#limits));
    const at = this.#executor.clock.now();
    const given = isGivenNothing(program, options) ? NOTHING_GIVEN : await this.#prepare(state, options, at);
    const full = startingContext(program.context, given.arguments, context, this.#driver.collections);
    // On a cluster, starts that do not see each other meet in the id.
    const usualId = once !== undefined && this.#runs.cluster !== undefined ? idOfKey(once) : newRunId(at);
    const asked =
      this.#budget === undefined ? options : { ...options, budget: options.budget ?? this.#budget };
    const first = firstEvent(options.runId ?? usualId, at, given, full, this.#limits, asked);
    const begun = full === context ? state : newRun(this.#programs.setup(program, full, this.#limits));
    const live = this.#runs.create(begun, first, options.fileToken, once);
    return this.#begun(live instanceof Promise ? await live : live, first, options, once);
  }

  #prepare(state: RunState, options: StartOptions, at: number): Promise<Given> {
    return prepareGiven(state, options, at, this.#programs.validator, this.#filesOf(options.fileToken));
  }

  /** Starts a run and waits until it ends, or until only a person can help. */
  async run(source: string | Json | Program, options: StartOptions = {}): Promise<RunResult> {
    return (await this.start(source, options)).endedOrAsked();
  }

  #refuseClosed(): void {
    if (this.#closed) throw new SequiturError("ENGINE_CLOSED", "This engine has been closed.");
  }

  /** The run that an earlier start under the same key made, as it is: one that failed is not taken up again. */
  async #startedBefore(once: Once, known: NonNullable<ReturnType<Driver["startedOnce"]>>): Promise<Run> {
    refuseOtherUse(once, known);
    const { runId } = known;
    const live = this.#runs.find(runId);
    if (live !== undefined) return live.run;
    const folded = await this.#runs.fold(runId);
    if (folded === undefined || !isOver(folded.state)) return this.resume(runId);
    return this.#runs.ended(folded);
  }

  #begun(
    live: LiveRun | undefined,
    first: RunStarted,
    { signal }: StartOptions,
    once: Once | undefined,
  ): Run | Promise<Run> {
    if (live === undefined) return this.#begunElsewhere(first, once);
    if (signal !== undefined) this.#followSignal(live.run, signal);
    return live.run;
  }

  async #begunElsewhere(first: RunStarted, once: Once | undefined): Promise<Run> {
    // Somebody asked for the same at the same time, and was faster.
    const known = once && (await this.#knownSoon(once));
    if (once !== undefined && known !== undefined) return this.#startedBefore(once, known);
    throw new SequiturError("RUN_EXISTS", `There already is a run "${first.runId}".`);
  }

  /** A cluster takes a run a moment before the store knows of it. */
  async #knownSoon(once: Once): Promise<ReturnType<Driver["startedOnce"]>> {
    for (let tries = 0; ; tries++) {
      const known = this.#driver.startedOnce(once.key);
      if (known !== undefined || this.#runs.cluster === undefined || tries === KNOWN_TRIES) return known;
      await setTimeout(KNOWN_PAUSE_MS);
    }
  }

  #followSignal(run: Run, signal: AbortSignal): void {
    const cancel = (): void => void run.cancel(CANCELLED_BY_CALLER);
    signal.addEventListener("abort", cancel, { once: true });
    run.result.finally(() => signal.removeEventListener("abort", cancel)).catch(() => {});
  }

  /** A run as it stands. */
  async get(runId: string): Promise<RunResult | undefined> {
    const live = this.#runs.find(runId);
    if (live !== undefined) {
      this.#runs.look();
      return live.run.snapshot();
    }
    const folded = await this.#runs.fold(runId);
    return folded && runResult(folded.state);
  }

  /** Goes on with a run: one that was left in the middle, one that waits, or one that failed, from where it failed. */
  async resume(runId: string, options: { readonly fileToken?: string } = {}): Promise<Run> {
    this.#refuseClosed();
    return this.#runs.resume(runId, options.fileToken, true);
  }

  /** Takes every run that was left behind by a process that is gone. Tokens are not recorded: runs that read files need new ones. */
  async recover(options: { readonly fileToken?: (runId: string) => Promise<string> } = {}): Promise<Run[]> {
    this.#refuseClosed();
    return this.#runs.recover(async (runId) => options.fileToken?.(runId));
  }

  /** Ends a run without going on with it first: nothing more is called. */
  async cancel(runId: string, reason = ""): Promise<RunResult> {
    const live = this.#runs.find(runId);
    const run = live === undefined ? await this.#runs.takeToEnd(runId) : await this.resume(runId);
    if (run.isOver) throw new SequiturError("RUN_ENDED", `The run "${runId}" has ended.`);
    await run.cancel(reason);
    return run.result;
  }

  /** What happened in a run after event number `after`, and what will; ends with the run. No gaps and no repeats. */
  async *events(runId: string, options: EventOptions = {}): AsyncGenerator<TraceEvent> {
    const { freshState } = await this.#runs.fresh(runId);
    const { clock } = this.#executor;
    yield* traceEvents(
      {
        freshState,
        journal: (after) => this.#driver.events(runId, after),
        // A run of another process tells us nothing: its journal is looked at from time to time.
        onNews: (wake) => this.#runs.find(runId)?.run.onTurn(wake) ?? clock.at(clock.now() + POLL_MS, wake),
      },
      options,
    );
  }

  /** Folds a run's journal again: does it still lead where it led? */
  async replay(runId: string): Promise<ReplayReport> {
    const { freshState } = await this.#runs.fresh(runId);
    const record = this.#driver.find(runId)?.record;
    if (record === undefined) throw unknownRun(runId);
    return replayJournal(freshState, this.#driver.events(runId), record);
  }

  /** A step's conditions with the values that they saw. */
  async conditions(runId: string, stepId: string): Promise<ConditionSeen[]> {
    const { freshState } = await this.#runs.fresh(runId);
    return conditionsSeen(freshState(), this.#driver.events(runId), stepId);
  }

  /** How the steps of a run's plan stand; without a promise for a run that is under way here. */
  counts(runId: string): StepCounts | Promise<StepCounts | undefined> {
    const live = this.#runs.find(runId);
    if (live !== undefined) return countSteps(live.loop.state);
    return this.#runs.fold(runId).then((folded) => folded && countSteps(folded.state));
  }

  /** What was given to `start` as `metadata`. */
  metadata(runId: string): JsonObject | undefined {
    const [first] = this.#driver.events(runId);
    return first?.kind === "RunStarted" ? first.metadata : undefined;
  }

  /** The program of a run, compiled again where the run is not under way here. */
  async program(runId: string): Promise<Program | undefined> {
    return this.#driver.find(runId) && (await this.#runs.fresh(runId)).program;
  }

  /** A run's line in the list of runs. */
  find(runId: string): RunSummary | undefined {
    const record = this.#driver.find(runId)?.record;
    return record && summaryOf(record);
  }

  /** The newest runs first. */
  async list(filter: RunFilter = {}): Promise<RunSummary[]> {
    return this.#driver.list(filter).map(summaryOf);
  }

  /** Tells of every run that starts, or whose status changes, in this process; gives a function that ends it. */
  watch(watcher: (run: RunSummary) => void): () => void {
    return this.#runs.watch(watcher);
  }

  /** Forgets runs that ended before a time, with everything that was recorded of them; gives how many. */
  async forget(finishedBefore: Date): Promise<number> {
    return this.#driver.forget(finishedBefore.getTime());
  }

  /** Documents of the store, to which defined context variables refer. */
  collection(name: string): Collection {
    return new Collection(name, this.#driver.collections);
  }

  /** What a run may read and write, to be given to `start` or `resume` as `fileToken`. */
  async issueFileToken(scopes: FileTokenScopes): Promise<string> {
    const { files } = this.#services;
    if (files === undefined) throw new FileAccessError(NO_STORE);
    return files.issueToken(scopes);
  }

  /** The token stays here: it is neither recorded nor shown, and a run that is resumed is given a new one. */
  #filesOf(token: string | undefined): RunFiles {
    return this.#services.files?.withToken(token) ?? noFiles;
  }

  /** The tools that plans can call here. */
  get tools(): ToolRegistry {
    return this.#tools;
  }

  /** Definitions of agents by path, parsed or as text. */
  get agents(): Readonly<Record<string, Json>> {
    return this.#programs.agents;
  }

  /** How much is going on. */
  get activity(): { readonly runs: number; readonly calls: number } {
    return { runs: this.#runs.size, calls: this.#executor.active };
  }

  /** What this engine has done so far, in numbers. */
  metrics(): EngineMetrics {
    return this.#monitoring.metrics.snapshot();
  }

  /** A value without the secrets that tools have been given. */
  scrub<T extends Json>(value: T): T {
    return this.#secrets.scrub(value);
  }

  /** Takes no more work, and lets the calls under way end, for so long. Gives how many of them did not; `close` comes next. */
  async drain(timeoutMs: number): Promise<number> {
    this.#closed = true;
    const { clock } = this.#executor;
    await new Promise<void>((resolve) => {
      const stop = clock.at(clock.now() + timeoutMs, resolve);
      this.#executor.drain().then(() => {
        stop();
        // What they gave is recorded at the end of this turn of the event loop.
        setImmediate(resolve);
      });
    });
    return this.#executor.active;
  }

  /** Stops taking work and lets go of the store. Runs under way are left as they are recorded; their calls are given up. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#runs.close();
    this.#monitoring.telemetry?.close();
    this.#driver.close();
    await this.#remote?.close();
  }
}
