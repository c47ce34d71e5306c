/*
 * Context variables while a run goes on: their values, and the triggers that set the derived ones.
 *
 * V1  A derived variable is set to true by a trigger, once, and by nothing else; nothing sets it back.
 * V2  What happens depends on the events alone, in their order: the same events change the same variables at the same places.
 * V3  A change is told once: to the caller, to every provider and to every listener.
 */

import { describe, withArticle } from "../base/describe.ts";
import { SequiturError } from "../base/error.ts";
import { cloneJson, equalJson, type Json, type JsonObject } from "../base/json.ts";
import { RareMap, RareSet } from "../base/rare.ts";
import type { ContextDeclarations, DerivedVariable } from "../ir/context-declarations.ts";
import type { TypeName } from "../ir/signature.ts";
import { nearest } from "../source/nearest.ts";
import type { ContextNews, ContextStore, ObservedEvent, ObservedKind } from "./context-store.ts";
import { meansOf } from "./means.ts";
import type { Watcher } from "./trigger.ts";
import { TRIGGER_TYPES } from "./trigger-types.ts";
import { fitsType } from "./value-type.ts";

/** Somewhere else that keeps a copy of derived variables: a workflow, a group, an agent. */
export interface ContextProvider {
  readonly name: string;
  get(key: string): unknown;
  set(key: string, value: Json): void;
}

export interface ContextChange {
  readonly name: string;
  readonly value: Json;
  /** What caused it; absent where somebody set the variable. */
  readonly event?: ObservedEvent;
}

interface Watch {
  readonly variable: string;
  readonly fires: Watcher;
  hasFailed: boolean;
  isOff: boolean;
}

const NO_VARIABLES: readonly DerivedVariable[] = [];
const NO_NEWS: readonly ContextNews[] = [];
const seesNothing = (): readonly ContextNews[] => NO_NEWS;

export class ContextVariables implements ContextStore {
  readonly #values = new RareMap<string, Json>();
  readonly #types = new RareMap<string, TypeName>();
  readonly #derived: readonly DerivedVariable[];
  readonly #watches = new RareMap<ObservedKind, Watch[]>();
  readonly #providers: ContextProvider[] = [];
  readonly #listeners = new RareSet<(change: ContextChange) => void>();
  /** Variables whose value a provider had already. */
  readonly #adopted = new RareSet<string>();
  #isSeeded: boolean;
  readonly isEmpty: boolean;
  readonly observes: boolean;
  /** Shows an event to the triggers. Where there are none, it does nothing, and is the same for everybody. */
  readonly observe: (event: ObservedEvent) => readonly ContextNews[];

