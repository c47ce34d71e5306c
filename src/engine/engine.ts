import { randomBytes } from "node:crypto";
import { type Clock, systemClock } from "../base/clock.ts";
import { SequiturError } from "../base/error.ts";
import { getOwn, isObject, type Json, type JsonObject } from "../base/json.ts";
import { checkContextVariables } from "../context/check-declarations.ts";
import { ContextVariables } from "../context/context.ts";
import { advance, isOver } from "../core/advance.ts";
import type { RunStarted } from "../core/events.ts";
import { firstOf, JOURNAL_VERSION, known } from "../core/journal.ts";
import { outstanding } from "../core/outstanding.ts";
import { newRun, type RunSetup, type RunState, type RunStatus } from "../core/state.ts";
import { type CompileOptions, type CompileResult, compile } from "../dialects/compile.ts";
import type { Driver, Once, RunFilter, RunRecord, RunSource } from "../drivers/driver.ts";
import { Follower } from "../drivers/follower.ts";
import { Gatherer } from "../drivers/gatherer.ts";
import { openStore, type Store } from "../drivers/open-store.ts";
import { RunLoop } from "../drivers/run-loop.ts";
import type { FunctionTable } from "../expr/functions/function.ts";
import { functionTable } from "../expr/functions/registry.ts";
import { fromUser } from "../expr/functions/user.ts";
import { FileAccessError } from "../files/file-access-error.ts";
import type { FileTokenScopes } from "../files/file-token.ts";
import type { RunFiles } from "../files/granted-files.ts";
import type { DialectName, Program } from "../ir/program.ts";
import { coreBuiltIns, coreTools } from "../tools/core/core-agents.ts";
import { type ToolRegistry, toolRegistry } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";
import { readAgentFolder } from "./agent-folder.ts";
import { Collection } from "./collection.ts";
import { type EventOptions, traceEvents } from "./event-stream.ts";
import { Executor, type LogEntry, RunHost } from "./executor.ts";
import { NO_STORE, noFiles } from "./file-reader.ts";
import { givenContext, startingContext } from "./initial-context.ts";
import type { EngineMetrics, Metrics } from "./metrics.ts";
import { PlanError } from "./plan-error.ts";
import { ownPlan, prepareGiven, refuseMode } from "./prepare.ts";
import { type ReplayReport, replayJournal } from "./replay.ts";
import { isoTime, type RunResult, runResult } from "./result.ts";
import { Run } from "./run.ts";
import { RunVariables } from "./run-variables.ts";
import { namesSecrets, type SecretSource, SecretVault } from "./secrets.ts";
import { type EngineServices, openServices, type ServiceOptions } from "./services.ts";
import { onceOf, refuseOtherUse } from "./start-once.ts";
import { type Monitoring, openMonitoring, type Telemetry } from "./telemetry.ts";
import type { TraceEvent } from "./trace.ts";
import { SchemaValidator } from "./validator.ts";

export interface EngineOptions extends ServiceOptions {
  readonly tools?: Readonly<Record<string, Tool>>;
  /** Definitions by path, or a folder of them. */
  readonly agents?: Readonly<Record<string, Json>> | string;
  readonly functions?: Readonly<Record<string, (...args: Json[]) => Json>>;
  readonly store?: Store;
  /** Recorded with each run, so that another process finds its tools: module paths and folders. */
  readonly environment?: JsonObject;
  /** Calls under way at once, over all runs. */
  readonly concurrency?: number;
  /** How deep agents that call themselves may do so. */
  readonly depthMax?: number;
  /** Steps of one plan. */
  readonly stepsMax?: number;
  /** Items of one fan-out. */
  readonly itemsMax?: number;
  /** Values of `{ "$secret": "NAME" }`; the environment's, if not given (`SEQUITUR_SECRET_NAME`, `SEQUITUR_SECRETS_FILE`). */
  readonly secrets?: SecretSource;
  readonly clock?: Clock;
  readonly log?: (entry: LogEntry) => void;
}

