/*
 * Brings a program into a form that another language has words for, without changing what it does: the order of a step plan
 * becomes dependencies where there are any, steps get numbers for names, and what only one language has is noted and dropped.
 */
import type { Reference } from "../expr/reference.ts";
import type { Condition } from "../ir/condition.ts";
import { buildGraph } from "../ir/graph.ts";
import type { DialectName, Need, Program, Step } from "../ir/program.ts";
import type { Template } from "../ir/template.ts";
import type { Remarks } from "./remarks.ts";

const SHOWN_MAX = 6;

export function arrange(program: Program, to: DialectName, remarks: Remarks): Program {
  let steps = dropOrder(program.blocks[0].steps, to, remarks);
  if (to !== "actions" && steps.some((step) => step.intent !== undefined)) {
    remarks.note(`What a step is for ("intent") is kept as its description.`);
    steps = steps.map((step) => ({ ...step, intent: undefined }));
  }
  if (to === "steps") steps = number(inOrder(steps), remarks);
  if (to !== "steps" && program.requestId !== undefined) {
    remarks.note("The request id is left out: only step plans have one.");
  }
  const [block, ...rest] = program.blocks;
  const plan = {
    ...block,
    steps,
    graph: buildGraph(steps),
    ...(to !== "agent" && { signature: undefined, response: undefined }),
  };
  return {
    ...program,
    dialect: to,
    requestId: to === "steps" ? program.requestId : undefined,
    blocks: [plan, ...rest],
  };
}

/** A step that waits for another only because it stands behind it: no other language has that. */
function dropOrder(steps: readonly Step[], to: DialectName, remarks: Remarks): readonly Step[] {
  const kept: Need[][] = [];
  return steps.map((step) => {
    kept[step.index] = step.needs.filter((need) => need.mode !== "order");
    for (const { step: other, mode } of step.needs) {
      if (mode !== "order" || waitsFor(kept, step.index, other)) continue;
      const before = steps[other];
      if (to === "actions" && before?.policy.optional === false) {
        remarks.note(
          "Where steps ran one after the other, the later one now depends on the success of the earlier.",
        );
        kept[step.index]?.push({ step: other, mode: "succeeded" });
      } else {
        remarks.refuse(
          `Step "${step.id}" waits for step "${before?.id}" only because it comes later; ${alternative(to)}`,
        );
      }
    }
    return { ...step, needs: kept[step.index] as Need[] };
  });
}

function alternative(to: DialectName): string {
  return to === "agent"
    ? `an agent has no such order. Say "parallel": true on both if they may run together.`
    : `that one is optional, and an action plan cannot wait for a step that may fail. Say "parallel": true on both if they may run together.`;
}

/** Whether step number `from` waits for number `to`, through others if need be. */
function waitsFor(needs: readonly (readonly Need[])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const step of seen) {
    if (step === to) return true;
    for (const need of needs[step] ?? []) seen.add(need.step);
  }
  return false;
}

/** Each step behind all that it needs; otherwise as they stand. */
function inOrder(steps: readonly Step[]): readonly Step[] {
  const done = new Set<number>();
  for (const { index } of steps) {
    const open = [index];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = steps[top]?.needs.find((need) => !done.has(need.step) && need.step !== top);
      if (next === undefined || done.has(top)) done.add(open.pop() as number);
      else open.push(next.step);
    }
  }
  return [...done].map((index) => steps[index] as Step);
}

/** Steps go by their numbers. */
function number(steps: readonly Step[], remarks: Remarks): readonly Step[] {
  const numbers = new Map(steps.map((step, i) => [step.index, i]));
  const renamed = steps.filter((step, i) => step.id !== String(i));
  if (renamed.length > 0) {
    const each = steps.slice(0, SHOWN_MAX).map((step, i) => `${step.id} is ${i}`);
    remarks.note(
      `Steps are called by their numbers: ${each.join(", ")}${steps.length > SHOWN_MAX ? ", …" : ""}.`,
    );
  }
  return steps.map((step, i) => renumber(step, i, numbers));
}

function renumber(step: Step, index: number, numbers: ReadonlyMap<number, number>): Step {
  const numberOf = (other: number): number => numbers.get(other) ?? other;
  const inReference = (reference: Reference): Reference => {
    const { root } = reference;
    if (root.kind !== "result" && root.kind !== "outcome") return reference;
    return { ...reference, root: { ...root, step: numberOf(root.step) } };
  };
  const { conditions, repeat } = step;
  return {
    ...step,
    index,
    id: String(index),
    arguments: inTemplate(step.arguments, inReference),
    conditions: conditions && inCondition(conditions, inReference),
    repeat: repeat && { ...repeat, until: inCondition(repeat.until, inReference) },
    needs: step.needs.map((need) => ({ ...need, step: numberOf(need.step) })),
  };
}

type Change = (reference: Reference) => Reference;

function inCondition(condition: Condition, change: Change): Condition {
  if (condition.kind !== "compare") {
    return { ...condition, conditions: condition.conditions.map((part) => inCondition(part, change)) };
  }
  const { param, value } = condition;
  return { ...condition, param: inTemplate(param, change), value: value && inTemplate(value, change) };
}

function inTemplate(template: Template, change: Change): Template {
  switch (template.kind) {
    case "constant":
    case "secret":
      return template;
    case "reference":
      return { ...template, root: change(template).root };
    case "text":
      return {
        ...template,
        parts: template.parts.map((part) => {
          return typeof part === "string"
            ? part
            : { ...part, reference: { ...part.reference, root: change(part.reference).root } };
        }),
      };
    case "list":
      return { ...template, items: template.items.map((item) => inTemplate(item, change)) };
    case "object":
      return { ...template, values: template.values.map((value) => inTemplate(value, change)) };
  }
}
