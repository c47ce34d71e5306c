import { isList, isObject, type Json } from "../base/json.ts";
import type { Block, DialectName, Question } from "../ir/program.ts";
import type { Place } from "../source/place.ts";
import { lowerActions } from "./actions/lower.ts";
import { lowerAgent } from "./agent/lower.ts";
import type { Environment } from "./environment.ts";
import { lowerSteps } from "./steps/lower.ts";

/** What a language makes of a plan. `blocks[0]` is the plan itself. */
export interface Lowered {
  readonly blocks: readonly Block[];
  readonly questions: readonly Question[];
  readonly name: string | undefined;
  readonly requestId: string | undefined;
}

/** A plan language: it reads a value and lowers it; checking and running are done once for all of them. */
export interface Dialect {
  readonly name: DialectName;
  /** Undefined where the value is nothing that could be looked at; what is wrong has been reported. */
  readonly lower: (value: Json, place: Place, environment: Environment) => Lowered | undefined;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  agent: { name: "agent", lower: lowerAgent },
  steps: { name: "steps", lower: lowerSteps },
  actions: { name: "actions", lower: lowerActions },
};

export function isDialectName(name: unknown): name is DialectName {
  return name === "agent" || name === "steps" || name === "actions";
}

/** Which language a plan is in, as its keys show it; a field `dialect` decides where given. */
export function detectDialect(value: Json): DialectName | undefined {
  if (isList(value)) return "actions";
  if (!isObject(value)) return undefined;
  if (isDialectName(value.dialect)) return value.dialect;
  if (value.instructions !== undefined || value.system_event_endpoint !== undefined) return "agent";
  if (value.plan !== undefined) return "actions";
  if (value.steps === undefined) return undefined;
  return isList(value.steps) && value.steps.some((step) => isObject(step) && step.id !== undefined)
    ? "actions"
    : "steps";
}

/** A workflow is a plan with the context variables that it uses, or a plan kept in another file. */
export function isWorkflow(value: Json): boolean {
  if (!isObject(value) || value.plan === undefined) return false;
  return value.context_variables !== undefined || !isList(value.plan);
}
