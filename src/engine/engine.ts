import { randomBytes } from "node:crypto";
import { type Clock, systemClock } from "../base/clock.ts";
import { SequiturError } from "../base/error.ts";
import { getOwn, isObject, type Json, type JsonObject } from "../base/json.ts";
import { initialValues, plainContext } from "../context/plain.ts";
import { advance, isOver } from "../core/advance.ts";
import type { RunStarted } from "../core/events.ts";
import { outstanding } from "../core/outstanding.ts";
import { newRun, type RunSetup, type RunState, type RunStatus } from "../core/state.ts";
import { type CompileOptions, type CompileResult, compile } from "../dialects/compile.ts";
import type { Driver, RunFilter, RunRecord, RunSource } from "../drivers/driver.ts";
import { Gatherer } from "../drivers/gatherer.ts";
import { openStore, type Store } from "../drivers/open-store.ts";
import { RunLoop } from "../drivers/run-loop.ts";
import type { FunctionTable } from "../expr/functions/function.ts";
import { functionTable } from "../expr/functions/registry.ts";
import { fromUser } from "../expr/functions/user.ts";
import type { DialectName, Program } from "../ir/program.ts";
import { type ToolRegistry, toolRegistry } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";
import { readAgentFolder } from "./agent-folder.ts";
import { Executor, type LogEntry, RunHost } from "./executor.ts";
import { noFiles } from "./file-reader.ts";
import { PlanError } from "./plan-error.ts";
import { prepareArguments, prepareInputs, refuseMode } from "./prepare.ts";
import { type RunResult, runResult } from "./result.ts";
import { Run } from "./run.ts";
import { SchemaValidator } from "./validator.ts";

export interface EngineOptions {
  readonly tools?: Readonly<Record<string, Tool>>;
  /** Definitions by path, or a folder of them. */
  readonly agents?: Readonly<Record<string, Json>> | string;
  readonly functions?: Readonly<Record<string, (...args: Json[]) => Json>>;
  readonly store?: Store;
  /** Recorded with each run, so that another process finds its tools: module paths and folders. */
  readonly environment?: JsonObject;
  /** Calls under way at once, over all runs. */
  readonly concurrency?: number;
  /** How deep composites may call each other. */
  readonly depthMax?: number;
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
  /** Start the steps that need no answer before a person has answered. */
  readonly eager?: boolean;
  readonly load?: (path: string) => string | undefined;
}

const CONCURRENCY = 64;
const DEPTH_MAX = 32;

export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const { agents = {} } = options;
  const definitions = typeof agents === "string" ? await readAgentFolder(agents) : agents;
  return new Engine(options, definitions, await openStore(options.store ?? "memory", options.clock));
}

export class Engine {
  readonly #tools: ToolRegistry;
  readonly #toolTable: Record<string, Tool>;
  readonly #agents: Readonly<Record<string, Json>>;
  readonly #functions: FunctionTable;
  readonly #driver: Driver;
  readonly #executor: Executor;
  readonly #validator = new SchemaValidator();
  readonly #concurrencyMax: number;
  readonly #depthMax: number;
  readonly #gatherer: Gatherer;
  readonly #environment: JsonObject;
  readonly #live = new Map<string, Run>();
  #closed = false;

