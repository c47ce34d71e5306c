import type { Need, Step } from "../ir/program.ts";
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
  const { rules } = frame.block;
  for (const need of step.needs) {
    if (need.mode !== "data" && need.mode !== "succeeded") continue;
    const other = frame.steps[need.step] as StepState;
    if (other.status === "completed" || other.status === "skipped") continue;
    if (need.mode === "data" && isNullInstead(frame, step, need, other)) continue;
    if (rules.failedNeed === "fail" && other.status === "failed")
      return { kind: "failed", error: needFailed(frame, step, need) };
    return { kind: "blocked", reason: blockedBy(frame, need, other) };
  }
  return GO;
}

/** A failed optional step gives null where the language says so; to a clean-up step, any step that has ended does. */
function isNullInstead(frame: Frame, step: Step, need: Need, other: StepState): boolean {
  const optional = frame.block.steps[need.step]?.policy.optional === true;
  if (other.status === "failed" && optional && frame.block.rules.failedOptional === "null") return true;
  return step.needs.some((also) => also.step === need.step && also.mode === "settled");
}

function needFailed(frame: Frame, step: Step, need: Need): StepError {
  if (need.mode === "data") {
    const message = `Step ${frame.block.steps[need.step]?.id} failed: ${frame.steps[need.step]?.error?.message ?? ""}`;
    return failure("InvalidReferenceError", message);
  }
  const unmet = step.needs.filter(
    (other) => other.mode === "succeeded" && frame.steps[other.step]?.status === "failed",
  );
  const names = unmet.map((other) => frame.block.steps[other.step]?.id).join(", ");
  return {
    name: "DependencyError",
    code: "DEPENDENCY",
    message: `Dependencies not met for step ${step.id}: ${names}`,
    retryable: false,
  };
}

function blockedBy(frame: Frame, need: Need, other: StepState): string {
  const id = stepId(frame, need.step);
  if (other.status === "failed") return `"${id}" failed: ${other.error?.message ?? ""}`;
  if (other.status === "blocked") return `"${id}" is blocked: ${other.reason ?? ""}`;
  return `"${id}" was not run${other.reason === undefined ? "" : `: ${other.reason}`}`;
}
