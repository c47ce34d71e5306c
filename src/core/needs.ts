import type { Need, Step } from "../ir/program.ts";
import { linksOf } from "./block-links.ts";
import { stepId } from "./ids.ts";
import type { Frame, StepState } from "./state.ts";
import { failure, type StepError } from "./step-error.ts";

/** What the ends of the steps that a step waits for mean for it. */
export type Verdict =
  | { readonly kind: "go" }
  | { readonly kind: "blocked"; readonly reason: string }
  | { readonly kind: "failed"; readonly error: StepError };

const GO: Verdict = { kind: "go" };

export function judgeNeeds(frame: Frame, step: Step): Verdict {
  if (frame.isSound) return GO;
  for (const need of step.needs) {
    if (need.mode !== "data" && need.mode !== "succeeded") continue;
    const other = frame.steps[need.step] as StepState;
    if (other.status === "completed" || other.status === "skipped") continue;
    if (need.mode === "data" && isNullInstead(frame, step, need, other)) continue;
    if (frame.block.rules.failedNeed === "fail" && other.status === "failed")
      return { kind: "failed", error: needFailed(frame, step, need) };
    return { kind: "blocked", reason: blockedBy(frame, need.step, other) };
  }
  return GO;
}

/**
 * A failed optional step gives null where the language says so. To a clean-up step every step that has ended without a result
 * does, and to the conditions of a handler the step whose failure it may handle.
 */
function isNullInstead(frame: Frame, step: Step, need: Need, other: StepState): boolean {
  const optional = frame.block.steps[need.step]?.policy.optional === true;
  if (other.status === "failed" && optional && frame.block.rules.failedOptional === "null") return true;
  if (step.needs.some(({ mode }) => mode === "settled")) return true;
  const handles = step.needs.some((also) => also.step === need.step && also.mode === "handles");
  return handles && !linksOf(frame.block).usesBeyondConditions(step.index, need.step);
}

/** Dependencies are looked at before references. */
function needFailed(frame: Frame, step: Step, need: Need): StepError {
  const unmet = step.needs.filter(
    (other) => other.mode === "succeeded" && frame.steps[other.step]?.status === "failed",
  );
  if (unmet.length === 0) {
    const why = frame.steps[need.step]?.error?.message ?? "";
    return failure("InvalidReferenceError", `Step ${frame.block.steps[need.step]?.id} failed: ${cut(why)}`);
  }
  const names = unmet.map((other) => frame.block.steps[other.step]?.id).join(", ");
  return {
    name: "DependencyError",
    code: "DEPENDENCY",
    message: `Dependencies not met for step ${step.id}: ${names}`,
    retryable: false,
  };
}

/** Messages that hold each other down a long chain must not grow with its length. */
function cut(message: string): string {
  return message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX)}…` : message;
}

const MESSAGE_MAX = 1_000;

/** Names the step that failed, however many blocked ones lie between: reasons do not grow with the length of a chain. */
export function blockedBy(frame: Frame, step: number, other: StepState): string {
  const id = stepId(frame, step);
  if (other.status === "failed") return `"${id}" failed: ${other.error?.message ?? ""}`;
  if (other.status === "blocked") return other.reason ?? `"${id}" is blocked`;
  return `"${id}" was not run${other.reason === undefined ? "" : `: ${other.reason}`}`;
}
