import type { Program } from "../program.ts";
import { drawDot } from "./dot.ts";
import { drawJson } from "./json.ts";
import { drawMermaid } from "./mermaid.ts";
import { drawSvg } from "./svg.ts";
import { drawText } from "./text.ts";

export interface DrawOptions {
  /** For terminals; only text has any use for it. */
  readonly color?: boolean;
}

/** A format is one file and one line here. */
const FORMATS = {
  text: drawText,
  mermaid: drawMermaid,
  dot: drawDot,
  svg: drawSvg,
  json: (program: Program) => JSON.stringify(drawJson(program), null, 2),
} satisfies Record<string, (program: Program, options: DrawOptions) => string>;

export type DrawingFormat = keyof typeof FORMATS;
export const DRAWING_FORMATS = Object.keys(FORMATS) as readonly DrawingFormat[];

export function draw(program: Program, format: DrawingFormat, options: DrawOptions = {}): string {
  return FORMATS[format](program, options);
}
