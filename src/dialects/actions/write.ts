import type { Json, JsonObject } from "../../base/json.ts";
import type { Reference } from "../../expr/reference.ts";
import type { Program, Step } from "../../ir/program.ts";
import type { TextPart } from "../../ir/template.ts";
import type { Remarks } from "../remarks.ts";
import { escapeMarks, writePath, writeText } from "../write-embedded.ts";
import { writePolicy, writeRemarks, writeStepOptions } from "../write-step-options.ts";
import { type Spelling, writeTemplate } from "../write-template.ts";
import { writeNoSignature, writeToolCall } from "../write-tool-call.ts";
import { isReserved } from "./lower.ts";
import { beginsReference, OPEN, PLACEHOLDER } from "./references.ts";

const TITLE = "an action plan";

/** The list of steps of an action plan. */
export function writeActions(program: Program, remarks: Remarks): JsonObject {
  writeNoSignature(program, TITLE, remarks);
  const { steps } = program.blocks[0];
  return { plan: steps.map((step) => writeStep(step, steps, remarks)) };
}

function writeStep(step: Step, steps: readonly Step[], remarks: Remarks): Json {
  if (isReserved(step.id)) {
    remarks.refuse(`"${step.id}" is a name that action plans keep for themselves: rename the step.`);
  }
  const inArguments = new ActionSpelling(step, steps, remarks, true);
  const spelling = new ActionSpelling(step, steps, remarks, false);
  const args = writeTemplate(step.arguments, inArguments) as JsonObject;
  const after = step.needs
    .filter((need) => need.mode === "succeeded")
    .map((need) => steps[need.step]?.id ?? "");
  return {
    id: step.id,
    tool: writeToolCall(step, TITLE, remarks),
    ...writeRemarks(step.place),
    ...(step.intent !== undefined && { intent: step.intent }),
    ...(Object.keys(args).length > 0 && { arguments: args }),
    ...(after.length > 0 && { dependencies: after }),
    ...writeStepOptions(step, writePolicy(step.policy), spelling),
  };
}

class ActionSpelling implements Spelling {
  readonly #step: Step;
  readonly #steps: readonly Step[];
  readonly #remarks: Remarks;
  readonly #marks: { readonly open: string; readonly begins: (text: string, at: number) => boolean };

  constructor(step: Step, steps: readonly Step[], remarks: Remarks, inArguments: boolean) {
    this.#step = step;
    this.#steps = steps;
    this.#remarks = remarks;
    this.#marks = { open: OPEN, begins: (text, at) => beginsReference(text, at, inArguments) };
  }

  constant(text: string): string {
    return escapeMarks(text, this.#marks);
  }

  text(parts: readonly TextPart[]): string {
    return writeText(parts, this.#marks, (reference) => this.reference(reference));
  }

  reference({ root, path, text }: Reference): string {
    switch (root.kind) {
      case "result":
        return `{{${this.#steps[root.step]?.id}.result${writePath(path)}}}`;
      case "context":
        return `{{context${writePath(path)}}}`;
      case "previous":
        return `{{self.previous.result${writePath(path)}}}`;
      case "input":
        return `{{${PLACEHOLDER}${root.name}}}`;
      default:
        this.#remarks.refuse(`Step "${this.#step.id}" uses ${text}; ${TITLE} has nothing of the kind.`);
        return text;
    }
  }
}
