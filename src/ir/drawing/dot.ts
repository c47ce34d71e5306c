import { harmless } from "../../source/display.ts";
import type { Program } from "../program.ts";
import { type SketchStep, sketch } from "./sketch.ts";

/** A Graphviz digraph, level by level from left to right. */
export function drawDot(program: Program): string {
  const { title, steps, edges, levels } = sketch(program);
  const lines = [
    `digraph ${quoted(title || "plan")} {`,
    "  rankdir=LR;",
    '  node [shape=box, style="rounded", fontname="Helvetica"];',
    '  edge [fontname="Helvetica"];',
  ];
  for (const [i, step] of steps.entries()) lines.push(`  n${i} [${attributes(step)}];`);
  for (const level of levels) {
    if (level.length > 1) lines.push(`  { rank=same; ${level.map((step) => `n${step};`).join(" ")} }`);
  }
  for (const { from, to, kind } of edges)
    lines.push(`  n${from} -> n${to}${kind === "data" ? "" : " [style=dashed]"};`);
  const number = new Map(steps.map((step, i) => [step.id, i]));
  for (const [i, { name, stepIds }] of program.questions.entries()) {
    lines.push(`  q${i} [label=${quoted(`? ${name}`)}, shape=ellipse];`);
    for (const id of stepIds) lines.push(`  q${i} -> n${number.get(id) ?? 0} [style=dotted];`);
  }
  return [...lines, "}"].join("\n");
}

function attributes(step: SketchStep): string {
  const marks = step.marks.filter((mark) => mark.kind !== "question");
  const has = (kind: string): boolean => marks.some((mark) => mark.kind === kind);
  const parts = [`label=${quoted(step.id, step.calls, ...marks.map((mark) => mark.text))}`];
  if (has("optional")) parts.push('style="rounded,dashed"');
  if (step.kind === "composite" || has("fanOut")) parts.push("peripheries=2");
  if (has("condition")) parts.push("shape=hexagon");
  return parts.join(", ");
}

const LENGTH_MAX = 80;

/** Lines of text as one DOT string: a backslash begins an escape in labels, so there must be none but ours. */
function quoted(...lines: readonly string[]): string {
  const escaped = lines.map((line) => {
    const cut = line.length > LENGTH_MAX ? `${line.slice(0, LENGTH_MAX - 1)}…` : line;
    return harmless(cut).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  });
  return `"${escaped.join("\\n")}"`;
}
