import { getOwn, type Json } from "../../base/json.ts";
import { explainMissing, walk } from "../../expr/path.ts";
import type { Reference } from "../../expr/reference.ts";
import { fillTemplate } from "../../ir/fill-template.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { Findings, syntaxDiagnostics } from "../../source/findings.ts";
import { openDocument } from "../../source/open.ts";
import { rootPlace } from "../../source/place.ts";
import { lowerTemplate } from "../lower-template.ts";
import { BlockScope } from "../scope.ts";
import { ActionReferences } from "./references.ts";

export interface CompiledTemplate {
  /** From the results of steps, by id, to the value; there when nothing is wrong. Throws where a path leads nowhere. */
  readonly fill?: (results: Readonly<Record<string, Json>>) => Json;
  readonly diagnostics: readonly Diagnostic[];
}

/** A value with references in the notation of action plans, on its own: `{ to: "{{find_john.result.email}}" }`. */
export function compileTemplate(value: Json, steps: readonly string[]): CompiledTemplate {
  const { document, problems } = openDocument(value);
  if (document === undefined) return { diagnostics: syntaxDiagnostics(problems, undefined, undefined) };
  const findings = new Findings();
  const scope = new BlockScope(numbersOf(steps), steps.length, findings);
  const references = new ActionReferences(scope);
  const template = lowerTemplate(document.value, rootPlace(document), references);
  const diagnostics = findings.diagnostics();
  if (findings.hasErrors) return { diagnostics };
  const fill = (results: Readonly<Record<string, Json>>): Json => {
    return fillTemplate(
      template,
      steps.map((id) => getOwn(results, id)),
      lookUp,
    );
  };
  return { fill, diagnostics };
}

function numbersOf(steps: readonly string[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (let i = 0; i < steps.length; i++) numbers.set(steps[i] as string, i);
  return numbers;
}

/** `results` by the numbers of the steps. */
function lookUp({ root, path, text }: Reference, results: readonly (Json | undefined)[]): Json {
  const result = root.kind === "result" ? results[root.step] : undefined;
  const found = result === undefined ? undefined : walk(result, path);
  if (found !== undefined) return found;
  throw new ReferenceError(`${text}: ${explainMissing(result ?? null, path)}`);
}
