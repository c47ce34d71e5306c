import { getOwn, type Json, type JsonObject, setOwn } from "../base/json.ts";
import type { FunctionTable } from "../expr/functions/function.ts";
import type { Call } from "../ir/program.ts";
import { type ToolDeclaration, toolSignature } from "../ir/tool-signature.ts";
import type { Findings } from "../source/findings.ts";

/** What a compilation knows of the world. */
export interface Environment {
  readonly findings: Findings;
  readonly tools: ToolLibrary;
  readonly agents: AgentLibrary;
  readonly functions: FunctionTable;
  /** `ENABLE_STEP_REFERENCES`: false refuses step plans that use references. */
  readonly stepReferences: boolean;
}

type ToolCall = Call & { readonly kind: "tool" };

/** Tools by name; a signature is read when a plan calls the tool. */
export interface ToolLibrary {
  /** False where nobody said which tools there are, so that an unknown one is no error. */
  readonly complete: boolean;
  /** The call of a tool, one for all steps that call it; without a signature where there is no such tool. */
  call(name: string): ToolCall;
  names(): readonly string[];
}

type Tools = Readonly<Record<string, ToolDeclaration | ((...args: never[]) => unknown)>>;

/** What is always there, whatever else is; what is given under the same name comes first. */
export interface BuiltIns {
  readonly agents: Readonly<Record<string, Json>>;
  readonly tools: Tools;
}

/** Made once for all compilations of an engine: signatures, and what is made of them, are then shared by all its plans. */
export function toolLibrary(given: Tools | undefined, builtIn: Tools = {}): ToolLibrary {
  const tools: Tools = { ...builtIn, ...given };
  const calls = new Map<string, ToolCall>();
  const call = (name: string): ToolCall => {
    const known = calls.get(name);
    if (known !== undefined) return known;
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    const made: ToolCall = {
      kind: "tool",
      tool: name,
      agent: name,
      signature: tool && toolSignature(name, tool),
    };
    // Names that mean nothing are as many as plans have mistakes: they are not kept.
    if (tool !== undefined) calls.set(name, made);
    return made;
  };
  return { complete: given !== undefined, call, names: () => Object.keys(tools) };
}

/** Definitions by path: parsed values, or JSON text, whose problems can then be shown with positions. */
export interface AgentLibrary {
  /** False where only some definitions are at hand, so that an unknown path is no error. */
  readonly complete: boolean;
  find(path: string): JsonObject | string | undefined;
  paths(): readonly string[];
  /** The definitions that have been found so far. */
  used(): Readonly<Record<string, Json>>;
}

const NO_AGENTS: Readonly<Record<string, Json>> = {};

export function agentLibrary(
  agents: Readonly<Record<string, Json>> | undefined,
  builtIn: Readonly<Record<string, Json>> = NO_AGENTS,
): AgentLibrary {
  return new GivenAgents(agents, builtIn);
}

class GivenAgents implements AgentLibrary {
  readonly complete: boolean;
  readonly #own: Readonly<Record<string, Json>>;
  readonly #builtIn: Readonly<Record<string, Json>>;
  #used: Record<string, Json> | undefined;

  constructor(agents: Readonly<Record<string, Json>> | undefined, builtIn: Readonly<Record<string, Json>>) {
    this.complete = agents !== undefined;
    this.#own = agents ?? NO_AGENTS;
    this.#builtIn = builtIn;
  }

  find(path: string): JsonObject | string | undefined {
    const other = path.startsWith("/") ? path.slice(1) : `/${path}`;
    const found = getOwn(this.#own, path) ?? getOwn(this.#own, other) ?? getOwn(this.#builtIn, path);
    if (found === undefined) return undefined;
    this.#used ??= {};
    setOwn(this.#used, path, found);
    return found as JsonObject | string;
  }

  paths(): readonly string[] {
    return [...Object.keys(this.#own), ...Object.keys(this.#builtIn)];
  }

  used(): Readonly<Record<string, Json>> {
    return this.#used ?? NO_AGENTS;
  }
}
