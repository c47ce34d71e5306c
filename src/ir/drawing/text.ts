/*
 * A plan for a terminal: what stands at the same number can run at once.
 *
 *   reply · 3 steps in 2 levels
 *
 *   ┌ 1  find_john   fetch_entity
 *   │    log         write_log
 *   │                ○ optional
 *   │
 *   └ 2  send_email  send_email    ← find_john
 *                    ? asks for reply_message
 *
 *   longest chain  find_john → send_email
 *   calls          fetch_entity ×1, write_log ×1, send_email ×1
 */
import { counted } from "../../base/describe.ts";
import { harmless, widthOf } from "../../source/display.ts";
import { explain } from "../explain.ts";
import type { Program } from "../program.ts";
import type { DrawOptions } from "./draw.ts";
import { explanationLines } from "./legend.ts";
import { type Mark, type Sketch, type SketchStep, sketch } from "./sketch.ts";

const COLUMN_MAX = 36;
const LINE_MAX = 100;
const NEEDS_SHOWN_MAX = 8;

const SIGNS: Record<Mark["kind"], string> = {
  condition: "◇",
  fanOut: "⁂",
  repeat: "↻",
  retries: "↻",
  optional: "○",
  question: "?",
  confirmation: "!",
};

type Paint = (text: string) => string;

interface Paints {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly line: Paint;
}

export function drawText(program: Program, { color = false }: DrawOptions): string {
  const paint = (code: string): Paint =>
    color ? (text) => `\u001b[${code}m${text}\u001b[0m` : (text) => text;
  const paints = { bold: paint("1"), dim: paint("2"), line: paint("34") };
  const drawings = program.blocks.map((_, number) => drawBlock(sketch(program, number), paints));
  const runsInOrder = program.blocks[0].steps.some((step) =>
    step.needs.some((need) => need.mode === "order"),
  );
  const legend = explanationLines(explain(program)).map(
    ([name, text]) => `${paints.dim(name.padEnd(14))} ${text}`,
  );
  if (runsInOrder)
    legend.push(paints.dim("Steps of a step plan run in order, except neighbours with parallel: true."));
  return [...drawings, legend.join("\n")].join("\n\n");
}

function drawBlock(block: Sketch, paints: Paints): string {
  const counts = `${counted(block.steps.length, "step")} in ${counted(block.levels.length, "level")}`;
  const title = `${paints.bold(harmless(block.title) || "plan")} ${paints.dim(`· ${counts}`)}`;
  const columns = {
    number: String(block.levels.length).length,
    id: columnOf(block.steps.map((step) => step.id)),
    calls: columnOf(block.steps.map((step) => step.calls)),
  };
  const lines: string[] = [];
  for (const [level, steps] of block.levels.entries()) {
    const edges = edgesOf(level, block.levels.length);
    if (level > 0) lines.push(paints.line("│"));
    for (const [i, number] of steps.entries()) {
      const step = block.steps[number] as SketchStep;
      const [edge, below] = i === 0 ? [edges.first, edges.below] : [edges.below, edges.below];
      const label = i === 0 ? String(level + 1).padStart(columns.number) : " ".repeat(columns.number);
      lines.push(
        `${paints.line(edge)} ${paints.dim(label)}  ${stepLine(step, block, columns, paints)}`.trimEnd(),
      );
      const indent = " ".repeat(columns.number + 5 + columns.id);
      for (const mark of step.marks) {
        lines.push(
          `${paints.line(below)}${indent}${paints.dim(`${SIGNS[mark.kind]} ${cut(harmless(mark.text), LINE_MAX)}`)}`,
        );
      }
    }
  }
  return [title, ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
}

/** The line at the left: where it begins, goes on and ends. */
function edgesOf(level: number, count: number): { readonly first: string; readonly below: string } {
  if (count === 1) return { first: "─", below: " " };
  if (level === 0) return { first: "┌", below: "│" };
  return level === count - 1 ? { first: "└", below: " " } : { first: "├", below: "│" };
}

interface Columns {
  readonly id: number;
  readonly calls: number;
}

function stepLine(step: SketchStep, block: Sketch, columns: Columns, paints: Paints): string {
  const id = padded(step.id, columns.id);
  const calls = padded(step.calls, columns.calls);
  const shown = step.waitsFor
    .slice(0, NEEDS_SHOWN_MAX)
    .map((number) => cut(harmless(block.steps[number]?.id ?? ""), COLUMN_MAX));
  const more = step.waitsFor.length - shown.length;
  const needs = shown.length === 0 ? "" : `← ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `${paints.bold(id)}  ${calls}  ${paints.dim(needs)}`;
}

function columnOf(texts: readonly string[]): number {
  let width = 0;
  for (const text of texts) width = Math.max(width, Math.min(COLUMN_MAX, widthOf(harmless(text))));
  return width;
}

function padded(text: string, width: number): string {
  const shown = cut(harmless(text), COLUMN_MAX);
  return shown + " ".repeat(Math.max(0, width - widthOf(shown)));
}

function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let shown = "";
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width >= columns) break;
    shown += character;
  }
  return `${shown}…`;
}
