/** `sequitur/compiler`: from plan text to a checked program, anywhere JavaScript runs. */
export type { Json, JsonObject } from "./base/json.ts";
export { type CompileOptions, type CompileResult, compile } from "./dialects/compile.ts";
export type { Block, DialectName, Program, Question, Step } from "./ir/program.ts";
export type { Diagnostic, Edit, Fix, Severity } from "./source/diagnostic.ts";
