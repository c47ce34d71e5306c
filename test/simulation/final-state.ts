import { canonicalJson, type Json } from "../../src/base/json.ts";
import type { RunState } from "../../src/core/state.ts";
import { runResult, type StepRecord } from "../../src/engine/result.ts";

/**
 * What a run came to, without its times, as text: equal for equal ends. Which items of a fan-out had started when one of them
 * failed it depends on the order by its nature, so they are left out of a fan-out that failed.
 */
export function finalState(state: RunState): string {
  const { status, response, error, steps } = runResult(state);
  const failed = Object.values(steps).filter((step) => step.status === "failed");
  const isInside = (id: string): boolean => failed.some((step) => id.startsWith(`${step.id}[`));
  const kept = Object.values(steps).filter((step) => !isInside(step.id));
  const shown = {
    status,
    response,
    error,
    steps: Object.fromEntries(kept.map((step) => [step.id, withoutTimes(step)])),
  };
  return canonicalJson(JSON.parse(JSON.stringify(shown)) as Json);
}

function withoutTimes({ startedAt: _started, finishedAt: _finished, ...step }: StepRecord): object {
  return step;
}
