import { type Condition, comparisonsOf } from "./condition.ts";
import type { Block, Call, FanOut, Program, Step } from "./program.ts";
import type { Signature } from "./signature.ts";
import type { Template } from "./template.ts";

/** What occurs in a program at all, found in one walk: most checks have nothing to look at in most plans. */
export interface Survey {
  readonly conditions: boolean;
  readonly transforms: boolean;
  readonly fanOuts: boolean;
  /** Steps that call another block. */
  readonly composites: boolean;
  /** References to context variables. */
  readonly context: boolean;
  readonly secrets: boolean;
  /** Something has a declared type: a tool or an agent says what it takes or gives, or a reference is to what is always known. */
  readonly types: boolean;
}

export function surveyOf({ blocks, context }: Pick<Program, "blocks" | "context">): Survey {
  const surveyor = new Surveyor();
  surveyor.types = context !== undefined;
  for (const block of blocks) surveyor.block(block);
  surveyor.types ||= surveyor.transforms;
  return surveyor;
}

class Surveyor implements Survey {
  conditions = false;
  transforms = false;
  fanOuts = false;
  composites = false;
  context = false;
  secrets = false;
  types = false;
  /** Steps that call the same tool one after the other share the call. */
  #last: Call | undefined;

  block({ signature, response, steps, isPlain }: Block): void {
    this.#signature(signature);
    if (response !== undefined) this.#template(response);
    for (let i = 0; i < steps.length; i++) this.#step(steps[i] as Step, isPlain === true);
  }

  #step(step: Step, isPlain: boolean): void {
    const { call, conditions, repeat, fanOut } = step;
    if (call !== this.#last) this.#call(call);
    if (!isPlain) this.#template(step.arguments);
    if (fanOut !== undefined) this.#fanOut(fanOut);
    if (conditions !== undefined) this.#condition(conditions);
    if (repeat !== undefined) this.#condition(repeat.until);
    // What is inside a transform is taken to be anything.
    if (step.transformArguments !== undefined || step.transformResults !== undefined) this.#seeTransform();
  }

  #call(call: Call): void {
    this.#last = call;
    this.composites ||= call.kind === "block";
    this.#signature(call.signature);
  }

  #fanOut({ over }: FanOut): void {
    this.fanOuts = true;
    this.#template(over);
  }

  #signature(signature: Signature | undefined): void {
    if (signature === undefined) return;
    this.types ||= signature.input !== undefined || signature.output !== undefined;
    if (signature.transformArguments !== undefined || signature.transformResults !== undefined)
      this.#seeTransform();
  }

  #seeTransform(): void {
    this.transforms = true;
    this.context = true;
    this.secrets = true;
  }

  #condition(condition: Condition): void {
    this.conditions = true;
    for (const { param, value } of comparisonsOf(condition)) {
      this.#template(param);
      if (value !== undefined) this.#template(value);
    }
  }

  #template(template: Template): void {
    switch (template.kind) {
      case "constant":
        return;
      case "secret":
        this.secrets = true;
        return;
      case "reference":
        this.#root(template.root.kind);
        return;
      case "text":
        for (const part of template.parts) if (typeof part !== "string") this.#root(part.reference.root.kind);
        return;
      case "list":
        for (const item of template.items) this.#template(item);
        return;
      case "object":
        for (const value of template.values) this.#template(value);
        return;
    }
  }

  #root(kind: string): void {
    if (kind === "result" || kind === "input") return;
    if (kind === "context") this.context = true;
    else this.types = true;
  }
}
