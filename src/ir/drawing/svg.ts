/*
 * A picture that stands on its own: levels from left to right, curves for what flows, dashes for what only waits, and the
 * longest chain in colour. It follows the reader's light or dark scheme.
 */
import { counted } from "../../base/describe.ts";
import { harmless, widthOf } from "../../source/display.ts";
import { longestChain } from "../dependencies.ts";
import type { Program } from "../program.ts";
import { type Box, type Layout, layOut, type Route, type Size } from "./layered-layout.ts";
import { type Mark, type SketchStep, sketch } from "./sketch.ts";
import { STYLE } from "./svg-style.ts";

const MARGIN = 24;
const HEAD = 72;
const CHARACTER = 7.25;
const LINE = 17;
const PADDING = 12;
const COLUMNS_MAX = 42;
const ARROW = 7;

const SIGNS: Record<Mark["kind"], string> = {
  condition: "◇",
  fanOut: "∀",
  repeat: "↻",
  retries: "↻",
  optional: "○",
  question: "?",
  confirmation: "!",
};

export function drawSvg(program: Program): string {
  const block = sketch(program);
  const layout = layOut(block, block.steps.map(sizeOf));
  const title = block.title || "plan";
  const width = Math.max(layout.width, widthOf(title) * 9, 220) + 2 * MARGIN;
  const height = layout.height + HEAD + 2 * MARGIN;
  const chain = chainEdges(longestChain(program.blocks[0]));
  const routes = layout.routes.map((route, i) => {
    const kind = chain.has(`${route.from} ${route.to}`) ? "chain" : (block.edges[i]?.kind ?? "data");
    const ends = [
      columnAt(layout, block.steps[route.from]),
      columnAt(layout, block.steps[route.to]),
    ] as const;
    return { kind, drawn: drawRoute(route, layout.boxes, ends, kind) };
  });
  // The chain lies above everything that crosses it.
  routes.sort((a, b) => Number(a.kind === "chain") - Number(b.kind === "chain"));
  const counts = `${counted(block.steps.length, "step")} in ${counted(block.levels.length, "level")}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img">`,
    `<title>${escaped(title)}: ${counts}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="100%" height="100%"/>`,
    `<text class="title" x="${MARGIN}" y="${MARGIN + 14}">${escaped(cut(title, 80))}</text>`,
    `<text class="counts" x="${MARGIN}" y="${MARGIN + 32}">${counts}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + HEAD})">`,
    ...drawColumns(layout),
    ...routes.map((route) => route.drawn),
    ...block.steps.map((step, i) => drawStep(step, layout.boxes[i] as Box)),
    "</g>",
    "</svg>",
  ].join("\n");
}

function sizeOf(step: SketchStep): Size {
  const lines = [step.id, step.calls, ...step.marks.map(markText)];
  const columns = lines.reduce((widest, line) => Math.max(widest, widthOf(cut(line, COLUMNS_MAX))), 10);
  return { width: columns * CHARACTER + 2 * PADDING, height: lines.length * LINE + 2 * PADDING - 4 };
}

function markText(mark: Mark): string {
  return `${SIGNS[mark.kind]} ${mark.text}`;
}

function chainEdges(chain: readonly number[]): Set<string> {
  return new Set(chain.slice(1).map((step, i) => `${chain[i]} ${step}`));
}

function drawColumns({ columns }: Layout): string[] {
  return columns.map(({ x, width }, i) => {
    return `<text class="level" x="${round(x + width / 2)}" y="-12">${i + 1}</text>`;
  });
}

function drawStep(step: SketchStep, { x, y, width, height }: Box): string {
  const has = (kind: Mark["kind"]): boolean => step.marks.some((mark) => mark.kind === kind);
  const classes = [
    "box",
    step.kind,
    ...(has("optional") ? ["maybe"] : []),
    ...(has("condition") ? ["conditional"] : []),
  ];
  const rect = (dx: number, name: string): string => {
    const at = `x="${round(x + dx)}" y="${round(y + dx)}" width="${round(width)}" height="${round(height)}"`;
    return `<rect class="${name}" ${at} rx="8"/>`;
  };
  // A fan-out is a stack of cards; a composite has a second frame.
  const behind = has("fanOut") ? [rect(8, "box behind"), rect(4, "box behind")] : [];
  const inner = `x="${round(x + 3)}" y="${round(y + 3)}" width="${round(width - 6)}" height="${round(height - 6)}"`;
  const frame = step.kind === "composite" ? [`<rect class="frame" ${inner} rx="6"/>`] : [];
  const lines: (readonly [name: string, text: string])[] = [
    ["id", step.id],
    ["calls", step.calls],
    ...step.marks.map((mark) => [mark.kind, markText(mark)] as const),
  ];
  const texts = lines.map(([name, text], i) => {
    const at = `x="${round(x + PADDING)}" y="${round(y + PADDING + 10 + i * LINE)}"`;
    return `<text class="${name}" ${at}>${escaped(cut(text, COLUMNS_MAX))}</text>`;
  });
  const whole = [step.id, step.calls, ...step.marks.map((mark) => mark.text)].map(harmless).join("\n");
  return [
    "<g>",
    `<title>${escaped(whole, true)}</title>`,
    ...behind,
    rect(0, classes.join(" ")),
    ...frame,
    ...texts,
    "</g>",
  ].join("");
}

type Column = Layout["columns"][number];

function columnAt({ columns }: Layout, step: SketchStep | undefined): Column {
  return columns[step?.level ?? 0] ?? { x: 0, width: 0 };
}

/** Curves bend between columns only; inside a column a line is straight, so that it cannot touch another box. */
function drawRoute(
  { from, to, waypoints }: Route,
  boxes: readonly Box[],
  [first, last]: readonly [Column, Column],
  kind: string,
): string {
  const start = boxes[from] as Box;
  const end = boxes[to] as Box;
  let x = first.x + first.width;
  let y = start.y + start.height / 2;
  let path = `M${round(start.x + start.width)} ${round(y)}H${round(x)}`;
  const curveTo = (toX: number, toY: number): void => {
    const bend = (toX - x) / 2;
    path += `C${round(x + bend)} ${round(y)} ${round(toX - bend)} ${round(toY)} ${round(toX)} ${round(toY)}`;
    x = toX;
    y = toY;
  };
  for (const waypoint of waypoints) {
    curveTo(waypoint.fromX, waypoint.y);
    path += `H${round(waypoint.toX)}`;
    x = waypoint.toX;
  }
  curveTo(last.x - ARROW, end.y + end.height / 2);
  path += `H${round(end.x - ARROW)}`;
  const tip = `M${round(end.x)} ${round(y)}l${-ARROW - 1} -4v8z`;
  return `<path class="edge ${kind}" d="${path}"/><path class="tip ${kind}" d="${tip}"/>`;
}

function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let shown = "";
  let width = 0;
  for (const character of harmless(text)) {
    width += widthOf(character);
    if (width >= columns) break;
    shown += character;
  }
  return `${shown}…`;
}

function escaped(text: string, keepLines = false): string {
  const safe = keepLines ? text.split("\n").map(harmless).join("\n") : harmless(text);
  return safe.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
