import { describe, quote } from "../base/describe.ts";
import type { JsonObject } from "../base/json.ts";
import type { TriggerDeclaration } from "../ir/context-declarations.ts";
import { patternProblem } from "../ir/pattern.ts";
import { editFix, type Findings } from "../source/findings.ts";
import { below, keysOf, type Place, pointerOf } from "../source/place.ts";
import { lowerConditions } from "./lower-condition.ts";
import type { StringReader } from "./lower-template.ts";
import { type FieldTable, fieldTable, Shape } from "./shape.ts";

/** How a type of trigger is written: its fields, and a check of their values. */
interface TriggerForm {
  readonly fields: FieldTable;
  readonly check: (shape: Shape) => void;
}

const form = (fields: readonly string[], check: (shape: Shape) => void): TriggerForm => ({
  fields: fieldTable(["type", ...fields]),
  check,
});

const MATCH_FIELDS = fieldTable(["equals", "contains", "regex", "ignore_case"]);

/** The types of triggers. What they do is in `src/context/triggers`; a new one is a file there and a line here. */
const FORMS: ReadonlyMap<string, TriggerForm> = new Map([
  ["agent_text", form(["agent", "match"], checkAgentText)],
  ["agent_turn_count", form(["agent", "at_least"], checkTurnCount)],
  ["tool_response", form(["tool", "status", "conditions"], checkToolResponse)],
  ["timer_expired", form(["after_ms", "at"], checkTimer)],
  ["ui_response", form(["question", "conditions"], (shape) => need(shape, "question", "reply_message"))],
  ["function", form(["source"], (shape) => need(shape, "source", "(event) => event.text === 'done'"))],
]);

/** One trigger of a derived variable. `readerFor` reads references to what its conditions look at. */
export function lowerTrigger(
  object: JsonObject,
  place: Place,
  findings: Findings,
  readerFor: (root: "answer" | "response") => StringReader,
): TriggerDeclaration {
  const { type, conditions, ...settings } = object;
  const known = typeof type === "string" ? FORMS.get(type) : undefined;
  if (known !== undefined)
    known.check(new Shape(object, place, `A trigger of type "${type}"`, known.fields, findings));
  else if (typeof type === "string") reportUnknown(type, below(place, "type"), findings);
  else if (type !== undefined) {
    const data = { what: `"type" of a trigger`, expected: "a string", got: describe(type) };
    findings.report("wrong-shape", below(place, "type"), data);
  } else
    findings.report("missing-field", place, {
      what: "A trigger",
      field: "type",
      example: `"type": "agent_text"`,
    });
  const reader = readerFor(type === "ui_response" ? "answer" : "response");
  return {
    type: typeof type === "string" ? type : "",
    settings,
    conditions: lowerConditions(conditions, below(place, "conditions"), reader, findings),
    place,
  };
}

function reportUnknown(type: string, place: Place, findings: Findings): void {
  const said = findings.suggest(type, FORMS.keys());
  const { near } = said;
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined ? undefined : editFix(`use "${near}"`, { op: "replace", pointer, value: near });
  findings.report("unknown-trigger", place, said, fix);
}

function need(shape: Shape, field: string, example: string): void {
  shape.requiredString(field, `"${field}": "${example}"`);
}

function missing(shape: Shape, field: string, example: string): void {
  shape.findings.report("missing-field", shape.place, { what: shape.what, field, example });
}

function checkAgentText(shape: Shape): void {
  need(shape, "agent", "InterviewAgent");
  const object = shape.object("match");
  const example = `"match": { "equals": "TERMINATE" }`;
  if (!shape.has("match")) missing(shape, "match", example);
  if (object === undefined) return;
  const match = new Shape(object, shape.at("match"), `"match"`, MATCH_FIELDS, shape.findings);
  const given = ["equals", "contains", "regex"].filter((field) => match.has(field));
  if (given.length === 0) missing(match, "equals", `"equals": "TERMINATE"`);
  if (given.length > 1)
    shape.findings.report("conflicting-fields", match.place, { what: match.what, both: given });
  for (const field of given) match.string(field);
  match.boolean("ignore_case");
  const pattern = match.raw("regex");
  const why = typeof pattern === "string" ? patternProblem(pattern) : undefined;
  if (typeof pattern === "string" && why !== undefined) {
    shape.findings.report("invalid-pattern", match.at("regex"), { pattern, why });
  }
}

function checkTurnCount(shape: Shape): void {
  need(shape, "agent", "InterviewAgent");
  if (!shape.has("at_least")) missing(shape, "at_least", `"at_least": 3`);
  shape.integer("at_least", 1);
}

function checkToolResponse(shape: Shape): void {
  need(shape, "tool", "send_email");
  const status = shape.string("status");
  if (status === undefined || status === "succeeded" || status === "failed") return;
  const data = { what: `"status"`, got: quote(status), expected: `"succeeded" or "failed"` };
  shape.findings.report("invalid-value", shape.at("status"), data);
}

function checkTimer(shape: Shape): void {
  if (!shape.has("after_ms") && !shape.has("at")) missing(shape, "after_ms", `"after_ms": 60000`);
  if (shape.has("after_ms") && shape.has("at")) {
    shape.findings.report("conflicting-fields", shape.place, { what: shape.what, both: ["after_ms", "at"] });
  }
  shape.number("after_ms", "a number of milliseconds from 0", (value) => value >= 0);
  const at = shape.string("at");
  if (at === undefined || !Number.isNaN(Date.parse(at))) return;
  const data = { what: `"at"`, got: quote(at), expected: "a time as in 2031-05-04T12:00:00Z" };
  shape.findings.report("invalid-value", shape.at("at"), data);
}
