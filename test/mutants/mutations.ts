/*
 * Mistakes that a declaration makes knowable, made one at a time in a plan that is right. Each mutation gives every place
 * where it can be made.
 */
import { isList, isObject, type Json, type JsonObject } from "../../src/base/json.ts";
import {
  type NeutralPlan,
  type NeutralReference,
  type NeutralStep,
  type NeutralValue,
  referencesIn,
} from "./neutral-plan.ts";
import type { Language } from "./write-plan.ts";

export interface Mutation {
  readonly name: string;
  readonly mutants: (plan: NeutralPlan, language: Language) => NeutralPlan[];
}

export const MUTATIONS: readonly Mutation[] = [
  { name: "rename a step", mutants: renameStep },
  { name: "misspell a key", mutants: misspellKey },
  { name: "drop an argument", mutants: dropArgument },
  { name: "swap two types", mutants: swapTypes },
  { name: "close a cycle", mutants: closeCycle },
  { name: "misspell a tool", mutants: misspellTool },
];

function withStep(plan: NeutralPlan, at: number, change: (step: NeutralStep) => NeutralStep): NeutralPlan {
  return { ...plan, steps: plan.steps.map((step, i) => (i === at ? change(step) : step)) };
}

function needsOf(step: NeutralStep): NeutralReference[] {
  return Object.values(step.arguments).flatMap(referencesIn);
}

/** A step gets another name, and those who refer to it keep the old one. In step plans the place is the name. */
function renameStep(plan: NeutralPlan): NeutralPlan[] {
  const wanted = new Set(plan.steps.flatMap(needsOf).map(({ step }) => step));
  return plan.steps.flatMap((step, at) =>
    wanted.has(step.id) ? [withStep(plan, at, (old) => ({ ...old, id: `${old.id}_new` }))] : [],
  );
}

function properties(schema: Json | undefined): JsonObject | undefined {
  return isObject(schema) && isObject(schema.properties) ? schema.properties : undefined;
}

/** Two letters of the first key of a reference change places, where the tool declares what it gives. */
function misspellKey(plan: NeutralPlan): NeutralPlan[] {
  const toolOf = new Map(plan.steps.map(({ id, tool }) => [id, tool]));
  return everyReference(plan, ({ step, path }) => {
    const known = properties(plan.tools[toolOf.get(step) ?? ""]?.output);
    const [key, ...rest] = path;
    if (known === undefined || typeof key !== "string" || !Object.hasOwn(known, key)) return undefined;
    const wrong = key.length > 1 ? `${key.slice(1, 2)}${key.slice(0, 1)}${key.slice(2)}_` : `${key}_`;
    return { step, path: [wrong, ...rest] };
  });
}

function misspellTool(plan: NeutralPlan): NeutralPlan[] {
  return plan.steps.map((_, at) => withStep(plan, at, (step) => ({ ...step, tool: `${step.tool}x` })));
}

function dropArgument(plan: NeutralPlan): NeutralPlan[] {
  return plan.steps.flatMap((step, at) => {
    const required = plan.tools[step.tool]?.input?.required;
    const names = isList(required)
      ? required.filter((name) => Object.hasOwn(step.arguments, String(name)))
      : [];
    return names.map((name) =>
      withStep(plan, at, (old) => ({
        ...old,
        arguments: Object.fromEntries(Object.entries(old.arguments).filter(([key]) => key !== name)),
      })),
    );
  });
}

const OTHER: Readonly<Record<string, Json>> = {
  string: 7,
  number: "seven",
  boolean: "yes",
  array: { no: "list" },
  object: [1],
};

/** The value of an argument and that of one with another type change places; where there is none, a constant comes in. */
function swapTypes(plan: NeutralPlan): NeutralPlan[] {
  return plan.steps.flatMap((step, at) => {
    const known = properties(plan.tools[step.tool]?.input) ?? {};
    const typed = Object.keys(step.arguments).flatMap((name) => {
      const schema = known[name];
      return isObject(schema) && typeof schema.type === "string" ? [{ name, type: schema.type }] : [];
    });
    return typed.map(({ name, type }) => {
      const other = typed.find((candidate) => candidate.type !== type && candidate.name !== name);
      return withStep(plan, at, (old) => ({
        ...old,
        arguments: { ...old.arguments, ...swapped(old, name, type, other?.name) },
      }));
    });
  });
}

function swapped(
  step: NeutralStep,
  name: string,
  type: string,
  other: string | undefined,
): Record<string, NeutralValue> {
  const [mine, theirs] = [step.arguments[name], other === undefined ? undefined : step.arguments[other]];
  if (other === undefined || mine?.kind !== "constant" || theirs?.kind !== "constant") {
    return { [name]: { kind: "constant", value: OTHER[type] ?? null } };
  }
  return { [name]: theirs, [other]: mine };
}

/** A step gets a further argument that refers to one which, directly or not, waits for it. */
function closeCycle(plan: NeutralPlan): NeutralPlan[] {
  return plan.steps.flatMap((step, at) => {
    const later = plan.steps.find((other, i) => i > at && reaches(plan, other.id, step.id));
    if (later === undefined) return [];
    const keys = Object.keys(properties(plan.tools[later.tool]?.output) ?? {});
    const reference = { step: later.id, path: keys.slice(0, 1).length > 0 ? keys.slice(0, 1) : ["x"] };
    const value: NeutralValue = { kind: "text", parts: [reference] };
    return [withStep(plan, at, (old) => ({ ...old, arguments: { ...old.arguments, closing: value } }))];
  });
}

function reaches(plan: NeutralPlan, from: string, to: string, seen: Set<string> = new Set()): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  const step = plan.steps.find(({ id }) => id === from);
  return (
    step !== undefined && needsOf(step).some(({ step: next }) => next === to || reaches(plan, next, to, seen))
  );
}

/** One plan for each reference that `change` gives another reference for. */
function everyReference(
  plan: NeutralPlan,
  change: (reference: NeutralReference) => NeutralReference | undefined,
): NeutralPlan[] {
  return plan.steps.flatMap((step, at) =>
    Object.entries(step.arguments).flatMap(([name, value]) =>
      changedReferences(value, change).map((changed) =>
        withStep(plan, at, (old) => ({ ...old, arguments: { ...old.arguments, [name]: changed } })),
      ),
    ),
  );
}

function changedReferences(
  value: NeutralValue,
  change: (reference: NeutralReference) => NeutralReference | undefined,
): NeutralValue[] {
  const inList = <T>(list: readonly T[], changeOne: (item: T) => T[]): T[][] =>
    list.flatMap((item, at) =>
      changeOne(item).map((changed) => list.map((old, i) => (i === at ? changed : old))),
    );
  switch (value.kind) {
    case "constant":
      return [];
    case "text": {
      const changeOne = (part: string | NeutralReference) => {
        const changed = typeof part === "string" ? undefined : change(part);
        return changed === undefined ? [] : [changed];
      };
      return inList(value.parts, changeOne).map((parts) => ({ kind: "text", parts }));
    }
    case "list":
      return inList(value.items, (item) => changedReferences(item, change)).map((items) => ({
        kind: "list",
        items,
      }));
    case "object":
      return inList(value.entries, ([key, item]) =>
        changedReferences(item, change).map((changed) => [key, changed] as const),
      ).map((entries) => ({ kind: "object", entries }));
  }
}
