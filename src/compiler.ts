/** `sequitur/compiler`: from plan text to a checked program, anywhere JavaScript runs. */
export type { Json, JsonObject } from "./base/json.ts";
export { type CompileOptions, type CompileResult, compile } from "./dialects/compile.ts";
export {
  affectedBy,
  type CallCount,
  dependencies,
  type Explanation,
  explain,
  levels,
  type Placeholder,
  placeholders,
} from "./ir/analysis.ts";
export { DRAWING_FORMATS, type DrawingFormat, draw } from "./ir/drawing/draw.ts";
export { printProgram } from "./ir/print.ts";
export type { Block, DialectName, Program, Question, Step } from "./ir/program.ts";
export type { ToolDeclaration } from "./ir/tool-signature.ts";
export type { Diagnostic, Edit, Fix, Severity } from "./source/diagnostic.ts";
export { harmless } from "./source/display.ts";
export { applyEdits, applyFixes } from "./source/fix.ts";
export { nearest } from "./source/nearest.ts";
export { type RenderOptions, renderDiagnostic, renderDiagnostics, summaryOf } from "./source/render.ts";
export { countRepairs, repair } from "./source/repair.ts";
