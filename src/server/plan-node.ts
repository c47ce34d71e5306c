import {
  coreAgentDefinitions,
  type Diagnostic,
  type Engine,
  explain,
  type Json,
  PlanError,
  type Program,
  repair,
  type StartOptions,
} from "../index.ts";
import { refusal } from "./refusal.ts";
import { graphNode } from "./run-node.ts";
import type * as schema from "./schema-types.ts";

/** A plan as a client sends it: one of the three. */
export interface PlanArguments {
  readonly source?: Json | null;
  readonly text?: string | null;
  readonly agent?: string | null;
  readonly dialect?: schema.Dialect | null;
}

export interface SentPlan {
  readonly source: Json;
  /** The path of an agent of the server; undefined for a plan that the client has written. */
  readonly agent: string | undefined;
  readonly options: { readonly file?: string; readonly dialect?: schema.Dialect };
}

export function sentPlan(engine: Engine, { source, text, agent, dialect }: PlanArguments): SentPlan {
  const given = [source, text, agent].filter((value) => value !== null && value !== undefined);
  if (given.length !== 1) {
    throw refusal(
      400,
      "WHICH_PLAN",
      `A plan is one of "source", "text" and "agent"; ${given.length} were given.`,
    );
  }
  const language = dialect === null || dialect === undefined ? {} : { dialect };
  if (agent === null || agent === undefined)
    return { source: (text ?? source) as Json, agent: undefined, options: language };
  const definition = agentDefinitions(engine).get(agent);
  if (definition === undefined) throw refusal(200, "UNKNOWN_AGENT", `There is no agent at "${agent}".`);
  return { source: definition, agent, options: { file: agent, dialect: "agent" } };
}

/** By path: the server's own, and those that come with Sequitur. A path is only ever looked up here, never opened. */
function agentDefinitions(engine: Engine): ReadonlyMap<string, Json> {
  return new Map<string, Json>([...Object.entries(coreAgentDefinitions), ...Object.entries(engine.agents)]);
}

export function checkNode(engine: Engine, plan: PlanArguments, surroundings: StartOptions): schema.PlanCheck {
  const { source, options } = sentPlan(engine, plan);
  const { program, diagnostics } = engine.compile(source, { ...surroundings, ...options });
  const text = typeof source === "string" ? source : JSON.stringify(source, null, 2);
  return {
    ok: program !== undefined,
    dialect: program?.dialect,
    diagnostics: diagnostics.map(diagnosticNode),
    fixedText: () => {
      const { text: fixed, applied } = repair(text, diagnostics);
      return applied > 0 ? fixed : null;
    },
    graph: () => (program === undefined ? null : graphNode(program)),
  };
}

function diagnosticNode({ fix, ...diagnostic }: Diagnostic): schema.Diagnostic {
  return { ...diagnostic, fix: fix && { title: fix.title, edits: fix.edits as unknown as Json } };
}

export function explanationNode(
  engine: Engine,
  plan: PlanArguments,
  surroundings: StartOptions,
): schema.Explanation {
  const program = compiled(engine, plan, surroundings);
  const { questions, ...explanation } = explain(program);
  return {
    ...explanation,
    questions: questions.map((question) => ({ ...question, kind: "input" as const, schema: null })),
    graph: () => graphNode(program),
  };
}

function compiled(engine: Engine, plan: PlanArguments, surroundings: StartOptions): Program {
  const { source, options } = sentPlan(engine, plan);
  const { program, diagnostics } = engine.compile(source, { ...surroundings, ...options });
  if (program === undefined) throw new PlanError(diagnostics);
  return program;
}

export function toolNodes(engine: Engine): schema.Tool[] {
  return [...engine.tools].map(
    ([name, { description, input, output, sideEffects, requiresConfirmation }]) => ({
      name,
      description,
      input,
      output,
      sideEffects: sideEffects ?? false,
      requiresConfirmation: requiresConfirmation ?? false,
    }),
  );
}

export function agentNodes(engine: Engine): schema.Agent[] {
  return [...agentDefinitions(engine)].map(([path, given]) => {
    const definition = parsedDefinition(given);
    const { name, description, arguments: args, responses } = definition ?? {};
    return {
      path,
      name: textOrNull(name),
      description: textOrNull(description),
      arguments: args ?? null,
      responses: responses ?? null,
      definition: definition ?? null,
    };
  });
}

/** An agent that is not JSON is listed without its schema; `checkPlan(agent)` says what is wrong with it. */
function parsedDefinition(given: Json): Readonly<Record<string, Json>> | undefined {
  try {
    const value: unknown = typeof given === "string" ? JSON.parse(given) : given;
    return typeof value === "object" && value !== null
      ? (value as Readonly<Record<string, Json>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
