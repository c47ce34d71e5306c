import type { Json } from "../../base/json.ts";
import { templateFunction } from "../../ir/template-function.ts";
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
  const scope = new BlockScope(new Map(steps.map((id, i) => [id, i])), steps.length, findings);
  const references = new ActionReferences(scope);
  const template = lowerTemplate(document.value, rootPlace(document), references.readString);
  const diagnostics = findings.diagnostics();
  if (findings.hasErrors) return { diagnostics };
  const fill = templateFunction(template);
  return { fill: (results) => fill(slots(steps, results)), diagnostics };
}

function slots(steps: readonly string[], results: Readonly<Record<string, Json>>): Json[] {
  const values = new Array<Json>(steps.length);
  for (let i = 0; i < values.length; i++) values[i] = results[steps[i] as string] as Json;
  return values;
}
