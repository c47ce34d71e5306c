import { describe } from "../base/describe.ts";
import type { JsonObject } from "../base/json.ts";
import type { TriggerDeclaration } from "../ir/context-declarations.ts";
import type { Findings } from "../source/findings.ts";
import { below, type Place } from "../source/place.ts";
import { lowerConditions } from "./lower-condition.ts";
import type { TemplateReader } from "./lower-template.ts";

/** One trigger of a derived variable. Which types there are and what they take is known in `src/context/triggers` alone. */
export function lowerTrigger(
  object: JsonObject,
  place: Place,
  findings: Findings,
  reader: TemplateReader,
): TriggerDeclaration {
  const { type, conditions, ...settings } = object;
  if (type === undefined) {
    const example = `"type": "agent_text"`;
    findings.report("missing-field", place, { what: "A trigger", field: "type", example });
  } else if (typeof type !== "string") {
    const data = { what: `"type" of a trigger`, expected: "a string", got: describe(type) };
    findings.report("wrong-shape", below(place, "type"), data);
  }
  return {
    type: typeof type === "string" ? type : undefined,
    settings,
    conditions: lowerConditions(conditions, below(place, "conditions"), reader, findings),
    place,
  };
}
