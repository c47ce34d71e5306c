import { type Clock, systemClock } from "../base/clock.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { RunStarted } from "../core/events.ts";
import { firstOf } from "../core/journal.ts";
import { newRun, type RunState } from "../core/state.ts";
import type { Collections, RunRecord, RunSource } from "../drivers/driver.ts";
import type { Host } from "../drivers/run-loop.ts";
import type { RunFiles } from "../files/granted-files.ts";
import type { Placement, Program } from "../ir/program.ts";
import type { CoreServices } from "../tools/core/core-agent.ts";
import { coreTools } from "../tools/core/core-agents.ts";
import { type ToolRegistry, toolRegistry } from "../tools/registry.ts";
import { readAgentFolder } from "./agent-folder.ts";
import { Executor, RunHost } from "./executor.ts";
import { noFiles } from "./file-reader.ts";
import { modelsOf } from "./models.ts";
import { type EngineOptions, limitsOf } from "./options.ts";
import { Programs } from "./programs.ts";
import { RunBudget } from "./run-budget.ts";
import { recordOf } from "./run-summary.ts";
import { RunVariables } from "./run-variables.ts";
import { SecretVault } from "./secrets.ts";
import { openServices } from "./services.ts";

/** A run that a worker has been given. */
interface OpenRun {
  /** Before its first event. */
  readonly state: RunState;
  readonly host: Host;
  /** Its steps can be called by workers that know nothing else of the run. */
  readonly isSelfContained: boolean;
  readonly usesSecrets: boolean;
  /** How it stands. */
  record(): RunRecord;
}

/** Compiles runs and calls tools for whoever brings the events: an engine without a loop of its own. */
interface WorkerHost {
  readonly clock: Clock;
  open(source: RunSource, first: RunStarted): Promise<OpenRun>;
  /** Calls steps of a run that another worker carries out. */
  stepsOf(runId: string, usesSecrets: boolean): Host;
  /** Undefined where its tool does not say. */
  placementOf(tool: string): Placement | undefined;
}

export async function createWorkerHost(
  options: EngineOptions,
  collections: Collections,
): Promise<WorkerHost> {
  const { agents = {}, clock = systemClock } = options;
  const definitions = typeof agents === "string" ? await readAgentFolder(agents) : agents;
  const services = await openServices(options, clock);
  const token = await services.files?.issueToken({ read: ["/"], write: ["/"] });
  const files = services.files?.withToken(token) ?? noFiles;
  const secrets = new SecretVault(options.secrets);
  const models = modelsOf(options.models ?? {}, secrets);
  const fits: CoreServices["fits"] = (schema, value) => worker.fits(schema, value);
  const tools = toolRegistry(coreTools({ ...services, models, fits }), options.tools ?? {});
  const worker = new EngineWorker(options, definitions, tools, clock, files, collections, secrets);
  return worker;
}

/** Calls of all runs of a worker at once. */
const CALLS_MAX = 512;
/** Programs that are kept compiled. */
const COMPILED_MAX = 100;

class EngineWorker implements WorkerHost {
  readonly clock: Clock;
  readonly #tools: ToolRegistry;
  readonly #programs: Programs;
  readonly #executor: Executor;
  readonly #files: RunFiles;
  readonly #collections: Collections;
  readonly #nothing: Program;
  /** The latest last. */
  readonly #compiled = new Map<string, Program>();

  constructor(
    options: EngineOptions,
    agents: Readonly<Record<string, Json>>,
    tools: ToolRegistry,
    clock: Clock,
    files: RunFiles,
    collections: Collections,
    secrets: SecretVault,
  ) {
    const { concurrency } = limitsOf({ concurrency: CALLS_MAX, ...options });
    this.clock = clock;
    this.#tools = tools;
    this.#programs = new Programs(options, tools, agents, secrets);
    this.#executor = new Executor(
      tools,
      clock,
      concurrency ?? Number.POSITIVE_INFINITY,
      options.log ?? (() => {}),
      secrets,
    );
    this.#files = files;
    this.#collections = collections;
    this.#nothing = this.#programs.compile([], { dialect: "actions" }).program as Program;
  }

  /** What is wrong with a value by a schema; undefined where nothing is. */
  fits(schema: JsonObject, value: Json): ReturnType<CoreServices["fits"]> {
    return this.#programs.validator.value(schema, value);
  }

  async open(source: RunSource, first: RunStarted): Promise<OpenRun> {
    const program = await this.#programOf(source, firstOf(first.runId, first));
    const state = newRun(this.#programs.setup(program, first.context, first.limits));
    const usesSecrets = program.namesSecrets;
    return {
      state,
      host: this.#hostOf(first.runId, program, state, first, usesSecrets),
      isSelfContained: program.context === undefined && Object.keys(first.context).length === 0,
      usesSecrets,
      record: () => recordOf(state),
    };
  }

  /** Many runs are of the same plan, and a run comes here each time it is replayed. */
  async #programOf(source: RunSource, first: RunStarted): Promise<Program> {
    const key = JSON.stringify([source, Object.keys(first.context)]);
    const known = this.#compiled.get(key) ?? (await this.#programs.again(source, first));
    this.#compiled.delete(key);
    this.#compiled.set(key, known);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > COMPILED_MAX && oldest !== undefined) this.#compiled.delete(oldest);
    return known;
  }

  stepsOf(runId: string, usesSecrets: boolean): Host {
    const limits = { concurrency: null, depth: null };
    const state = newRun(this.#programs.setup(this.#nothing, {}, limits));
    return this.#hostOf(runId, this.#nothing, state, { arguments: {} }, usesSecrets);
  }

  #hostOf(
    runId: string,
    program: Program,
    { setup, usage }: RunState,
    first: Pick<RunStarted, "arguments" | "budget">,
    usesSecrets: boolean,
  ): Host {
    const variables = (): RunVariables => {
      const budget = new RunBudget(first.budget ?? {}, usage.values());
      return new RunVariables(program, first.arguments, setup.context, this.#collections, budget);
    };
    return new RunHost(runId, this.#executor, variables, this.#files, usesSecrets);
  }

  placementOf(tool: string): Placement | undefined {
    return this.#tools.get(tool)?.placement;
  }
}
