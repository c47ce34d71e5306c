import type { Json, JsonObject } from "../base/json.ts";
import type { Condition } from "../ir/condition.ts";
import { type Backoff, DEFAULT_BACKOFF, type Policy, type Step } from "../ir/program.ts";
import { valueAt } from "../source/place.ts";
import { type Spelling, writeTemplate } from "./write-template.ts";

/** What a step of any language may have: `lowerStepOptions`, the other way round. */
export function writeStepOptions(
  step: Step,
  policy: JsonObject,
  spelling: Spelling,
  inUntil = spelling,
): JsonObject {
  const { conditions, repeat, requiresConfirmation, call } = step;
  const byTool = call.signature?.requiresConfirmation ?? false;
  return {
    ...(conditions && { conditions: writeConditions(conditions, spelling) }),
    ...(repeat && { repeat: { until: writeConditions(repeat.until, inUntil), max: repeat.turnsMax } }),
    ...(Object.keys(policy).length > 0 && { policy }),
    ...(requiresConfirmation !== byTool && { requires_confirmation: requiresConfirmation }),
  };
}

export function writePolicy({ retries, backoff, timeoutMs, optional }: Policy): JsonObject {
  return {
    ...(retries > 0 && { retries }),
    ...writeBackoff(backoff),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(optional && { optional }),
  };
}

export function writeBackoff({ baseMs, factor, capMs, jitter }: Backoff): JsonObject {
  const backoff = {
    ...(baseMs !== DEFAULT_BACKOFF.baseMs && { base_ms: baseMs }),
    ...(factor !== DEFAULT_BACKOFF.factor && { factor }),
    ...(capMs !== DEFAULT_BACKOFF.capMs && { cap_ms: capMs }),
    ...(jitter !== DEFAULT_BACKOFF.jitter && { jitter }),
  };
  return Object.keys(backoff).length > 0 ? { backoff } : {};
}

/** The step's name in the plan that it comes from. */
export function nameOf({ id, place }: Step): string {
  const value = valueAt(place) as JsonObject | undefined;
  const name = value?.id ?? value?.execution_id;
  return typeof name === "string" ? name : id;
}

/** What may stand anywhere and means nothing to a run is kept as it was written; what a step is for describes it. */
export function writeRemarks(place: Step["place"]): JsonObject {
  const value = valueAt(place) as JsonObject | undefined;
  const description = value?.description ?? value?.intent;
  return {
    ...(description !== undefined && { description }),
    ...(value?.metadata !== undefined && { metadata: value.metadata }),
  };
}

function writeConditions(condition: Condition, spelling: Spelling): Json {
  return condition.kind === "all"
    ? condition.conditions.map((part) => writeCondition(part, spelling))
    : [writeCondition(condition, spelling)];
}

function writeCondition(condition: Condition, spelling: Spelling): Json {
  if (condition.kind !== "compare") {
    const conditions = condition.conditions.map((part) => writeCondition(part, spelling));
    return { logic: condition.kind === "all" ? "AND" : "OR", conditions };
  }
  const { param, operator, value } = condition;
  return {
    param: writeTemplate(param, spelling),
    operator,
    ...(value !== undefined && { value: writeTemplate(value, spelling) }),
  };
}
