import type { FunctionTable } from "../../expr/functions/function.ts";
import type { Findings } from "../../source/findings.ts";
import type { DialectName, Program } from "../program.ts";
import type { Survey } from "../survey.ts";
import type { TypeFlow } from "../type-flow.ts";

export interface PassContext {
  readonly findings: Findings;
  readonly functions: FunctionTable;
  readonly types: TypeFlow;
  /** What there is to look at: a pass that has nothing to look at looks at nothing. */
  readonly survey: Survey;
  /** The language, for repairs that have to be written in it. */
  readonly dialect: DialectName;
  /** Context variables that exist without a declaration; undefined where nobody has said which there are. */
  readonly contextNames: readonly string[] | undefined;
}

/** One check of a program. It reports, and changes nothing. */
export type Pass = (program: Program, context: PassContext) => void;
