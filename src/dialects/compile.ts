import { describe, quote } from "../base/describe.ts";
import { isObject, type Json, type JsonObject } from "../base/json.ts";
import type { FunctionTable } from "../expr/functions/function.ts";
import { builtInFunctions } from "../expr/functions/registry.ts";
import type { ContextDeclarations } from "../ir/context-declarations.ts";
import { fileReferences } from "../ir/file-references.ts";
import type { PassContext } from "../ir/passes/pass.ts";
import { passes } from "../ir/passes/passes.ts";
import type { DialectName, Origin, Program } from "../ir/program.ts";
import { describeQuestions } from "../ir/questions.ts";
import { type Survey, surveyOf } from "../ir/survey.ts";
import type { ToolDeclaration } from "../ir/tool-signature.ts";
import { TypeFlow } from "../ir/type-flow.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { Findings, syntaxDiagnostics } from "../source/findings.ts";
import { openDocument } from "../source/open.ts";
import { below, type Place, rootPlace } from "../source/place.ts";
import { DIALECTS, detectDialect, isDialectName, isWorkflow } from "./dialect.ts";
import {
  agentLibrary,
  type BuiltIns,
  type Environment,
  type ToolLibrary,
  toolLibrary,
} from "./environment.ts";
import { lowerContext } from "./lower-context.ts";
import { fieldTable, Shape } from "./shape.ts";

export interface CompileOptions {
  /** Tools by name. Without them nothing is said of unknown tools. */
  readonly tools?: Readonly<Record<string, ToolDeclaration | ((...args: never[]) => unknown)>> | undefined;
  /** Agent definitions by path, parsed or as text. Without them nothing is said of unknown agents. */
  readonly agents?: Readonly<Record<string, Json>> | undefined;
  /** `tools` and the built-in ones, made ready by whoever compiles many plans. */
  readonly toolLibrary?: ToolLibrary | undefined;
  /** Agents and tools that are always known, whether or not others are given. */
  readonly builtIns?: BuiltIns | undefined;
  readonly functions?: FunctionTable | undefined;
  /** The file's name, for diagnostics. */
  readonly file?: string | undefined;
  readonly dialect?: DialectName | undefined;
  /** A `context_variables.json` given beside the plan, parsed or as text. */
  readonly contextVariables?: Json | undefined;
  /** Names of context variables that are there without a declaration. */
  readonly contextNames?: readonly string[] | undefined;
  /** Reads a file that a workflow names as its plan. */
  readonly load?: ((path: string) => string | undefined) | undefined;
  /** False refuses step plans that use references (`ENABLE_STEP_REFERENCES`). */
  readonly stepReferences?: boolean | undefined;
  readonly stepsMax?: number | undefined;
  /** Diagnostics with `choices`: what could be meant, where that is more than one thing. */
  readonly choices?: boolean | undefined;
  /** Further checks, from parts that the compiler does not know. */
  readonly checks?: readonly ((program: Program, findings: Findings, survey: Survey) => void)[] | undefined;
}

export interface CompileResult {
  /** There when nothing is wrong; warnings do not count. */
  readonly program?: Program;
  readonly diagnostics: Diagnostic[];
}

const STEPS_MAX = 1_000_000;
const NO_FILES: Program["files"] = new Map();
/** What the declarations beside a plan are called in diagnostics. */
const CONTEXT_FILE = "context_variables.json";
const WORKFLOW_FIELDS = fieldTable(["name", "version", "context_variables", "plan", "dialect", "$schema"]);

/** From a plan's text, or its parsed value, to a checked program: every problem at once. */
export function compile(source: string | Json, options: CompileOptions = {}): CompileResult {
  const { document, problems } = openDocument(source, options.file);
  const text = typeof source === "string" ? source : undefined;
  const wrong = syntaxDiagnostics(problems, text, options.file);
  if (document === undefined) return { diagnostics: wrong };
  const findings = new Findings(options.choices);
  const compilation = new Compilation(source, findings, options);
  const program = compilation.compile(document.value, rootPlace(document));
  const diagnostics = wrong.concat(findings.diagnostics());
  const isWrong = program === undefined || findings.hasErrors || wrong.length > 0;
  return isWrong ? { diagnostics } : { program, diagnostics };
}

class Compilation {
  readonly #source: Json;
  /** Texts of files that the plan names. */
  readonly #loaded: Record<string, string> = {};
  readonly #findings: Findings;
  readonly #options: CompileOptions;
  readonly #environment: Environment;