  /** `values` are what a run has already, or is given; names without a declaration are runtime variables of any type. */
  constructor(declarations: ContextDeclarations | undefined, values: JsonObject) {
    this.#derived = declarations?.derived ?? NO_VARIABLES;
    if (declarations !== undefined) this.#declare(declarations);
    for (const name of Object.keys(values)) {
      if (!this.#values.has(name)) this.#types.set(name, "any");
      this.#values.set(name, values[name] as Json);
    }
    this.isEmpty = this.#values.size === 0;
    this.#isSeeded = this.#derived.some(({ name }) => Object.hasOwn(values, name));
    for (const variable of this.#derived) this.#watch(variable);
    this.observes = this.#watches.size > 0;
    this.observe = this.observes ? (event) => this.#look(event) : seesNothing;
  }

  #declare({ defined, runtime, derived }: ContextDeclarations): void {
    for (const { name, typeName, default: value } of [...defined, ...runtime]) {
      this.#types.set(name, typeName);
      this.#values.set(name, value ?? null);
    }
    for (const { name, default: value } of derived) this.#values.set(name, value);
  }

  #watch({ name, triggers }: DerivedVariable): void {
    if (this.#values.get(name) === true) return;
    for (const trigger of triggers) {
      const type = TRIGGER_TYPES.get(trigger.type ?? "");
      if (type === undefined) continue;
      const watch: Watch = {
        variable: name,
        fires: type.watch(trigger, meansOf(name)),
        hasFailed: false,
        isOff: false,
      };
      for (const kind of type.observes) {
        const watches = this.#watches.get(kind);
        if (watches === undefined) this.#watches.set(kind, [watch]);
        else watches.push(watch);
      }
    }
  }

  #look(event: ObservedEvent): readonly ContextNews[] {
    this.#isSeeded = true;
    const watches = this.#watches.get(event.kind);
    if (watches === undefined || watches.length === 0) return NO_NEWS;
    const news: ContextNews[] = [];
    for (const watch of watches) {
      if (watch.isOff || this.#values.get(watch.variable) === true) continue;
      const answer = watch.fires(event);
      if (answer === true) news.push(this.#flip(watch.variable, event));
      else if (answer !== false) {
        watch.isOff = answer.isFinal;
        if (!watch.hasFailed) news.push({ kind: "failed", name: watch.variable, message: told(answer) });
        watch.hasFailed = true;
      }
    }
    if (news.length === 0) return NO_NEWS;
    const isOpen = ({ isOff, variable }: Watch) => !isOff && this.#values.get(variable) !== true;
    this.#watches.set(event.kind, watches.filter(isOpen));
    return news;
  }

  #flip(name: string, event: ObservedEvent): ContextNews {
    this.#values.set(name, true);
    for (const provider of this.#providers) provider.set(name, true);
    this.#announce({ name, value: true, event });
    return { kind: "changed", name, value: true };
  }

  #announce(change: ContextChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }

  get(name: string): Json | undefined {
    return this.#values.get(name);
  }

  refusal(name: string, value: Json): string | undefined {
    const typeName = this.#types.get(name);
    if (typeName === undefined) {
      const isDerived = this.#derived.some((variable) => variable.name === name);
      return isDerived ? `"${name}" is a derived variable: only its triggers set it` : this.#unknown(name);
    }
    if (fitsType(value, typeName)) return undefined;
    return `"${name}" must be ${withArticle(typeName)}, but this is ${describe(value)}`;
  }

  #unknown(name: string): string {
    const near = nearest(name, [...this.#values.keys()]);
    return `there is no context variable "${name}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
  }

  /** The value of a variable that must be there. */
  read(name: string): Json {
    const value = this.#values.get(name);
    if (value === undefined)
      throw new SequiturError("UNKNOWN_VARIABLE", `Cannot read: ${this.#unknown(name)}.`);
    return cloneJson(value);
  }

  set(name: string, value: Json): readonly ContextNews[] {
    if (this.refusal(name, value) !== undefined) return NO_NEWS;
    if (equalJson(this.#values.get(name) ?? null, value)) return NO_NEWS;
    this.#values.set(name, value);
    this.#announce({ name, value });
    return [{ kind: "changed", name, value }];
  }

  values(): JsonObject {
    return this.#values.size === 0 ? {} : Object.fromEntries(this.#values);
  }

  timers(startedAtMs: number): { readonly name: string; readonly atMs: number }[] {
    const timers: { name: string; atMs: number }[] = [];
    for (const { name, triggers } of this.#derived) {
      if (this.#values.get(name) === true) continue;
      let atMs = Number.POSITIVE_INFINITY;
      for (const trigger of triggers) {
        const due = TRIGGER_TYPES.get(trigger.type ?? "")?.timer?.(trigger, startedAtMs);
        if (due !== undefined && due < atMs) atMs = due;
      }
      if (atMs < Number.POSITIVE_INFINITY) timers.push({ name, atMs });
    }
    return timers;
  }

  /** Gives every provider the derived variables as they are. */
  seed(): void {
    this.#isSeeded = true;
    for (const provider of this.#providers) this.#bringUpToDate(provider);
  }

  /**
   * A provider that joins later gets the current values. One that joins before the seeding may have values from an earlier
   * part of the run, which are kept: they count for the variable, and so for all other providers.
   */
  register(provider: ContextProvider): void {
    if (this.#providers.includes(provider)) return;
    this.#providers.push(provider);
    if (!this.#isSeeded) this.#adopt(provider);
    this.#bringUpToDate(provider);
  }

  #adopt(provider: ContextProvider): void {
    for (const { name } of this.#derived) {
      const kept = provider.get(name);
      if (typeof kept !== "boolean") continue;
      this.#values.set(name, kept || (this.#adopted.has(name) && this.#values.get(name) === true));
      this.#adopted.add(name);
    }
  }

  #bringUpToDate(provider: ContextProvider): void {
    for (const { name } of this.#derived) {
      const value = this.#values.get(name) ?? false;
      if (provider.get(name) !== value) provider.set(name, value);
    }
  }

  /** Gives a function that ends the listening. */
  onChange(listener: (change: ContextChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const NO_VARIABLES_AT_ALL = new ContextVariables(undefined, {});

/** The variables of a run. Most have none, and share that: what is not there cannot change. */
export function contextOf(declarations: ContextDeclarations | undefined, values: JsonObject): ContextStore {
  const hasNone = declarations === undefined && Object.keys(values).length === 0;
  return hasNone ? NO_VARIABLES_AT_ALL : new ContextVariables(declarations, values);
}

function told({ problem, isFinal }: { readonly problem: string; readonly isFinal: boolean }): string {
  const after = isFinal ? " It is not called again in this run." : "";
  return `A trigger of this variable could not look at an event: ${problem}.${after}`;
}
