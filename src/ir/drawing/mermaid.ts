import type { Program } from "../program.ts";
import { type SketchStep, sketch } from "./sketch.ts";

/** A Mermaid flowchart. Nodes are called n0, n1 …, so that no id of a plan can be taken for syntax. */
export function drawMermaid(program: Program): string {
  const { steps, edges } = sketch(program);
  const lines = ["flowchart LR"];
  for (const [i, step] of steps.entries()) lines.push(`  n${i}${shaped(step)}`);
  for (const { from, to, kind } of edges) lines.push(`  n${from} ${kind === "data" ? "-->" : "-.->"} n${to}`);
  const number = new Map(steps.map((step, i) => [step.id, i]));
  for (const [i, { name, stepIds }] of program.questions.entries()) {
    lines.push(`  q${i}(["? ${escaped(name)}"])`);
    for (const id of stepIds) lines.push(`  q${i} -.-> n${number.get(id) ?? 0}`);
  }
  return lines.join("\n");
}

/** Conditions make a hexagon, fan-outs and composites a box with double sides. */
function shaped(step: SketchStep): string {
  const marks = step.marks.filter((mark) => mark.kind !== "question");
  const label = [step.id, step.calls, ...marks.map((mark) => mark.text)]
    .map((line) => escaped(line))
    .join("<br/>");
  if (marks.some((mark) => mark.kind === "condition")) return `{{"${label}"}}`;
  const isMany = step.kind === "composite" || marks.some((mark) => mark.kind === "fanOut");
  return isMany ? `[["${label}"]]` : `["${label}"]`;
}

const LENGTH_MAX = 80;

/** Everything that could mean something to Mermaid, to Markdown or to HTML becomes an entity, `#34;`. */
function escaped(text: string): string {
  const cut = text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX - 1)}…` : text;
  return [...cut]
    .map((character) => (/[\p{L}\p{N} _,…]/u.test(character) ? character : `#${character.codePointAt(0)};`))
    .join("");
}
