import { isList, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { DialectName, Program } from "../ir/program.ts";
import { type Place, valueAt } from "../source/place.ts";
import { writeActions } from "./actions/write.ts";
import { writeAgent } from "./agent/write.ts";
import { arrange } from "./arrange.ts";
import { Remarks } from "./remarks.ts";
import { writeSteps } from "./steps/write.ts";
import { writeRemarks } from "./write-step-options.ts";

export interface Conversion {
  /** The plan in the other language; there when that language can say all of it. */
  readonly plan?: Json;
  /** Why there is none: everything that the language cannot say. */
  readonly reasons: readonly string[];
  /** What is said in another way, or left out. */
  readonly changes: readonly string[];
}

const WRITERS: Readonly<Record<DialectName, (program: Program, remarks: Remarks) => JsonObject>> = {
  agent: writeAgent,
  steps: writeSteps,
  actions: writeActions,
};

/** A plan in another language. Compiled again, it prints as the program that `arrange` gives. */
export function convert(program: Program, to: DialectName): Conversion {
  const owner = ownerOf(program);
  if (to === program.dialect)
    return { plan: program.blocks[0].place.document.value, reasons: [], changes: [] };
  const remarks = new Remarks();
  const arranged = arrange(program, to, remarks);
  const outer = contextOf(owner);
  const { name } = program;
  const head = { ...(name !== undefined && { name }), ...(owner && writeRemarks(owner)) };
  // What the source block has beyond steps is for the writer to judge.
  const [first, ...rest] = arranged.blocks;
  const { signature, response } = program.blocks[0];
  const written = WRITERS[to]({ ...arranged, blocks: [{ ...first, signature, response }, ...rest] }, remarks);
  const { reasons, changes } = remarks;
  if (reasons.length > 0) return { reasons, changes: [] };
  const plan = outer === undefined ? { ...head, ...written } : inWorkflow(head, outer, written);
  return { plan, reasons, changes };
}

/** An action plan in a workflow is the list alone. */
function inWorkflow(head: JsonObject, context: Json, written: JsonObject): JsonObject {
  return { ...head, context_variables: context, plan: written.plan ?? written };
}

/** The object that the plan's steps stand in; none where a plan is just a list. */
function ownerOf({ blocks: [{ place }] }: Program): Place | undefined {
  return isList(valueAt(place)) ? place.up : place;
}

/** Context variables belong to no language, so they stay as they are. */
function contextOf(owner: Place | undefined): Json | undefined {
  for (let at = owner; at !== undefined; at = at.up) {
    const value = valueAt(at);
    if (isObject(value) && value.context_variables !== undefined) return value.context_variables;
  }
  return undefined;
}
