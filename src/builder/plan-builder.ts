/* Plans in TypeScript: an action plan whose tools, arguments and references the TypeScript compiler checks. */
import { SequiturError } from "../base/error.ts";
import { type Json, type JsonObject, setOwn } from "../base/json.ts";
import type { InputOf, OutputOf, Ref, Value } from "./reference-types.ts";
import { isText, literal, reference, writtenReference } from "./references.ts";

export interface BuiltStep<Output> {
  readonly id: string;
  /** What the tool will have returned. */
  readonly result: Ref<Output>;
}

export interface BuiltCondition {
  readonly param: unknown;
  readonly operator: string;
  readonly value?: unknown;
}

export interface StepSettings {
  /** What the step is for, for people. */
  readonly intent?: string;
  /** Steps that have to be over first, besides those it refers to. */
  readonly after?: readonly { readonly id: string }[];
  readonly conditions?: readonly BuiltCondition[];
  readonly policy?: JsonObject;
  readonly requiresConfirmation?: boolean;
}

export class PlanBuilder<Tools> {
  readonly #steps = new Map<string, JsonObject>();

  /** A step that calls a tool. Other steps refer to `result` of what is returned. */
  step<Name extends keyof Tools & string>(
    id: string,
    tool: Name,
    args: Value<InputOf<Tools, Name>>,
    settings: StepSettings = {},
  ): BuiltStep<OutputOf<Tools, Name>> {
    if (this.#steps.has(id))
      throw new SequiturError("INVALID_PLAN", `There already is a step called "${id}".`);
    const { intent, after, conditions, policy, requiresConfirmation } = settings;
    this.#steps.set(id, {
      id,
      tool,
      ...(intent !== undefined && { intent }),
      arguments: written(args),
      ...(after !== undefined && { dependencies: after.map((step) => step.id) }),
      ...(conditions !== undefined && { conditions: written(conditions) }),
      ...(policy !== undefined && { policy }),
      ...(requiresConfirmation !== undefined && { requires_confirmation: requiresConfirmation }),
    });
    return { id, result: reference(`${id}.result`) };
  }

  /** Something that a person is asked before the run. */
  ask<T = string>(name: string): Ref<T> {
    return reference(`PLACEHOLDER_${name}`);
  }

  /** A context variable. */
  context<T = unknown>(name: string): Ref<T> {
    return reference("context", [name]);
  }

  /** The action plan: for `engine.run`, `compile`, or a file. */
  toJSON(): Json {
    return [...this.#steps.values()];
  }
}

/** A new plan. `Tools` is what `sequitur types` writes, or `ToolTypes<typeof tools>`. */
// biome-ignore lint/suspicious/noExplicitAny: without types every tool takes and gives anything
export function plan<Tools = Record<string, { input: any; output: any }>>(): PlanBuilder<Tools> {
  return new PlanBuilder();
}

function written(value: unknown): Json {
  if (typeof value === "string") return literal(value);
  if (typeof value !== "object" || value === null) return value === undefined ? null : (value as Json);
  const referred = writtenReference(value);
  if (referred !== undefined) return referred;
  if (isText(value)) return value.template;
  if (Array.isArray(value)) return value.map(written);
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) if (item !== undefined) setOwn(copy, key, written(item));
  return copy;
}
