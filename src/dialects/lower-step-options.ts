import type { Condition } from "../ir/condition.ts";
import { DEFAULT_POLICY, type Policy, type Repeat } from "../ir/program.ts";
import { lowerConditionsOf } from "./lower-condition.ts";
import { lowerPolicy, lowerRepeat } from "./lower-policy.ts";
import type { TemplateReader } from "./lower-template.ts";
import type { Shape } from "./shape.ts";

/** What a step of any language may have, and most steps have not. */
export interface StepOptions {
  readonly conditions: Condition | undefined;
  readonly repeat: Repeat | undefined;
  readonly policy: Policy;
  /** Undefined where only the tool says. */
  readonly requiresConfirmation: boolean | undefined;
}

export const STEP_OPTION_FIELDS: readonly string[] = [
  "conditions",
  "policy",
  "repeat",
  "requires_confirmation",
];

export const NO_OPTIONS: StepOptions = {
  conditions: undefined,
  repeat: undefined,
  policy: DEFAULT_POLICY,
  requiresConfirmation: undefined,
};

/** Languages read a reference differently in conditions and in `repeat.until`, where a step may look at its own last turn. */
export interface StepReader extends TemplateReader {
  /** What is read next stands there. */
  enter(part: "conditions" | "until"): void;
}

export function lowerStepOptions(step: Shape, reader: StepReader): StepOptions {
  if (step.isUsual) return NO_OPTIONS;
  reader.enter("conditions");
  const conditions = lowerConditionsOf(step, reader);
  reader.enter("until");
  return {
    conditions,
    repeat: lowerRepeat(step, reader),
    policy: lowerPolicy(step),
    requiresConfirmation: step.boolean("requires_confirmation"),
  };
}
