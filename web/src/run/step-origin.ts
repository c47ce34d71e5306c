/* Which step of the plan an id means, and where the values of its references come from. */
import type { Outline, OutlineReference, OutlineStep } from "../../../src/compiler.ts";

export interface FoundStep {
  readonly step: OutlineStep;
  /** What ids of steps in the same block begin with: `outer.x[3].` */
  readonly prefix: string;
  /** The step that the block is the inside of. */
  readonly parent: string | undefined;
  /** An item of a fan-out, not the fan-out itself. */
  readonly isItem: boolean;
}

export function findStep(plan: Outline, id: string): FoundStep | undefined {
  let block = plan.blocks[0];
  let prefix = "";
  for (;;) {
    const rest = id.slice(prefix.length);
    const [, name = "", item] = /^([^.[]+)(?:\[(\d+)\])?/.exec(rest) ?? [];
    const step = block?.steps.find((one) => one.id === name);
    if (step === undefined) return undefined;
    const here = prefix + name + (item === undefined ? "" : `[${item}]`);
    if (here === id) {
      const parent = prefix === "" ? undefined : prefix.slice(0, -1);
      return { step, prefix, parent, isItem: item !== undefined };
    }
    block = step.block === undefined ? undefined : plan.blocks[step.block];
    prefix = `${here}.`;
  }
}

/** The step whose value it is; an argument of a composite's inside comes from the step that calls the composite. */
export function originOf(reference: OutlineReference, { prefix, parent }: FoundStep): string | undefined {
  if (reference.from === "step") return prefix + reference.step;
  return reference.from === "arguments" ? parent : undefined;
}

export function originText(reference: OutlineReference): string {
  const { from, name, path } = reference;
  switch (from) {
    case "step":
      return `${reference.step}${path}`;
    case "arguments":
      return `argument ${name}${path}`;
    case "context":
      return `context variable ${name}${path}`;
    case "input":
      return `a person's answer to ${name}`;
    default:
      return reference.text;
  }
}
