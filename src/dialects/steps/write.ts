import type { Json, JsonObject } from "../../base/json.ts";
import type { Reference } from "../../expr/reference.ts";
import type { Program, Step } from "../../ir/program.ts";
import type { TextPart } from "../../ir/template.ts";
import type { Remarks } from "../remarks.ts";
import { escapeMarks, writePath, writeText } from "../write-embedded.ts";
import { nameOf, writeBackoff, writeRemarks, writeStepOptions } from "../write-step-options.ts";
import { type Spelling, writeTemplate } from "../write-template.ts";
import { writeNoSignature, writeToolCall } from "../write-tool-call.ts";
import { beginsReference, OPEN } from "./references.ts";

const TITLE = "a step plan";

/** A step plan. The steps are in an order in which each comes after all that it needs. */
export function writeSteps(program: Program, remarks: Remarks): JsonObject {
  writeNoSignature(program, TITLE, remarks);
  const { steps } = program.blocks[0];
  const parallel = parallelSteps(steps);
  const { requestId } = program;
  return {
    ...(requestId !== undefined && { requestId }),
    steps: steps.map((step) => writeStep(step, parallel.has(step.index), remarks)),
  };
}

function writeStep(step: Step, parallel: boolean, remarks: Remarks): Json {
  const spelling = new StepSpelling(step, remarks);
  const { retries, backoff, timeoutMs, optional } = step.policy;
  const params = writeTemplate(step.arguments, spelling) as JsonObject;
  const dependsOn = step.needs.filter((need) => need.mode === "succeeded").map((need) => need.step);
  return {
    tool: writeToolCall(step, TITLE, remarks),
    ...writeRemarks(step.place),
    ...(Object.keys(params).length > 0 && { params }),
    ...(dependsOn.length > 0 && { dependsOn }),
    ...(parallel && { parallel }),
    ...(optional && { optional }),
    ...(retries > 0 && { retryCount: retries }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    ...writeStepOptions(step, writeBackoff(backoff), spelling),
  };
}

/**
 * Which steps are `parallel`, so that the order of the plan makes no step wait for one that it does not need. Where each step
 * needs the whole group before its own, groups will do; otherwise all steps are one group.
 */
function parallelSteps(steps: readonly Step[]): ReadonlySet<number> {
  const groups: number[][] = [];
  const needsAll = (step: Step, group: readonly number[]) =>
    group.every((other) => step.needs.some((need) => need.step === other));
  for (const step of steps) {
    const group = groups.at(-1);
    if (group === undefined || needsAll(step, group)) groups.push([step.index]);
    else if (needsAll(step, groups.at(-2) ?? [])) group.push(step.index);
    else return new Set(steps.keys());
  }
  // Two groups side by side would be one.
  if (groups.some((group, i) => group.length > 1 && (groups[i + 1]?.length ?? 1) > 1))
    return new Set(steps.keys());
  return new Set(groups.filter((group) => group.length > 1).flat());
}

class StepSpelling implements Spelling {
  readonly #step: Step;
  readonly #remarks: Remarks;
  readonly #marks: { readonly open: string; readonly begins: (text: string, at: number) => boolean };

  constructor(step: Step, remarks: Remarks) {
    this.#step = step;
    this.#remarks = remarks;
    const repeats = step.repeat !== undefined;
    this.#marks = { open: OPEN, begins: (text, at) => beginsReference(text, at, repeats) };
  }

  constant(text: string): string {
    return escapeMarks(text, this.#marks);
  }

  text(parts: readonly TextPart[]): string {
    return writeText(parts, this.#marks, (reference) => this.reference(reference));
  }

  reference({ root, path, text }: Reference): string {
    const below = writePath(path);
    if (root.kind === "result") return `\${step[${root.step}].data${below}}`;
    if (root.kind === "previous") return `\${self.previous.data${below}}`;
    if (root.kind === "context" && below.startsWith(".")) return `\${context${below}}`;
    const what = root.kind === "input" ? `asks a person for "${root.name}"` : `uses ${text}`;
    this.#remarks.refuse(`Step "${nameOf(this.#step)}" ${what}; ${TITLE} has nothing of the kind.`);
    return text;
  }
}
