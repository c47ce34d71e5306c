import { describe, quote } from "../base/describe.ts";
import { isList, isObject, type Json } from "../base/json.ts";
import { type Condition, isOperator, OPERATORS, type Operator, takesValue } from "../ir/condition.ts";
import { editFix, type Findings } from "../source/findings.ts";
import { below, keysOf, type Place, pointerOf } from "../source/place.ts";
import { lowerTemplate, type TemplateReader } from "./lower-template.ts";
import { expectObject, fieldTable, Shape } from "./shape.ts";

const CONDITION_FIELDS = fieldTable(["param", "operator", "value"]);
const GROUP_FIELDS = fieldTable(["logic", "conditions"]);

/** The `conditions` of a step. */
export function lowerConditionsOf(step: Shape, reader: TemplateReader): Condition | undefined {
  const value = step.raw("conditions");
  if (value === undefined) return undefined;
  return lowerConditions(value, step.at("conditions"), reader, step.findings);
}

/** A list of conditions is an AND; a single one or a group may stand without a list. */
export function lowerConditions(
  value: Json | undefined,
  place: Place,
  reader: TemplateReader,
  findings: Findings,
): Condition | undefined {
  if (value === undefined) return undefined;
  if (isObject(value)) return lowerCondition(value, place, reader, findings);
  if (!isList(value)) {
    const what = `"${String(place.key)}"`;
    findings.report("wrong-shape", place, { what, expected: "a list of conditions", got: describe(value) });
    return undefined;
  }
  return { kind: "all", conditions: lowerEach(value, place, reader, findings) };
}

function lowerEach(
  list: readonly Json[],
  place: Place,
  reader: TemplateReader,
  findings: Findings,
): Condition[] {
  const conditions: Condition[] = [];
  for (const [i, item] of list.entries()) {
    const condition = lowerCondition(item, below(place, i), reader, findings);
    if (condition !== undefined) conditions.push(condition);
  }
  return conditions;
}

function lowerCondition(
  value: Json,
  place: Place,
  reader: TemplateReader,
  findings: Findings,
): Condition | undefined {
  const object = expectObject(value, place, "A condition", findings);
  if (object === undefined) return undefined;
  return object.conditions !== undefined || object.logic !== undefined
    ? lowerGroup(new Shape(object, place, "A group of conditions", GROUP_FIELDS, findings), reader)
    : lowerComparison(new Shape(object, place, "A condition", CONDITION_FIELDS, findings), reader);
}

function lowerGroup(shape: Shape, reader: TemplateReader): Condition | undefined {
  const logic = (shape.string("logic") ?? "AND").toUpperCase();
  if (logic !== "AND" && logic !== "OR") {
    const got = quote(logic);
    shape.findings.report("invalid-value", shape.at("logic"), {
      what: `"logic"`,
      got,
      expected: `"AND" or "OR"`,
    });
  }
  const list = shape.list("conditions");
  if (shape.raw("conditions") === undefined) {
    const example = `"conditions": […]`;
    shape.findings.report("missing-field", shape.place, { what: shape.what, field: "conditions", example });
  }
  if (list === undefined) return undefined;
  const conditions = lowerEach(list, shape.at("conditions"), reader, shape.findings);
  return { kind: logic === "OR" ? "any" : "all", conditions };
}

function lowerComparison(shape: Shape, reader: TemplateReader): Condition {
  const { findings, place } = shape;
  const operator = shape.requiredString("operator", `"operator": "equals"`);
  const paramValue = shape.raw("param");
  if (paramValue === undefined) {
    findings.report("missing-field", place, {
      what: shape.what,
      field: "param",
      example: `"param": "<reference>"`,
    });
  }
  const param = lowerTemplate(paramValue ?? null, shape.at("param"), reader);
  const operand = shape.raw("value");
  const value = operand === undefined ? undefined : lowerTemplate(operand, shape.at("value"), reader);
  if (operator === undefined || !isOperator(operator)) {
    if (operator !== undefined) reportOperator(operator, shape.at("operator"), findings);
    // Any operator will do, so that the references are checked all the same.
    return { kind: "compare", operator: "exists", param, value, place };
  }
  if (takesValue(operator) && value === undefined) findings.report("missing-operand", place, { operator });
  return { kind: "compare", operator, param, value, place };
}

function reportOperator(name: string, place: Place, findings: Findings): void {
  const said = findings.suggest(name, OPERATORS);
  const near = OTHER_NAMES.get(name.trim().toLowerCase()) ?? said.near;
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined ? undefined : editFix(`use "${near}"`, { op: "replace", pointer, value: near });
  findings.report("unknown-operator", place, { ...said, near }, fix);
}

/** What other languages call the operators. */
const OTHER_NAMES = new Map<string, Operator>([
  ["=", "equals"],
  ["==", "equals"],
  ["===", "equals"],
  ["eq", "equals"],
  ["is", "equals"],
  ["!=", "not_equals"],
  ["!==", "not_equals"],
  ["<>", "not_equals"],
  ["ne", "not_equals"],
  ["neq", "not_equals"],
  [">", "greater_than"],
  ["gt", "greater_than"],
  ["<", "less_than"],
  ["lt", "less_than"],
  [">=", "greater_than_or_equal"],
  ["gte", "greater_than_or_equal"],
  ["ge", "greater_than_or_equal"],
  ["<=", "less_than_or_equal"],
  ["lte", "less_than_or_equal"],
  ["le", "less_than_or_equal"],
  ["is_null", "not_exists"],
  ["is_not_null", "exists"],
  ["includes", "contains"],
]);
