/** `sequitur/compiler`: from plan text to a checked program, anywhere JavaScript runs. */
import type { Json } from "./base/json.ts";
import { complete as completePlan } from "./completion/complete.ts";
import type { Completion } from "./completion/completion.ts";
import type { CompletionOptions } from "./completion/scene.ts";
import { checkContextVariables } from "./context/check-declarations.ts";
import { type CompileOptions, type CompileResult, compile as compilePlan } from "./dialects/compile.ts";
import { type Mended, mend } from "./repair/mend.ts";
import { coreBuiltIns } from "./tools/core/core-agents.ts";

export type { Json, JsonObject } from "./base/json.ts";
export { type BuiltStep, PlanBuilder, plan, type StepSettings } from "./builder/plan-builder.ts";
export type { Ref, Text, Value } from "./builder/reference-types.ts";
export { sure, text } from "./builder/references.ts";
export { typeDeclarations } from "./builder/type-declarations.ts";
export type { Completion } from "./completion/completion.ts";
export type { CompletionOptions } from "./completion/scene.ts";
export { type CompiledTemplate, compileTemplate } from "./dialects/actions/template.ts";
export type { CompileOptions, CompileResult } from "./dialects/compile.ts";
export { type Conversion, convert } from "./dialects/convert.ts";
export { detectDialect } from "./dialects/dialect.ts";
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
export { type Outline, type OutlineReference, type OutlineStep, outline } from "./ir/outline.ts";
export { printProgram } from "./ir/print.ts";
export type { Block, DialectName, Program, Question, Step } from "./ir/program.ts";
export { jsonTypeOf } from "./ir/signature.ts";
export type { ToolDeclaration } from "./ir/tool-signature.ts";
export type { Mended } from "./repair/mend.ts";
export type { Diagnostic, Edit, Fix, Severity } from "./source/diagnostic.ts";
export { harmless, widthOf } from "./source/display.ts";
export { applyEdits, applyFixes } from "./source/fix.ts";
export { nearest } from "./source/nearest.ts";
export { spanOf } from "./source/positions.ts";
export { type RenderOptions, renderDiagnostic, renderDiagnostics, summaryOf } from "./source/render.ts";
export { countRepairs, repair } from "./source/repair.ts";
export { coreAgentDefinitions } from "./tools/core/core-agents.ts";

/** From a plan's text, or its parsed value, to a checked program: every problem at once. The built-in agents are known. */
export function compile(source: string | Json, options: CompileOptions = {}): CompileResult {
  return compilePlan(source, {
    builtIns: coreBuiltIns,
    ...options,
    checks: [checkContextVariables, ...(options.checks ?? [])],
  });
}

/** A plan's text, mended as far as that needs no model: fixes first, then what else the compiler can tell was meant. */
export function repairPlan(text: string, options: CompileOptions = {}): Mended {
  return mend(text, (changed) => compile(changed, { ...options, choices: true }), options.file);
}

/** What can be written at an offset of a plan's text, finished or not. The built-in agents are known. */
export function complete(source: string, offset: number, options: CompletionOptions = {}): Completion[] {
  return completePlan(source, offset, { builtIns: coreBuiltIns, ...options });
}