export interface StartOptions {
  readonly arguments?: Json;
  /** Answers to the plan's placeholders. */
  readonly inputs?: JsonObject;
  readonly contextVariables?: Json;
  /** Initial values of context variables. */
  readonly context?: JsonObject;
  readonly mode?: "stop" | "continue";
  readonly dialect?: DialectName;
  readonly file?: string;
  readonly fileToken?: string;
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly runId?: string;
  /** However often, and at the same time, a run is asked for under one key: it is started once. */
  readonly idempotencyKey?: string;
  /** Recorded with the run and shown with it; nothing acts on it. */
  readonly metadata?: JsonObject;
  /** The source of all chance in the run: the same one gives the same delays between attempts. */
  readonly seed?: number;
  /** Start the steps that need no answer before a person has answered. */
  readonly eager?: boolean;
  readonly load?: (path: string) => string | undefined;
}

/** A line of a list of runs. */
export interface RunSummary {
  readonly id: string;
  readonly name: string | undefined;
  readonly dialect: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly finishedAt?: string;
}

const CONCURRENCY = 64;
const DEPTH_MAX = 64;
const POLL_MS = 500;
const CANCELLED_BY_CALLER = "The caller has cancelled the run.";

export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const { agents = {} } = options;
  const definitions = typeof agents === "string" ? await readAgentFolder(agents) : agents;
  const services = await openServices(options, options.clock ?? systemClock);
  return new Engine(
    options,
    definitions,
    await openStore(options.store ?? "memory", options.clock),
    services,
    await openMonitoring(),
  );
}

export class Engine {
  readonly #tools: ToolRegistry;
  readonly #toolTable: Record<string, Tool>;
  readonly #agents: Readonly<Record<string, Json>>;
  readonly #functions: FunctionTable;
  readonly #driver: Driver;
  readonly #executor: Executor;
  readonly #validator = new SchemaValidator();
  readonly #limits: RunStarted["limits"];
  readonly #gatherer: Gatherer;
  readonly #follower: Follower;
  readonly #environment: JsonObject;
  readonly #services: EngineServices;
  readonly #metrics: Metrics;
  readonly #telemetry: Telemetry | undefined;
  readonly #secrets: SecretVault;
  readonly #stepsMax: number | undefined;
  readonly #watchers = new Set<(run: RunSummary) => void>();
  readonly #live = new Map<string, { readonly run: Run; readonly loop: RunLoop }>();
  /** Runs that are being folded: whoever resumes one meanwhile gets the same. */
  readonly #resuming = new Map<string, Promise<Run>>();
  #closed = false;

