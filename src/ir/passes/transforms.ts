import { checkCall } from "../../expr/call-binding.ts";
import { callsOf, freeNames } from "../../expr/free-names.ts";
import { spliceFix } from "../../source/findings.ts";
import { nearest } from "../../source/nearest.ts";
import type { TransformEntry } from "../transform.ts";
import { transformsOf } from "../uses.ts";
import type { Pass, PassContext } from "./pass.ts";

/** Transforms that call functions, or use names, that aren't there. */
export const checkTransforms: Pass = (program, context) => {
  for (const { transform, target } of transformsOf(program, context.types)) {
    const known = target.fields === undefined || target.open === true ? undefined : new Set(target.fields.keys());
    for (const variable of transform.variables) {
      checkEntry(variable, known, context);
      known?.add(variable.name);
    }
    for (const output of transform.outputs) {
      checkEntry(output, known, context);
      known?.add(output.name);
    }
  }
};

/** `known` is undefined where the names depend on what the run brings. */
function checkEntry(entry: TransformEntry, known: ReadonlySet<string> | undefined, context: PassContext): void {
  if (entry.value.kind !== "expression") return;
  const { expression } = entry.value;
  const { findings, functions } = context;
  for (const call of callsOf(expression)) {
    const fn = functions.get(call.name);
    const spot = { place: entry.place, from: call.from, to: call.from + call.name.length };
    if (fn === undefined) {
      const near = nearest(call.name, functions.keys());
      const fix = near === undefined ? undefined : spliceFix(`call "${near}"`, spot, near);
      findings.report("unknown-function", spot, { name: call.name, near, known: [...functions.keys()] }, fix);
      continue;
    }
    const problem = checkCall(fn, call.arguments);
    if (problem !== undefined) findings.report("wrong-call", { ...spot, to: call.to }, { why: problem });
  }
  if (known === undefined) return;
  for (const { name, from, to } of freeNames(expression, functions)) {
    if (known.has(name)) continue;
    const near = nearest(name, known);
    const spot = { place: entry.place, from, to };
    const fix = near === undefined ? undefined : spliceFix(`use "${near}"`, { ...spot, to: from + name.length }, near);
    findings.report("unknown-variable", spot, { name, near, known: [...known] }, fix);
  }
}
