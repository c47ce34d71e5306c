import { SequiturError } from "../base/error.ts";
import { cloneJson, type Json, type JsonObject } from "../base/json.ts";
import { checkDeclarations } from "../context/check-declarations.ts";
import { type ContextChange, type ContextProvider, ContextVariables } from "../context/context.ts";
import type { ContextNews, ObservedEvent } from "../context/context-store.ts";
import type { PlanNames } from "../context/plan-names.ts";
import { lowerContext } from "../dialects/lower-context.ts";
import type { ContextDeclarations } from "../ir/context-declarations.ts";
import { Findings, syntaxDiagnostics } from "../source/findings.ts";
import { openDocument } from "../source/open.ts";
import { rootPlace } from "../source/place.ts";
import { PlanError } from "./plan-error.ts";

export interface ContextOptions {
  /** The agents there are, by name or path, or their definitions by path. Without them no agent is unknown. */
  readonly agents?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly tools?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly questions?: readonly string[];
  /** What a run that is resumed has already. */
  readonly values?: JsonObject;
}

/** Context variables on their own, for conversations that something else runs. */
export interface Context {
  /** Gives the derived variables to every provider that is registered. */
  seed(): void;
  /** A provider that joins after the seeding gets the current values at once. */
  register(provider: ContextProvider): void;
  /** Shows an event to the triggers; gives what came of it. */
  observe(event: ObservedEvent): readonly ContextNews[];
  get(name: string): Json;
  /** Not for derived variables, which only their triggers set. */
  set(name: string, value: Json): void;
  values(): JsonObject;
  /** Gives a function that ends the listening. */
  onChange(listener: (change: ContextChange) => void): () => void;
}

/** `declarations`: `context_variables`, or what is in it, parsed or as text. Throws a PlanError with all that is wrong. */
export function createContext(declarations: Json, options: ContextOptions = {}): Context {
  const variables = new ContextVariables(readDeclarations(declarations, options), options.values ?? {});
  return {
    seed: () => variables.seed(),
    register: (provider) => variables.register(provider),
    observe: variables.observe,
    get: (name) => variables.read(name),
    set(name, value) {
      const refusal = variables.refusal(name, value);
      if (refusal !== undefined) {
        throw new SequiturError("CONTEXT_VARIABLE", `Cannot set a context variable: ${refusal}.`);
      }
      variables.set(name, cloneJson(value));
    },
    values: () => cloneJson(variables.values()) as JsonObject,
    onChange: (listener) => variables.onChange(listener),
  };
}

function readDeclarations(source: Json, options: ContextOptions): ContextDeclarations | undefined {
  const file = "context_variables.json";
  const { document, problems } = openDocument(source ?? {}, file);
  const text = typeof source === "string" ? source : undefined;
  if (document === undefined || problems.length > 0)
    throw new PlanError(syntaxDiagnostics(problems, text, file));
  const findings = new Findings();
  const declarations = lowerContext(document.value, rootPlace(document), findings);
  if (declarations !== undefined) checkDeclarations(declarations, namesOf(options), findings);
  if (findings.hasErrors) throw new PlanError(findings.diagnostics());
  return declarations;
}

function namesOf({ agents, tools, questions }: ContextOptions): PlanNames {
  const list = (names: ContextOptions["agents"]) => names && (isNames(names) ? names : Object.keys(names));
  const known = (names: readonly string[] | undefined) => names && new Set(names);
  return {
    agents: known(list(agents)?.flatMap((name) => [name, lastPart(name)])),
    tools: known(list(tools)),
    questions: known(questions),
  };
}

function isNames(names: readonly string[] | Readonly<Record<string, unknown>>): names is readonly string[] {
  return Array.isArray(names);
}

/** `/agents/InterviewAgent.agent` is the agent `InterviewAgent`. */
function lastPart(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
}
