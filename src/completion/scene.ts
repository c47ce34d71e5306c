/* What a plan, finished or not, says about the place of the cursor: its block, its step, and the types that flow there. */
import type { Json } from "../base/json.ts";
import type { CompileOptions } from "../dialects/compile.ts";
import { DIALECTS, detectDialect } from "../dialects/dialect.ts";
import { agentLibrary, type BuiltIns, toolLibrary } from "../dialects/environment.ts";
import { lowerContext } from "../dialects/lower-context.ts";
import type { FunctionTable } from "../expr/functions/function.ts";
import { builtInFunctions } from "../expr/functions/registry.ts";
import { variableNames } from "../ir/context-declarations.ts";
import type { Block, DialectName, Program, Question, Step } from "../ir/program.ts";
import { TypeFlow } from "../ir/type-flow.ts";
import { Findings } from "../source/findings.ts";
import { below, keysOf, type Place, rootPlace, valueAt } from "../source/place.ts";
import type { Cursor } from "./cursor.ts";
import type { Opening } from "./slots.ts";

export interface CompletionOptions
  extends Pick<CompileOptions, "tools" | "agents" | "functions" | "dialect"> {
  readonly builtIns?: BuiltIns | undefined;
}

export interface Scene {
  readonly program: Program;
  readonly types: TypeFlow;
  readonly functions: FunctionTable;
  readonly dialect: DialectName;
  readonly block: Block;
  /** The step that the cursor is in. */
  readonly step: Step | undefined;
  readonly questions: readonly Question[];
  readonly contextNames: readonly string[];
}

/** Undefined for a text that is no plan yet. */
export function sceneOf(cursor: Cursor, opening: Opening, options: CompletionOptions): Scene | undefined {
  const document = { file: undefined, text: undefined, value: cursor.value };
  let place: Place = rootPlace(document);
  for (const key of opening.planKeys) place = below(place, key);
  const plan = valueAt(place) ?? null;
  const dialect = opening.dialect ?? detectDialect(plan);
  if (dialect === undefined) return undefined;
  const functions = options.functions ?? builtInFunctions;
  const findings = new Findings();
  const lowered = DIALECTS[dialect].lower(plan, place, {
    findings,
    tools: toolLibrary(options.tools, options.builtIns?.tools),
    agents: agentLibrary(options.agents, options.builtIns?.agents),
    functions,
    stepReferences: true,
  });
  const [first, ...rest] = lowered?.blocks ?? [];
  if (lowered === undefined || first === undefined) return undefined;
  const program: Program = {
    version: 1,
    dialect,
    name: undefined,
    requestId: undefined,
    blocks: [first, ...rest],
    questions: lowered.questions,
    context: undefined,
    origin: { plan, file: undefined, dialect, agents: {}, files: {}, contextVariables: undefined },
    files: new Map(),
    namesSecrets: false,
  };
  const own = program.blocks.filter((block) => block.place.document === document);
  const block = deepest(own, cursor) ?? first;
  return {
    program,
    types: new TypeFlow(program, functions),
    functions,
    dialect,
    block,
    step: deepest(block.steps, cursor),
    questions: lowered.questions,
    contextNames: contextNames(cursor.value, findings),
  };
}

/** The one whose place the cursor is in, the innermost of them. */
function deepest<T extends { readonly place: Place }>(all: readonly T[], { keys }: Cursor): T | undefined {
  const inside = all
    .map((one) => ({ one, at: keysOf(one.place) }))
    .filter(({ at }) => at.length <= keys.length && at.every((key, i) => key === keys[i]));
  return inside.sort((a, b) => b.at.length - a.at.length)[0]?.one;
}

function contextNames(value: Json, findings: Findings): readonly string[] {
  const declared = valueAt({ up: rootOf(value), key: "context_variables", document: rootOf(value).document });
  if (declared === undefined) return [];
  const context = lowerContext(declared, rootOf(declared), findings);
  return context === undefined ? [] : variableNames(context);
}

function rootOf(value: Json): Place {
  return rootPlace({ file: undefined, text: undefined, value });
}