  constructor(source: Json, findings: Findings, options: CompileOptions) {
    this.#source = source;
    this.#findings = findings;
    this.#options = options;
    this.#environment = {
      findings,
      tools: options.toolLibrary ?? toolLibrary(options.tools, options.builtIns?.tools),
      agents: agentLibrary(options.agents, options.builtIns?.agents),
      functions: options.functions ?? builtInFunctions,
      stepReferences: options.stepReferences ?? true,
    };
  }

  compile(value: Json, place: Place): Program | undefined {
    if (isWorkflow(value)) return this.#workflow(value as JsonObject, place);
    return this.#plan(value, place, this.#declarations(value, place), undefined);
  }

  #workflow(value: JsonObject, place: Place): Program | undefined {
    const shape = new Shape(value, place, "A workflow", WORKFLOW_FIELDS, this.#findings);
    const context = shape.has("context_variables")
      ? lowerContext(shape.raw("context_variables") as Json, shape.at("context_variables"), this.#findings)
      : this.#declarations({}, place);
    const name = shape.string("name");
    const plan = shape.raw("plan") as Json;
    if (typeof plan !== "string") return this.#plan(plan, shape.at("plan"), context, name);
    const text = this.#options.load?.(plan);
    if (text === undefined) {
      const data = {
        what: `"plan"`,
        got: quote(plan),
        expected: "a plan, or the path of a file that can be read",
      };
      this.#findings.report("invalid-value", shape.at("plan"), data);
      return undefined;
    }
    this.#loaded[plan] = text;
    const opened = openDocument(text, plan);
    if (opened.document !== undefined && opened.problems.length === 0) {
      return this.#plan(opened.document.value, rootPlace(opened.document), context, name);
    }
    const [first] = syntaxDiagnostics(opened.problems, text, plan);
    const why = `line ${first?.line ?? 1}: ${first?.message ?? "it is not JSON"}`;
    this.#findings.report("invalid-schema", shape.at("plan"), { what: `The plan "${plan}"`, why });
    return undefined;
  }

  #plan(
    value: Json,
    place: Place,
    context: ContextDeclarations | undefined,
    name: string | undefined,
  ): Program | undefined {
    this.#checkDialect(value, place);
    const dialect = this.#options.dialect ?? detectDialect(value);
    if (!isDialectName(dialect)) {
      this.#findings.report("unknown-language", place, {
        keys: isObject(value) ? Object.keys(value).slice(0, 12) : [],
      });
      return undefined;
    }
    const lowered = DIALECTS[dialect].lower(value, place, this.#environment);
    if (lowered === undefined) return undefined;
    const max = this.#options.stepsMax ?? STEPS_MAX;
    for (const { steps, place: at } of lowered.blocks) {
      if (steps.length > max) this.#findings.report("too-many-steps", at, { count: steps.length, max });
    }
    const blocks = lowered.blocks as Program["blocks"];
    const survey = surveyOf({ blocks, context });
    const program: Program = {
      version: 1,
      dialect,
      name: name ?? lowered.name,
      requestId: lowered.requestId,
      blocks,
      questions: describeQuestions(lowered.questions, blocks[0]),
      context,
      origin: this.#origin(),
      files: NO_FILES,
      namesSecrets: survey.secrets,
    };
    return this.#check(program, survey);
  }

  #origin(): Origin {
    const { file, dialect, contextVariables } = this.#options;
    const agents = this.#environment.agents.used();
    return { plan: this.#source, file, dialect, agents, files: this.#loaded, contextVariables };
  }

  #checkDialect(value: Json, place: Place): void {
    const given = isObject(value) ? value.dialect : undefined;
    if (given === undefined || isDialectName(given)) return;
    const expected = Object.keys(DIALECTS)
      .map((name) => `"${name}"`)
      .join(", ");
    const data = { what: `"dialect"`, got: describe(given), expected: `one of ${expected}` };
    this.#findings.report("invalid-value", below(place, "dialect"), data);
  }

  #check(program: Program, survey: Survey): Program {
    const { functions } = this.#environment;
    const { contextNames, contextVariables, checks } = this.#options;
    const known =
      program.context !== undefined || contextNames !== undefined || contextVariables !== undefined;
    const context: PassContext = {
      findings: this.#findings,
      functions,
      types: new TypeFlow(program, functions),
      survey,
      dialect: program.dialect,
      contextNames: known ? (contextNames ?? []) : undefined,
    };
    for (const pass of passes) pass(program, context);
    for (const check of checks ?? []) check(program, this.#findings, survey);
    return survey.types ? { ...program, files: fileReferences(program, context.types) } : program;
  }

  /** The declarations that come with the plan itself or beside it. */
  #declarations(value: Json, place: Place): ContextDeclarations | undefined {
    const inside = isObject(value) ? value.context_variables : undefined;
    if (inside !== undefined) return lowerContext(inside, below(place, "context_variables"), this.#findings);
    const beside = this.#options.contextVariables;
    if (beside === undefined) return undefined;
    const text = typeof beside === "string" ? beside : undefined;
    const { document, problems } = openDocument(beside as string | Json, CONTEXT_FILE);
    const [first] = syntaxDiagnostics(problems, text, CONTEXT_FILE);
    if (first !== undefined) {
      const why = `line ${first.line ?? 1}: ${first.message}`;
      const broken = rootPlace(document ?? { file: CONTEXT_FILE, text, value: null });
      this.#findings.report("invalid-schema", broken, { what: `The file "${CONTEXT_FILE}"`, why });
    }
    return document && lowerContext(document.value, rootPlace(document), this.#findings);
  }
}
