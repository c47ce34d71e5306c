import { cloneJson, type Json, type JsonObject } from "../base/json.ts";
import { RareMap } from "../base/rare.ts";
import type { ContextStore } from "../context/context-store.ts";
import type { Collections } from "../drivers/driver.ts";
import type { DefinedVariable } from "../ir/context-declarations.ts";
import type { Program } from "../ir/program.ts";
import { ToolError } from "../tools/tool.ts";
import { type LostUpdate, writeDefined } from "./defined-variables.ts";
import type { RunBudget } from "./run-budget.ts";

const NONE: readonly DefinedVariable[] = [];

/** What the tools of one run share: context variables, and the budget of their models. */
export class RunVariables {
  readonly budget: RunBudget;
  readonly #store: ContextStore;
  readonly #defined: readonly DefinedVariable[];
  readonly #arguments: JsonObject;
  readonly #collections: Collections;
  /** Set here, although the record of it may still be on its way: the last one to be set is the one that counts. */
  readonly #latest = new RareMap<string, Json>();

  constructor(
    program: Program,
    args: JsonObject,
    store: ContextStore,
    collections: Collections,
    budget: RunBudget,
  ) {
    this.budget = budget;
    this.#store = store;
    this.#defined = program.context?.defined ?? NONE;
    this.#arguments = args;
    this.#collections = collections;
  }

  get(name: string): Json | undefined {
    const value = this.#latest.has(name) ? this.#latest.get(name) : this.#store.get(name);
    return value === undefined ? undefined : cloneJson(value);
  }

  /** Writes a defined variable back to its document. The caller records the change. */
  set(name: string, value: Json): LostUpdate | undefined {
    const refusal = this.#store.refusal(name, value);
    if (refusal !== undefined) {
      const message = `Cannot set a context variable: ${refusal}.`;
      throw new ToolError(message, { code: "CONTEXT_VARIABLE", retryable: false });
    }
    const variable = this.#defined.find((candidate) => candidate.name === name);
    const seen = this.get(name) ?? null;
    this.#latest.set(name, value);
    return variable && writeDefined(variable, this.#arguments, seen, value, this.#collections);
  }
}
