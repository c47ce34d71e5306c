/** What every drawing of a block shows, before it has a shape: steps with their marks, edges, levels. */
import { dependencyNumbers, levelNumbers } from "../dependencies.ts";
import { printCondition, printTemplate } from "../print-value.ts";
import type { Block, Program, Step } from "../program.ts";
import { forEachReference, type Template } from "../template.ts";

export interface Sketch {
  /** The agent's path, the plan's name, or empty. */
  readonly title: string;
  readonly steps: readonly SketchStep[];
  readonly edges: readonly SketchEdge[];
  readonly levels: readonly (readonly number[])[];
}

export interface SketchStep {
  readonly id: string;
  /** The name of the tool or agent. */
  readonly calls: string;
  /** `composite` is an agent with steps of its own; `unknown` one whose definition is not at hand. */
  readonly kind: "tool" | "composite" | "unknown";
  readonly level: number;
  readonly waitsFor: readonly number[];
  readonly marks: readonly Mark[];
}

/** Something about a step that a reader should see. */
export interface Mark {
  readonly kind: "condition" | "fanOut" | "repeat" | "optional" | "retries" | "question" | "confirmation";
  readonly text: string;
}

/** `data`: a value flows; `control`: one only waits for the other, or looks at how it ended. */
export interface SketchEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: "data" | "control";
}

export function sketch(program: Program, number = 0): Sketch {
  const block = program.blocks[number] as Block;
  const waitsFor = dependencyNumbers(block);
  const levels = levelNumbers(block);
  const levelOf = new Int32Array(block.steps.length);
  for (const [level, steps] of levels.entries()) for (const step of steps) levelOf[step] = level;
  const title = number === 0 ? (program.name ?? "") : block.name || (block.signature?.title ?? "");
  const steps = block.steps.map((step, i): SketchStep => {
    const { call } = step;
    return {
      id: step.id,
      calls: call.kind === "tool" ? call.tool : nameOfAgent(call, program),
      kind: call.kind === "tool" ? "tool" : call.kind === "block" ? "composite" : "unknown",
      level: levelOf[i] as number,
      waitsFor: waitsFor[i] ?? [],
      marks: marksOf(step, block),
    };
  });
  return { title, steps, edges: edgesOf(block, waitsFor), levels };
}

function nameOfAgent(call: Exclude<Step["call"], { kind: "tool" }>, program: Program): string {
  return (call.kind === "block" && program.blocks[call.block]?.name) || call.agent;
}

function edgesOf(block: Block, waitsFor: readonly (readonly number[])[]): SketchEdge[] {
  const edges: SketchEdge[] = [];
  for (const [to, { needs }] of block.steps.entries()) {
    const data = new Set(needs.filter((need) => need.mode === "data").map((need) => need.step));
    for (const from of waitsFor[to] ?? [])
      edges.push({ from, to, kind: data.has(from) ? "data" : "control" });
  }
  return edges;
}

function marksOf(step: Step, { steps }: Block): Mark[] {
  const marks: Mark[] = [];
  if (step.conditions !== undefined)
    marks.push({ kind: "condition", text: `when ${printCondition(step.conditions, steps)}` });
  if (step.fanOut !== undefined) {
    marks.push({
      kind: "fanOut",
      text: `for each ${step.fanOut.argument} in ${printTemplate(step.fanOut.over, steps)}`,
    });
  }
  if (step.repeat !== undefined) {
    const until = printCondition(step.repeat.until, steps);
    marks.push({ kind: "repeat", text: `repeat until ${until}, at most ${step.repeat.turnsMax} times` });
  }
  if (step.policy.retries > 0) marks.push({ kind: "retries", text: `retries ${step.policy.retries}` });
  if (step.policy.optional) marks.push({ kind: "optional", text: "optional" });
  for (const name of asked(step.arguments)) marks.push({ kind: "question", text: `asks for ${name}` });
  if (step.requiresConfirmation) marks.push({ kind: "confirmation", text: "asks for a yes" });
  return marks;
}

function asked(template: Template): Set<string> {
  const names = new Set<string>();
  forEachReference(template, ({ root }) => {
    if (root.kind === "input") names.add(root.name);
  });
  return names;
}
