import { variableNames } from "../context-declarations.ts";
import { forEachUse } from "../uses.ts";
import type { Pass } from "./pass.ts";

/** References to context variables that nobody declared. */
export const checkContext: Pass = (program, { findings, types, contextNames, survey }) => {
  if (!survey.context) return;
  if (program.context === undefined && contextNames === undefined) return;
  const known = [...(program.context ? variableNames(program.context) : []), ...(contextNames ?? [])];
  const names = new Set(known);
  forEachUse(program, types, (reference, spot) => {
    const name = reference.path[0];
    if (reference.root.kind !== "context" || typeof name !== "string" || names.has(name)) return;
    findings.report("unknown-context-variable", spot(), findings.suggest(name, known));
  });
};
