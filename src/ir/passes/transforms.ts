import { checkCall } from "../../expr/call-binding.ts";
import { callsOf, freeNames } from "../../expr/free-names.ts";
import { spliceFix } from "../../source/findings.ts";
import type { TransformEntry } from "../transform.ts";
import { type TransformUse, transformsOf } from "../uses.ts";
import { FitCheck } from "./fit.ts";
import type { Pass, PassContext } from "./pass.ts";

/** Transforms that call functions, or use names, that aren't there, or make what can never be of the declared type. */
export const checkTransforms: Pass = (program, context) => {
  if (!context.survey.transforms) return;
  for (const use of transformsOf(program, context.types)) {
    const { transform, target } = use;
    const known =
      target.fields === undefined || target.open === true ? undefined : new Set(target.fields.keys());
    for (const variable of transform.variables) {
      checkEntry(variable, known, context);
      known?.add(variable.name);
    }
    for (const output of transform.outputs) {
      checkEntry(output, known, context);
      known?.add(output.name);
    }
    checkFit(use, context);
  }
};

/** `known` is undefined where the names depend on what the run brings. */
function checkEntry(
  entry: TransformEntry,
  known: ReadonlySet<string> | undefined,
  context: PassContext,
): void {
  if (entry.value.kind !== "expression") return;
  const { expression } = entry.value;
  const { findings, functions } = context;
  // What an unknown function would have bound for its arguments.
  const bound = new Set<string>();
  for (const call of callsOf(expression)) {
    const fn = functions.get(call.name);
    const spot = { place: entry.place, from: call.from, to: call.from + call.name.length };
    if (fn === undefined) {
      const said = findings.suggest(call.name, functions.keys());
      const fix = said.near === undefined ? undefined : spliceFix(`call "${said.near}"`, spot, said.near);
      findings.report("unknown-function", spot, said, fix);
      for (const name of ["item", "index", "current"]) bound.add(name);
      continue;
    }
    const problem = checkCall(fn, call.arguments);
    if (problem !== undefined) findings.report("wrong-call", { ...spot, to: call.to }, { why: problem });
  }
  if (known === undefined) return;
  for (const { name, from, to } of freeNames(expression, functions)) {
    if (known.has(name) || bound.has(name)) continue;
    const said = findings.suggest(name, known);
    const spot = { place: entry.place, from, to };
    const nameAt = { ...spot, to: from + name.length };
    const fix = said.near === undefined ? undefined : spliceFix(`use "${said.near}"`, nameAt, said.near);
    findings.report("unknown-variable", spot, said, fix);
  }
}

function checkFit(
  { transform, scope, becomes, remade }: TransformUse,
  { findings, types }: PassContext,
): void {
  const fit = new FitCheck(types, scope, findings);
  for (const { name, value, place } of transform.outputs) {
    const expected = becomes?.fields?.get(name);
    if (expected === undefined || remade.has(name)) continue;
    const what = `"${name}"`;
    if (value.kind === "expression")
      fit.type(types.expression(value.expression, scope), expected.type, { place }, what);
    else fit.template(value.template, expected.type, what);
  }
}
