/*
 * A program as plain data, for pages that show it: every block with its steps as they were written, what each reference stands
 * for, and which values flow along each edge.
 */
import type { Json } from "../base/json.ts";
import { printPath } from "../expr/path.ts";
import type { Reference } from "../expr/reference.ts";
import { comparisonsOf } from "./condition.ts";
import { type Mark, type SketchEdge, type SketchStep, sketch } from "./drawing/sketch.ts";
import { fillTemplate } from "./fill-template.ts";
import type { Block, Program, Step } from "./program.ts";
import { forEachReference, type Template } from "./template.ts";

export interface Outline {
  readonly title: string;
  readonly dialect: string;
  /** The first is the plan; the others are the insides of composite agents. */
  readonly blocks: readonly OutlineBlock[];
}

export interface OutlineBlock {
  readonly title: string;
  readonly steps: readonly OutlineStep[];
  readonly edges: readonly OutlineEdge[];
}

export interface OutlineStep {
  readonly id: string;
  readonly kind: SketchStep["kind"];
  /** The tool or agent that it calls. */
  readonly calls: string;
  /** The number of the block inside, of a composite. */
  readonly block?: number;
  readonly intent?: string;
  readonly level: number;
  readonly marks: readonly Mark[];
  /** The argument that each item of a fan-out is given as. */
  readonly eachAs?: string;
  /** References stand as their texts. */
  readonly arguments: Json;
  readonly references: readonly OutlineReference[];
}

export interface OutlineReference {
  /** As it was written. */
  readonly text: string;
  /** Where it stands: the keys and indices below the arguments; empty for what is not in the arguments. */
  readonly at: readonly (string | number)[];
  readonly in: "arguments" | "items" | "conditions";
  readonly from: "step" | "arguments" | "context" | "input" | "other";
  /** The id of the step, in the same block. */
  readonly step?: string;
  /** `.data[0].id` */
  readonly path: string;
  /** Of an argument, a variable or a question. */
  readonly name?: string;
}

export interface OutlineEdge {
  /** Ids of steps. */
  readonly from: string;
  readonly to: string;
  readonly kind: SketchEdge["kind"];
  /** Paths of the values that flow: `data[0].id`. Empty where one only waits for the other. */
  readonly flows: readonly string[];
}

export function outline(program: Program): Outline {
  return {
    title: program.name ?? "",
    dialect: program.dialect,
    blocks: program.blocks.map((block, number) => outlineBlock(program, block, number)),
  };
}

function outlineBlock(program: Program, block: Block, number: number): OutlineBlock {
  const { title, steps, edges } = sketch(program, number);
  const written = block.steps.map((step, i) => outlineStep(block, step, steps[i] as SketchStep));
  const idOf = (index: number): string => block.steps[index]?.id ?? "";
  return {
    title,
    steps: written,
    edges: edges.map(({ from, to, kind }) => ({
      from: idOf(from),
      to: idOf(to),
      kind,
      flows: flowsFrom(idOf(from), written[to] as OutlineStep),
    })),
  };
}

function outlineStep(block: Block, step: Step, { kind, calls, level, marks }: SketchStep): OutlineStep {
  return {
    id: step.id,
    kind,
    calls,
    ...(step.call.kind === "block" && { block: step.call.block }),
    ...(step.intent !== undefined && { intent: step.intent }),
    level,
    marks,
    ...(step.fanOut !== undefined && { eachAs: step.fanOut.argument }),
    arguments: fillTemplate(step.arguments, undefined, (reference) => reference.text),
    references: referencesOf(block, step),
  };
}

function referencesOf(block: Block, step: Step): OutlineReference[] {
  const found: OutlineReference[] = [];
  const add = (reference: Reference, at: OutlineReference["at"], where: OutlineReference["in"]): void => {
    found.push({ text: reference.text, at, in: where, ...originOf(block, reference) });
  };
  const walk = (template: Template, at: OutlineReference["at"]): void => {
    if (template.kind === "list") {
      for (const [i, item] of template.items.entries()) walk(item, [...at, i]);
    } else if (template.kind === "object") {
      for (const [i, key] of template.keys.entries()) walk(template.values[i] as Template, [...at, key]);
    } else forEachReference(template, (reference) => add(reference, at, "arguments"));
  };
  walk(step.arguments, []);
  if (step.fanOut !== undefined)
    forEachReference(step.fanOut.over, (reference) => add(reference, [], "items"));
  for (const { param, value } of step.conditions === undefined ? [] : comparisonsOf(step.conditions)) {
    forEachReference(param, (reference) => add(reference, [], "conditions"));
    if (value !== undefined) forEachReference(value, (reference) => add(reference, [], "conditions"));
  }
  return found;
}

function originOf(
  block: Block,
  { root, path }: Reference,
): Pick<OutlineReference, "from" | "step" | "path" | "name"> {
  const named = { path: printPath(path.slice(1)), name: String(path[0] ?? "") };
  switch (root.kind) {
    case "result":
      return { from: "step", step: block.steps[root.step]?.id ?? "", path: printPath(path) };
    case "outcome":
      return {
        from: "step",
        step: block.steps[root.step]?.id ?? "",
        path: `.${root.field}${printPath(path)}`,
      };
    case "arguments":
      return { from: "arguments", ...named };
    case "context":
      return { from: "context", ...named };
    case "input":
      return { from: "input", name: root.name, path: printPath(path) };
    default:
      return { from: "other", path: printPath(path) };
  }
}

function flowsFrom(step: string, { references }: OutlineStep): string[] {
  const paths = references
    .filter((reference) => reference.from === "step" && reference.step === step)
    .map(({ path }) => path.replace(/^\./, "") || "its result");
  return [...new Set(paths)];
}
