import type { Json, JsonObject } from "../../base/json.ts";
import { looksLikeCall, parseExpression } from "../../expr/parser.ts";
import type { Transform, TransformEntry, TransformValue } from "../../ir/transform.ts";
import { below, type Place } from "../../source/place.ts";
import type { Environment } from "../environment.ts";
import { lowerTemplate, unreadable } from "../lower-template.ts";
import { Shape } from "../shape.ts";
import { TRANSFORM_FIELDS } from "./fields.ts";
import type { AgentReferences } from "./references.ts";

/** `transform_arguments` or `transform_results` of an instruction or a definition. */
export function lowerTransform(
  owner: Shape,
  name: "transform_arguments" | "transform_results",
  references: AgentReferences,
  environment: Environment,
): Transform | undefined {
  const object = owner.object(name);
  if (object === undefined) return undefined;
  const shape = new Shape(
    object,
    owner.at(name),
    `"${owner.keyOf(name)}"`,
    TRANSFORM_FIELDS,
    environment.findings,
  );
  const variables = lowerEntries(shape, "variables", (value, place) =>
    lowerVariable(value, place, references, environment),
  );
  const outputs = lowerEntries(shape, "transforms", (value, place) =>
    lowerOutput(value, place, references, environment),
  );
  return { variables, outputs };
}

function lowerEntries(
  shape: Shape,
  name: "variables" | "transforms",
  lower: (value: Json, place: Place) => TransformValue,
): TransformEntry[] {
  const object: JsonObject = shape.object(name) ?? {};
  return Object.keys(object).map((key) => {
    const place = below(shape.at(name), key);
    return { name: key, value: lower(object[key] as Json, place), place };
  });
}

/** A variable's string is evaluated only where it is a call of a known function; else it is a constant or a reference. */
function lowerVariable(
  value: Json,
  place: Place,
  references: AgentReferences,
  environment: Environment,
): TransformValue {
  if (typeof value === "string" && looksLikeCall(value, (name) => environment.functions.has(name))) {
    return lowerExpression(value, place, references, environment);
  }
  return { kind: "template", template: lowerTemplate(value, place, references) };
}

function lowerOutput(
  value: Json,
  place: Place,
  references: AgentReferences,
  environment: Environment,
): TransformValue {
  if (typeof value === "string") return lowerExpression(value, place, references, environment);
  return { kind: "template", template: lowerTemplate(value, place, references) };
}

function lowerExpression(
  text: string,
  place: Place,
  references: AgentReferences,
  environment: Environment,
): TransformValue {
  const { findings, functions } = environment;
  const bind = (reference: string, from: number, to: number) =>
    references.bind(reference, 0, reference.length, { place, from, to });
  const { expression, problems } = parseExpression(text, { bind, functions });
  for (const problem of problems) {
    findings.report(
      "transform-syntax",
      { place, from: problem.at, to: problem.to },
      { why: problem.message },
    );
  }
  if (expression !== undefined) return { kind: "expression", expression };
  return { kind: "template", template: unreadable(text, place) };
}