  constructor(
    options: EngineOptions,
    agents: Readonly<Record<string, Json>>,
    driver: Driver,
    services: EngineServices,
    { metrics, telemetry }: Monitoring,
  ) {
    this.#metrics = metrics;
    this.#telemetry = telemetry;
    this.#services = services;
    this.#tools = toolRegistry(coreTools(services), options.tools ?? {});
    this.#toolTable = Object.fromEntries(this.#tools);
    this.#agents = agents;
    this.#functions = functionTable(
      Object.entries(options.functions ?? {}).map(([name, fn]) => fromUser(name, fn)),
    );
    this.#driver = driver;
    this.#gatherer = new Gatherer(driver);
    this.#follower = new Follower(driver);
    this.#environment = options.environment ?? {};
    const concurrencyMax = positive("concurrency", options.concurrency ?? CONCURRENCY);
    const depthMax = positive("depthMax", options.depthMax ?? DEPTH_MAX);
    this.#limits = {
      concurrency: orNull(concurrencyMax),
      depth: orNull(depthMax),
      items: options.itemsMax ?? null,
    };
    this.#secrets = new SecretVault(options.secrets);
    this.#stepsMax = options.stepsMax;
    this.#executor = new Executor(
      this.#tools,
      services.clock,
      concurrencyMax,
      options.log ?? (() => {}),
      this.#secrets,
    );
  }

  /** Checks a plan with everything this engine knows. */
  compile(source: string | Json, options: StartOptions = {}): CompileResult {
    return compile(source, {
      ...this.#compileOptions(options),
      checks: [checkContextVariables, this.#secrets.check],
    });
  }

  #compileOptions(options: StartOptions): CompileOptions {
    return {
      tools: this.#toolTable,
      agents: this.#agents,
      builtIns: coreBuiltIns,
      checks: [checkContextVariables],
      functions: this.#functions,
      file: options.file,
      dialect: options.dialect,
      contextVariables: options.contextVariables,
      contextNames: Object.keys(options.context ?? {}),
      load: options.load,
      stepReferences: stepReferencesEnabled(),
      stepsMax: this.#stepsMax,
    };
  }

  /** Starts a run. Rejects with a PlanError, before anything is called, where the plan or what is given to it is wrong. */
  async start(source: string | Json | Program, options: StartOptions = {}): Promise<Run> {
    if (this.#closed) throw new SequiturError("ENGINE_CLOSED", "This engine has been closed.");
    const mode = options.mode ?? "stop";
    refuseMode(mode);
    const once = onceOf(isProgram(source) ? source.origin.plan : source, options);
    const known = once && this.#driver.startedOnce(once.key);
    if (once !== undefined && known !== undefined) return this.#startedBefore(once, known);
    const program = isProgram(source) ? source : this.#compiled(source, options);
    const problems = await this.#validator.prepare(program);
    if (problems.length > 0) throw unusableSchemas(problems);
    const id = options.runId ?? newRunId();
    const given = givenContext(program.context, options.context);
    const first = await this.#firstEvent(id, this.#setup(program, given, this.#limits), given, mode, options);
    return this.#begin(this.#setup(program, first.context, this.#limits), first, options, once);
  }

  /** The run that an earlier start under the same key made, as it is: one that failed is not taken up again. */
  async #startedBefore(once: Once, known: NonNullable<ReturnType<Driver["startedOnce"]>>): Promise<Run> {
    refuseOtherUse(once, known);
    const { runId } = known;
    const live = this.#live.get(runId);
    if (live !== undefined) return live.run;
    const folded = await this.#fold(runId);
    if (folded === undefined || !isOver(folded.state)) return this.resume(runId);
    const { run } = this.#enliven(folded.state, folded.first, undefined);
    this.#live.delete(runId);
    run.turned();
    return run;
  }

  /** Starts a run and waits until it ends, or until only a person can help. */
  async run(source: string | Json | Program, options: StartOptions = {}): Promise<RunResult> {
    return (await this.start(source, options)).endedOrAsked();
  }

  #compiled(source: string | Json, options: StartOptions): Program {
    const { program, diagnostics } = this.compile(ownPlan(source), options);
    if (program === undefined) throw new PlanError(diagnostics);
    return program;
  }

  #setup(program: Program, context: JsonObject, limits: RunStarted["limits"]): RunSetup {
    return {
      program,
      functions: this.#functions,
      validator: this.#validator,
      context: new ContextVariables(program.context, context),
      concurrencyMax: limits.concurrency ?? Number.POSITIVE_INFINITY,
      depthMax: limits.depth ?? Number.POSITIVE_INFINITY,
      itemsMax: limits.items ?? Number.POSITIVE_INFINITY,
    };
  }

  async #firstEvent(
    runId: string,
    setup: RunSetup,
    given: JsonObject,
    mode: "stop" | "continue",
    options: StartOptions,
  ): Promise<RunStarted> {
    const at = this.#executor.clock.now();
    const prepared = await prepareGiven(
      setup,
      options,
      at,
      this.#validator,
      this.#filesOf(options.fileToken),
    );
    const { context: declarations } = setup.program;
    return {
      kind: "RunStarted",
      at,
      journal: JOURNAL_VERSION,
      runId,
      seed: options.seed ?? randomBytes(4).readUInt32LE(),
      ...prepared,
      context: startingContext(declarations, prepared.arguments, given, this.#driver.collections),
      mode,
      limits: this.#limits,
      ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
      ...(options.eager === true && { eager: true }),
      ...(options.metadata !== undefined && { metadata: options.metadata }),
      ...(options.signal?.aborted === true && { cancelled: CANCELLED_BY_CALLER }),
    };
  }

  async #begin(
    setup: RunSetup,
    first: RunStarted,
    options: StartOptions,
    once: Once | undefined,
  ): Promise<Run> {
    const { program } = setup;
    const record = recordOf(program, first);
    if (!(await this.#gatherer.create(record, this.#sourceOf(program), first, once))) {
      // Somebody asked for the same at the same time, and was faster.
      const known = once && this.#driver.startedOnce(once.key);
      if (once !== undefined && known !== undefined) return this.#startedBefore(once, known);
      throw new SequiturError("RUN_EXISTS", `There already is a run "${first.runId}".`);
    }
    const { run, loop } = this.#enliven(newRun(setup), first, options.fileToken);
    this.#announce(record);
    loop.begin(first);
    this.#followSignal(run, options.signal);
    return run;
  }

  /** A run with its loop, known to this engine for as long as it is under way. */
  #enliven(
    state: RunState,
    first: RunStarted,
    fileToken: string | undefined,
  ): { readonly run: Run; readonly loop: RunLoop } {
    const { program, context } = state.setup;
    const { runId } = first;
    const variables = new RunVariables(program, first.arguments, context, this.#driver.collections);
    const files = this.#filesOf(fileToken);
    const spans = this.#telemetry?.spansOf(state);
    const host = new RunHost(
      runId,
      this.#executor,
      variables,
      files,
      namesSecrets(program),
      spans && ((command, start) => spans.around(command, start)),
    );
    let status: RunStatus = state.status;
    const onTurn = (): void => {
      if (loop.failure !== undefined) this.#driver.release(runId);
      else if (state.status !== status) {
        status = state.status;
        if (!loop.isFollowing) this.#list(state);
      }
      this.#follower.consider(loop, run.isOver);
      run.turned();
      if (run.isOver || loop.failure !== undefined) this.#live.delete(runId);
      if (loop.isFollowing || loop.failure !== undefined) spans?.abandon(this.#executor.clock.now());
    };
    const loop = new RunLoop(runId, state, this.#driver, this.#gatherer, host, onTurn, (event, commands) => {
      this.#metrics.turn(state, event, commands);
      spans?.turn(event, commands);
    });
    const run = new Run(loop, {
      now: () => this.#executor.clock.now(),
      freshState: () => newRun(this.#setup(program, first.context, first.limits)),
      journal: (after) => this.#driver.events(runId, after),
      checkAnswer: (name, value) => this.#checkAnswer(program, name, value),
    });
    this.#live.set(runId, { run, loop });
    return { run, loop };
  }

  /** How the run stands, in the list of runs. The journal is the truth: where this fails, recovery puts it right. */
  #list({ runId, status, finishedAt, startedAt, program }: RunState): void {
    const { dialect } = program;
    this.#announce({
      id: runId,
      name: nameOf(program),
      dialect,
      status,
      startedAt,
      finishedAt: finishedAt > 0 ? finishedAt : undefined,
    });
    this.#gatherer.update({
      runId,
      status,
      finishedAt: finishedAt > 0 ? finishedAt : undefined,
      onError: (error) => this.#log(runId, `is ${status}, but is not listed so: ${String(error)}`),
    });
  }

  #announce(record: RunRecord): void {
    if (this.#watchers.size === 0) return;
    const summary = summaryOf(record);
    for (const watcher of this.#watchers) watcher(summary);
  }

  /** Tells of every run that starts, or whose status changes, in this process; gives a function that ends it. */
  watch(watcher: (run: RunSummary) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** What happened in a run after event number `after`, and what will; ends with the run. No gaps and no repeats. */
  async *events(runId: string, options: EventOptions = {}): AsyncGenerator<TraceEvent> {
    const first = this.#firstOf(runId);
    const program = await this.program(runId);
    if (first === undefined || program === undefined) {
      throw new SequiturError("UNKNOWN_RUN", `There is no run "${runId}".`);
    }
    yield* traceEvents(
      {
        freshState: () => newRun(this.#setup(program, first.context, first.limits)),
        journal: (after) => this.#driver.events(runId, after),
        // A run of another process tells us nothing: its journal is looked at from time to time.
        onNews: (wake) => {
          const { clock } = this.#executor;
          return this.#live.get(runId)?.run.onTurn(wake) ?? clock.at(clock.now() + POLL_MS, wake);
        },
      },
      options,
    );
  }

  #firstOf(runId: string): RunStarted | undefined {
    const [first] = this.#driver.events(runId);
    return first?.kind === "RunStarted" ? first : undefined;
  }

  /** What was given to `start` as `metadata`. */
  metadata(runId: string): JsonObject | undefined {
    return this.#firstOf(runId)?.metadata;
  }

  /** The program of a run, compiled again where the run is not under way here. */
  async program(runId: string): Promise<Program | undefined> {
    const live = this.#live.get(runId);
    if (live !== undefined) return live.run.program;
    const source = this.#driver.find(runId)?.source;
    const first = this.#firstOf(runId);
    if (source === undefined || first === undefined) return undefined;
    const program = this.#compileAgain(source, first);
    await this.#validator.prepare(program);
    return program;
  }

  /** The tools that plans can call here. */
  get tools(): ToolRegistry {
    return this.#tools;
  }

  /** Definitions of agents by path, parsed or as text. */
  get agents(): Readonly<Record<string, Json>> {
    return this.#agents;
  }

  /** How much is going on. */
  get activity(): { readonly runs: number; readonly calls: number } {
    return { runs: this.#live.size, calls: this.#executor.active };
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

  #log(runId: string, message: string): void {
    this.#executor.log({ runId, stepId: "", message, data: undefined });
  }

  /** The token stays here: it is neither recorded nor shown, and a run that is resumed is given a new one. */
  #filesOf(token: string | undefined): RunFiles {
    return this.#services.files?.withToken(token) ?? noFiles;
  }

  /** What a run may read and write, to be given to `start` or `resume` as `fileToken`. */
  async issueFileToken(scopes: FileTokenScopes): Promise<string> {
    const { files } = this.#services;
    if (files === undefined) throw new FileAccessError(NO_STORE);
    return files.issueToken(scopes);
  }

  #followSignal(run: Run, signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const cancel = (): void => void run.cancel(CANCELLED_BY_CALLER);
    signal.addEventListener("abort", cancel, { once: true });
    run.result.finally(() => signal.removeEventListener("abort", cancel)).catch(() => {});
  }

  async #checkAnswer(program: Program, name: string, value: Json): Promise<string | undefined> {
    const schema = program.questions.find((question) => question.name === name)?.schema;
    return isObject(schema) ? this.#validator.value(schema, value) : undefined;
  }

  /** A run as it stands. */
  async get(runId: string): Promise<RunResult | undefined> {
    const live = this.#live.get(runId);
    if (live !== undefined) {
      this.#follower.look();
      return live.run.snapshot();
    }
    const folded = await this.#fold(runId);
    return folded && runResult(folded.state);
  }

  /** Goes on with a run: one that was left in the middle, one that waits, or one that failed, from where it failed. */
  async resume(runId: string, options: { readonly fileToken?: string } = {}): Promise<Run> {
    return this.#resume(runId, options.fileToken, true);
  }

  #resume(runId: string, fileToken: string | undefined, reopens: boolean): Promise<Run> {
    const under = this.#resuming.get(runId);
    if (under !== undefined) return under;
    const resumed = this.#goOn(runId, fileToken, reopens).finally(() => this.#resuming.delete(runId));
    this.#resuming.set(runId, resumed);
    return resumed;
  }

  async #goOn(runId: string, fileToken: string | undefined, reopens: boolean): Promise<Run> {
    if (this.#closed) throw new SequiturError("ENGINE_CLOSED", "This engine has been closed.");
    this.#follower.look();
    const live = this.#live.get(runId);
    if (live !== undefined && !live.loop.isFollowing) return live.run;
    if (this.#driver.find(runId) === undefined)
      throw new SequiturError("UNKNOWN_RUN", `There is no run "${runId}".`);
    if (!this.#driver.claim(runId)) {
      throw new SequiturError("RUN_TAKEN", `Another process is carrying out the run "${runId}".`);
    }
    try {
      if (live !== undefined) return this.#takeBack(live);
      const folded = await this.#fold(runId);
      if (folded === undefined) throw new SequiturError("UNKNOWN_RUN", `There is no run "${runId}".`);
      const { run, loop } = this.#enliven(folded.state, folded.first, fileToken);
      return this.#takeOver(run, loop, folded.seen, reopens);
    } catch (error) {
      this.#driver.release(runId);
      throw error;
    }
  }

  /** The run is ours, and the state is as its journal has it. */
  #takeOver(run: Run, loop: RunLoop, seen: number, reopens: boolean): Run {
    const { state } = loop;
    const isOpen = !isOver(state);
    loop.takeOver(seen, isOpen ? outstanding(state) : []);
    if (!isOpen && reopens && state.status !== "completed") {
      loop.offer({ kind: "RunResumed", at: this.#executor.clock.now() });
      return run;
    }
    // Ended without anybody having said so in the list, or waiting, which needs no owner.
    if (state.status !== "running") this.#list(state);
    if (!isOpen) {
      run.turned();
      this.#live.delete(run.id);
    } else this.#follower.consider(loop, false);
    return run;
  }

  /** A run that another process had gone on with, and has left. */
  #takeBack({ run, loop }: { readonly run: Run; readonly loop: RunLoop }): Run {
    loop.catchUp();
    return this.#takeOver(run, loop, loop.seen, false);
  }

  /** Takes every run that was left behind by a process that is gone. Tokens are not recorded: runs that read files need new ones. */
  async recover(options: { readonly fileToken?: (runId: string) => Promise<string> } = {}): Promise<Run[]> {
    const runs: Run[] = [];
    for (const runId of this.#driver.orphans()) {
      if (this.#live.get(runId)?.loop.isFollowing === false) continue;
      const resumed = Promise.resolve(options.fileToken?.(runId)).then((fileToken) =>
        this.#resume(runId, fileToken, false),
      );
      const run = await resumed.catch((error: unknown) => {
        this.#log(runId, `cannot be resumed: ${String(error)}`);
      });
      if (run !== undefined) runs.push(run);
    }
    return runs;
  }

  /** Ends a run without going on with it first: nothing more is called. */
  async cancel(runId: string, reason = ""): Promise<RunResult> {
    const live = this.#live.get(runId);
    const run = live === undefined ? await this.#takeToEnd(runId) : await this.resume(runId);
    if (run.isOver) throw new SequiturError("RUN_ENDED", `The run "${runId}" has ended.`);
    await run.cancel(reason);
    return run.result;
  }

  /** Ours, but standing still. */
  async #takeToEnd(runId: string): Promise<Run> {
    if (!this.#driver.claim(runId)) {
      throw new SequiturError("RUN_TAKEN", `Another process is carrying out the run "${runId}".`);
    }
    const folded = await this.#fold(runId).catch((error: unknown) => {
      this.#driver.release(runId);
      throw error;
    });
    if (folded === undefined) throw new SequiturError("UNKNOWN_RUN", `There is no run "${runId}".`);
    const { run, loop } = this.#enliven(folded.state, folded.first, undefined);
    loop.takeOver(folded.seen, []);
    return run;
  }

  /** Folds a run's journal again: does it still lead where it led? */
  async replay(runId: string): Promise<ReplayReport> {
    const record = this.#driver.find(runId)?.record;
    const first = this.#firstOf(runId);
    const program = await this.program(runId);
    if (record === undefined || first === undefined || program === undefined) {
      throw new SequiturError("UNKNOWN_RUN", `There is no run "${runId}".`);
    }
    const freshState = (): RunState => newRun(this.#setup(program, first.context, first.limits));
    return replayJournal(freshState, this.#driver.events(runId), record);
  }

  /** Forgets runs that ended before a time, with everything that was recorded of them; gives how many. */
  async forget(finishedBefore: Date): Promise<number> {
    return this.#driver.forget(finishedBefore.getTime());
  }

  /** The state of a run that is not live here, folded from its journal. */
  async #fold(
    runId: string,
  ): Promise<{ readonly state: RunState; readonly first: RunStarted; readonly seen: number } | undefined> {
    const source = this.#driver.find(runId)?.source;
    if (source === undefined) return undefined;
    const [begin] = this.#driver.events(runId);
    const first = firstOf(runId, begin);
    const program = this.#compileAgain(source, first);
    await this.#validator.prepare(program);
    const state = newRun(this.#setup(program, first.context, first.limits));
    let seen = 0;
    for (const event of this.#driver.events(runId)) {
      advance(state, known(runId, event));
      seen++;
    }
    return { state, first, seen };
  }

  #compileAgain(
    { plan, file, dialect, agents, files, contextVariables }: RunSource,
    first: RunStarted,
  ): Program {
    const { program, diagnostics } = compile(plan, {
      ...this.#compileOptions({}),
      agents: { ...this.#agents, ...agents },
      contextNames: Object.keys(first.context),
      load: (path) => getOwn(files, path) as string | undefined,
      file,
      dialect: dialect as DialectName | undefined,
      contextVariables,
    });
    if (program === undefined) throw new PlanError(diagnostics);
    return program;
  }

  #sourceOf({ origin }: Program): RunSource {
    const { plan, file, dialect, agents, files, contextVariables } = origin;
    return { plan, file, dialect, agents, files, contextVariables, environment: this.#environment };
  }

  /** Documents of the store, to which defined context variables refer. */
  collection(name: string): Collection {
    return new Collection(name, this.#driver.collections);
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

  /** What this engine has done so far, in numbers. */
  metrics(): EngineMetrics {
    return this.#metrics.snapshot();
  }

  /** Stops taking work and lets go of the store. Runs under way are left as they are recorded; their calls are given up. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#follower.stop();
    const closed = new SequiturError("ENGINE_CLOSED", "The engine was closed; the run can be resumed.");
    for (const { loop } of [...this.#live.values()]) loop.fail(closed);
    this.#telemetry?.close();
    this.#driver.close();
  }
}

function positive(name: string, value: number): number {
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value > 0)) return value;
  throw new SequiturError("INVALID_OPTION", `"${name}" must be a whole number from 1, not ${String(value)}.`);
}

/** Infinity has no JSON form. */
function orNull(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}

function summaryOf({ startedAt, finishedAt, ...record }: RunRecord): RunSummary {
  return {
    ...record,
    startedAt: isoTime(startedAt),
    ...(finishedAt !== undefined && { finishedAt: isoTime(finishedAt) }),
  };
}

function isProgram(source: unknown): source is Program {
  return isObject(source) && source.version === 1 && Array.isArray(source.blocks);
}

function stepReferencesEnabled(): boolean {
  const value = process.env.ENABLE_STEP_REFERENCES;
  return value !== "false" && value !== "0";
}

/** Sorts by time, reads well in a terminal. */
function newRunId(): string {
  return `run_${Date.now().toString(36)}${randomBytes(5).toString("hex")}`;
}

/** A plan that has no name of its own is called as its file is. */
function nameOf({ name, origin }: Program): string | undefined {
  return (
    name ?? origin.file?.replace(/^.*[\\/]/, "").replace(/(\.(plan|agent|workflow))?\.json$|\.agent$/, "")
  );
}

function recordOf(program: Program, first: RunStarted): RunRecord {
  const { dialect } = program;
  const name = nameOf(program);
  return { id: first.runId, name, dialect, status: "running", startedAt: first.at, finishedAt: undefined };
}

function unusableSchemas(problems: readonly string[]): PlanError {
  return new PlanError(
    problems.map((message) => ({
      code: "invalid-schema",
      name: "DefinitionError",
      severity: "error",
      message,
      pointer: "",
      hints: [],
    })),
  );
}
