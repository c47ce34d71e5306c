import { comparisonsOf } from "../condition.ts";
import { forEachArgumentSecret, forEachSecret, type SecretTemplate } from "../secret.ts";
import type { Template } from "../template.ts";
import type { Pass } from "./pass.ts";

/** A secret is well formed, and stands where a tool gets it: as an argument, or inside one. */
export const checkSecrets: Pass = (program, { findings, survey }) => {
  if (!survey.secrets) return;
  forEachArgumentSecret(program, ({ name, place }) => {
    if (name === undefined) findings.report("malformed-secret", place, {});
  });
  const misplaced = (where: string) => (secret: SecretTemplate) => {
    findings.report("misplaced-secret", secret.place, { where });
  };
  const refuse = (template: Template | undefined, where: string): void =>
    forEachSecret(template, misplaced(where));
  for (const block of program.blocks) {
    refuse(block.response, "a response is shown to whoever reads the run");
    for (const step of block.steps) {
      if (step.arguments.kind === "secret")
        misplaced("a secret is one argument, not all of them")(step.arguments);
      refuse(step.fanOut?.over, "what is iterated over is shown in the run");
      for (const condition of [step.conditions, step.repeat?.until]) {
        if (condition === undefined) continue;
        for (const { param, value } of comparisonsOf(condition)) {
          refuse(param, "conditions never see its value");
          refuse(value, "conditions never see its value");
        }
      }
    }
  }
};
