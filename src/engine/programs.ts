import { getOwn, isObject, type Json, type JsonObject } from "../base/json.ts";
import { checkContextVariables } from "../context/check-declarations.ts";
import { contextOf } from "../context/context.ts";
import type { RunStarted } from "../core/events.ts";
import type { RunSetup } from "../core/state.ts";
import { type CompileOptions, type CompileResult, compile } from "../dialects/compile.ts";
import { type ToolLibrary, toolLibrary } from "../dialects/environment.ts";
import type { RunSource } from "../drivers/driver.ts";
import type { FunctionTable } from "../expr/functions/function.ts";
import { functionTable } from "../expr/functions/registry.ts";
import { fromUser } from "../expr/functions/user.ts";
import type { DialectName, Program } from "../ir/program.ts";
import { coreBuiltIns } from "../tools/core/core-agents.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { Tool } from "../tools/tool.ts";
import { declaredTools, toolsOfRecord } from "./declared-tools.ts";
import type { EngineOptions, StartOptions } from "./options.ts";
import { PlanError } from "./plan-error.ts";
import { ownPlan } from "./prepare.ts";
import type { SecretVault } from "./secrets.ts";
import { SchemaValidator } from "./validator.ts";

/** From plans to what the core runs, with everything that one engine knows. */
export class Programs {
  readonly validator = new SchemaValidator();
  readonly agents: Readonly<Record<string, Json>>;
  readonly #registry: ToolRegistry;
  #tools: ToolLibrary;
  #hasRemote: boolean;
  readonly #functions: FunctionTable;
  readonly #secrets: SecretVault;
  readonly #stepsMax: number | undefined;
  readonly #environment: JsonObject;
  readonly #stepReferences = stepReferencesEnabled();

  constructor(
    options: EngineOptions,
    tools: ToolRegistry,
    agents: Readonly<Record<string, Json>>,
    secrets: SecretVault,
  ) {
    this.agents = agents;
    this.#registry = tools;
    this.#tools = libraryOf(tools);
    this.#hasRemote = holdsRemote(tools);
    this.#functions = functionTable(
      Object.entries(options.functions ?? {}).map(([name, fn]) => fromUser(name, fn)),
    );
    this.#secrets = secrets;
    this.#stepsMax = options.stepsMax;
    this.#environment = options.environment ?? {};
  }

  /** The registry has other tools now. */
  toolsChanged(): void {
    this.#tools = libraryOf(this.#registry);
    this.#hasRemote = holdsRemote(this.#registry);
  }

  compile(source: string | Json, options: StartOptions, choices = false): CompileResult {
    return compile(source, {
      ...this.#compileOptions(options),
      choices,
      checks: [checkContextVariables, this.#secrets.check],
    });
  }

  /** A program, or a PlanError with everything that is wrong. */
  checked(source: string | Json | Program, options: StartOptions): Program {
    if (isProgram(source)) return source;
    const { program, diagnostics } = this.compile(ownPlan(source), options);
    if (program === undefined) throw new PlanError(diagnostics);
    return program;
  }

  /** Compiles the schemas that a program has; undefined where nothing is left to do. */
  makeReady(program: Program): Promise<void> | undefined {
    return this.validator.isReady(program) ? undefined : this.#compileSchemas(program);
  }

  async #compileSchemas(program: Program): Promise<void> {
    const problems = await this.validator.prepare(program);
    if (problems.length > 0) throw unusableSchemas(problems);
  }

  /** The program of a recorded run, from what was recorded with it. */
  async again(source: RunSource, first: RunStarted): Promise<Program> {
    const { plan, file, dialect, agents, files, contextVariables } = source;
    const { program, diagnostics } = compile(plan, {
      ...this.#compileOptions({}),
      toolLibrary: this.#libraryFor(source),
      agents: { ...this.agents, ...agents },
      contextNames: Object.keys(first.context),
      load: (path) => getOwn(files, path) as string | undefined,
      file,
      dialect: dialect as DialectName | undefined,
      contextVariables,
    });
    if (program === undefined) throw new PlanError(diagnostics);
    await this.validator.prepare(program);
    return program;
  }

  /** The tools as they are, but for what remote ones declared when the run was started. */
  #libraryFor({ environment }: RunSource): ToolLibrary {
    const recorded = toolsOfRecord(environment);
    return Object.keys(recorded).length === 0 ? this.#tools : libraryOf(this.#registry, recorded);
  }

  /** What is recorded with a run, so that another process can compile it again. */
  sourceOf(program: Program): RunSource {
    const { plan, file, dialect, agents, files, contextVariables } = program.origin;
    const environment = this.#hasRemote
      ? { ...this.#environment, ...declaredTools(program, this.#registry) }
      : this.#environment;
    return { plan, file, dialect, agents, files, contextVariables, environment };
  }

  setup(program: Program, context: JsonObject, limits: RunStarted["limits"]): RunSetup {
    return {
      program,
      functions: this.#functions,
      validator: this.validator,
      context: contextOf(program.context, context),
      concurrencyMax: limits.concurrency ?? Number.POSITIVE_INFINITY,
      depthMax: limits.depth ?? Number.POSITIVE_INFINITY,
      itemsMax: limits.items ?? Number.POSITIVE_INFINITY,
    };
  }

  /** What is wrong with an answer to a question, or undefined. */
  async answerProblem(program: Program, name: string, value: Json): Promise<string | undefined> {
    const schema = program.questions.find((question) => question.name === name)?.schema;
    return isObject(schema) ? this.validator.value(schema, value) : undefined;
  }

  #compileOptions(options: StartOptions): CompileOptions {
    return {
      toolLibrary: this.#tools,
      agents: this.agents,
      builtIns: coreBuiltIns,
      checks: [checkContextVariables],
      functions: this.#functions,
      file: options.file,
      dialect: options.dialect,
      contextVariables: options.contextVariables,
      contextNames: Object.keys(options.context ?? {}),
      load: options.load,
      stepReferences: this.#stepReferences,
      stepsMax: this.#stepsMax,
    };
  }
}

function holdsRemote(tools: ToolRegistry): boolean {
  return [...tools.values()].some((tool) => tool.isRemote === true);
}

function libraryOf(tools: ToolRegistry, instead: Readonly<Record<string, Tool>> = {}): ToolLibrary {
  return toolLibrary({ ...Object.fromEntries(tools), ...instead }, coreBuiltIns.tools);
}

export function isProgram(source: unknown): source is Program {
  return isObject(source) && source.version === 1 && Array.isArray(source.blocks);
}

function stepReferencesEnabled(): boolean {
  const value = process.env.ENABLE_STEP_REFERENCES;
  return value !== "false" && value !== "0";
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