  constructor(options: EngineOptions, agents: Readonly<Record<string, Json>>, driver: Driver) {
    this.#tools = toolRegistry(options.tools ?? {});
    this.#toolTable = Object.fromEntries(this.#tools);
    this.#agents = agents;
    this.#functions = functionTable(
      Object.entries(options.functions ?? {}).map(([name, fn]) => fromUser(name, fn)),
    );
    this.#driver = driver;
    this.#gatherer = new Gatherer(driver);
    this.#environment = options.environment ?? {};
    this.#concurrencyMax = options.concurrency ?? CONCURRENCY;
    this.#depthMax = options.depthMax ?? DEPTH_MAX;
    this.#executor = new Executor(
      this.#tools,
      options.clock ?? systemClock,
      this.#concurrencyMax,
      options.log ?? (() => {}),
    );
  }

  /** Checks a plan with everything this engine knows. */
  compile(source: string | Json, options: StartOptions = {}): CompileResult {
    return compile(source, this.#compileOptions(options));
  }

  #compileOptions(options: StartOptions): CompileOptions {
    return {
      tools: this.#toolTable,
      agents: this.#agents,
      functions: this.#functions,
      file: options.file,
      dialect: options.dialect,
      contextVariables: options.contextVariables,
      contextNames: Object.keys(options.context ?? {}),
      load: options.load,
      stepReferences: stepReferencesEnabled(),
    };
  }

  /** Starts a run. Rejects with a PlanError, before anything is called, where the plan or what is given to it is wrong. */
  async start(source: string | Json | Program, options: StartOptions = {}): Promise<Run> {
    if (this.#closed) throw new SequiturError("ENGINE_CLOSED", "This engine has been closed.");
    const mode = options.mode ?? "stop";
    refuseMode(mode);
    const program = isProgram(source) ? source : this.#compiled(source, options);
    const problems = await this.#validator.prepare(program);
    if (problems.length > 0) throw unusableSchemas(problems);
    const id = options.runId ?? newRunId();
    const context = initialValues(program.context, options.context ?? {});
    const setup = this.#setup(program, context);
    const first = await this.#firstEvent(id, setup, context, mode, options);
    return this.#begin(setup, first, options);
  }

  /** Starts a run and waits until it ends, or until only a person can help. */
  async run(source: string | Json | Program, options: StartOptions = {}): Promise<RunResult> {
    return (await this.start(source, options)).endedOrAsked();
  }

  #compiled(source: string | Json, options: StartOptions): Program {
    const { program, diagnostics } = this.compile(source, options);
    if (program === undefined) throw new PlanError(diagnostics);
    return program;
  }

  #setup(program: Program, context: JsonObject): RunSetup {
    return {
      program,
      functions: this.#functions,
      validator: this.#validator,
      context: plainContext(context),
      concurrencyMax: this.#concurrencyMax,
      depthMax: this.#depthMax,
    };
  }

  async #firstEvent(
    runId: string,
    setup: RunSetup,
    context: JsonObject,
    mode: "stop" | "continue",
    options: StartOptions,
  ): Promise<RunStarted> {
    const at = this.#executor.clock.now();
    return {
      kind: "RunStarted",
      at,
      runId,
      seed: randomBytes(4).readUInt32LE(),
      arguments: prepareArguments(setup, options.arguments, at),
      inputs: await prepareInputs(setup.program, options.inputs ?? {}, this.#validator),
      context,
      mode,
      ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
      ...(options.eager === true && { eager: true }),
    };
  }

  #begin(setup: RunSetup, first: RunStarted, options: StartOptions): Run {
    const { program } = setup;
    if (!this.#driver.create(recordOf(program, first), this.#sourceOf(program), first)) {
      throw new SequiturError("RUN_EXISTS", `There already is a run "${first.runId}".`);
    }
    const { run, loop } = this.#enliven(newRun(setup), first);
    loop.begin(first);
    this.#followSignal(run, options.signal);
    return run;
  }

  /** A run with its loop, known to this engine for as long as it is under way. */
  #enliven(state: RunState, first: RunStarted): { readonly run: Run; readonly loop: RunLoop } {
    const { program, context } = state.setup;
    const { runId } = first;
    const host = new RunHost(runId, this.#executor, context, noFiles);
    let status: RunStatus = state.status;
    const loop = new RunLoop(runId, state, this.#driver, this.#gatherer, host, () => {
      if (loop.failure === undefined && state.status !== status) {
        status = state.status;
        this.#driver.update(runId, status, state.finishedAt > 0 ? state.finishedAt : undefined);
      }
      run.turned();
      if (run.isOver || loop.failure !== undefined) this.#live.delete(runId);
    });
    const run = new Run(loop, {
      now: () => this.#executor.clock.now(),
      freshState: () => newRun(this.#setup(program, first.context)),
      journal: (after) => this.#driver.events(runId, after),
      checkAnswer: (name, value) => this.#checkAnswer(program, name, value),
    });
    this.#live.set(runId, run);
    return { run, loop };
  }

  #followSignal(run: Run, signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const cancel = (): void => void run.cancel("The caller has cancelled the run.");
    if (signal.aborted) cancel();
    else {
      signal.addEventListener("abort", cancel, { once: true });
      run.result.finally(() => signal.removeEventListener("abort", cancel)).catch(() => {});
    }
  }

  async #checkAnswer(program: Program, name: string, value: Json): Promise<string | undefined> {
    const schema = program.questions.find((question) => question.name === name)?.schema;
    return isObject(schema) ? this.#validator.value(schema, value) : undefined;
  }

  /** A run as it stands. */
  async get(runId: string): Promise<RunResult | undefined> {
    const live = this.#live.get(runId);
    if (live !== undefined) return live.snapshot();
    const folded = await this.#fold(runId);
    return folded && runResult(folded.state);
  }

  /** Goes on with a run: one that was left in the middle, one that waits, or one that failed, from where it failed. */
  async resume(runId: string): Promise<Run> {
    const live = this.#live.get(runId);
    if (live !== undefined) return live;
    if (this.#driver.find(runId) === undefined) throw new SequiturError("UNKNOWN_RUN", `There is no run "${runId}".`);
    if (!this.#driver.claim(runId)) {
      throw new SequiturError("RUN_TAKEN", `Another process is carrying out the run "${runId}".`);
    }
    const folded = await this.#fold(runId);
    if (folded === undefined) throw new SequiturError("EMPTY_JOURNAL", `The run "${runId}" has no journal.`);
    const { run, loop } = this.#enliven(folded.state, folded.first);
    if (isOver(folded.state)) {
      if (folded.state.status === "completed") run.turned();
      else loop.offer({ kind: "RunResumed", at: this.#executor.clock.now() });
    } else loop.takeOver(outstanding(folded.state));
    return run;
  }

  /** Takes every run that was left behind by a process that is gone. */
  async recover(): Promise<Run[]> {
    const runs: Run[] = [];
    for (const runId of this.#driver.orphans()) {
      const run = await this.resume(runId).catch((error: unknown) => {
        this.#executor.log({ runId, stepId: "", message: `cannot be resumed: ${String(error)}`, data: undefined });
      });
      if (run !== undefined) runs.push(run);
    }
    return runs;
  }

  /** The state of a run that is not live here, folded from its journal. */
  async #fold(runId: string): Promise<{ readonly state: RunState; readonly first: RunStarted } | undefined> {
    const source = this.#driver.find(runId)?.source;
    const [first] = this.#driver.events(runId);
    if (source === undefined || first?.kind !== "RunStarted") return undefined;
    const program = this.#compileAgain(source, first);
    await this.#validator.prepare(program);
    const state = newRun(this.#setup(program, first.context));
    for (const event of this.#driver.events(runId)) advance(state, event);
    return { state, first };
  }

  #compileAgain({ plan, file, dialect, agents, files, contextVariables }: RunSource, first: RunStarted): Program {
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

  async list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return this.#driver.list(filter);
  }

  /** Stops taking work and lets go of the store. Runs under way are left as they are recorded. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#driver.close();
  }
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

function recordOf(program: Program, first: RunStarted): RunRecord {
  const { name, dialect } = program;
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
