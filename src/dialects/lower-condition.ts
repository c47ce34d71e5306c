import { describe, quote } from "../base/describe.ts";
import { type Json, isList, isObject } from "../base/json.ts";
import { type Condition, isOperator, OPERATORS, takesValue } from "../ir/condition.ts";
import { editFix, type Findings } from "../source/findings.ts";
import { nearest } from "../source/nearest.ts";
import { below, keysOf, type Place, pointerOf } from "../source/place.ts";
import { lowerTemplate, type StringReader } from "./lower-template.ts";
import { expectObject, fieldTable, Shape } from "./shape.ts";

const CONDITION_FIELDS = fieldTable(["param", "operator", "value"]);
const GROUP_FIELDS = fieldTable(["logic", "conditions"]);

/** A list of conditions is an AND; a single one or a group may stand without a list. */
export function lowerConditions(
  value: Json | undefined,
  place: Place,
  readString: StringReader,
  findings: Findings,
): Condition | undefined {
  if (value === undefined) return undefined;
  if (isObject(value)) return lowerCondition(value, place, readString, findings);
  if (!isList(value)) {
    const what = `"${String(place.key)}"`;
    findings.report("wrong-shape", place, { what, expected: "a list of conditions", got: describe(value) });
    return undefined;
  }
  return { kind: "all", conditions: lowerEach(value, place, readString, findings) };
}

function lowerEach(list: readonly Json[], place: Place, readString: StringReader, findings: Findings): Condition[] {
  const conditions: Condition[] = [];
  for (const [i, item] of list.entries()) {
    const condition = lowerCondition(item, below(place, i), readString, findings);
    if (condition !== undefined) conditions.push(condition);
  }
  return conditions;
}

function lowerCondition(
  value: Json,
  place: Place,
  readString: StringReader,
  findings: Findings,
): Condition | undefined {
  const object = expectObject(value, place, "A condition", findings);
  if (object === undefined) return undefined;
  return object.conditions !== undefined || object.logic !== undefined
    ? lowerGroup(new Shape(object, place, "A group of conditions", GROUP_FIELDS, findings), readString)
    : lowerComparison(new Shape(object, place, "A condition", CONDITION_FIELDS, findings), readString);
}

function lowerGroup(shape: Shape, readString: StringReader): Condition | undefined {
  const logic = (shape.string("logic") ?? "AND").toUpperCase();
  if (logic !== "AND" && logic !== "OR") {
    const got = quote(logic);
    shape.findings.report("invalid-value", shape.at("logic"), { what: `"logic"`, got, expected: `"AND" or "OR"` });
  }
  const list = shape.list("conditions");
  if (shape.raw("conditions") === undefined) {
    const example = `"conditions": […]`;
    shape.findings.report("missing-field", shape.place, { what: shape.what, field: "conditions", example });
  }
  if (list === undefined) return undefined;
  const conditions = lowerEach(list, shape.at("conditions"), readString, shape.findings);
  return { kind: logic === "OR" ? "any" : "all", conditions };
}

function lowerComparison(shape: Shape, readString: StringReader): Condition | undefined {
  const { findings, place } = shape;
  const operator = shape.requiredString("operator", `"operator": "equals"`);
  const paramValue = shape.raw("param");
  if (paramValue === undefined) {
    findings.report("missing-field", place, { what: shape.what, field: "param", example: `"param": "<reference>"` });
  }
  const param = lowerTemplate(paramValue ?? null, shape.at("param"), readString);
  const operand = shape.raw("value");
  const value = operand === undefined ? undefined : lowerTemplate(operand, shape.at("value"), readString);
  if (operator === undefined) return undefined;
  if (!isOperator(operator)) {
    const near = nearest(operator, OPERATORS);
    const at = shape.at("operator");
    const pointer = pointerOf(keysOf(at));
    const fix = near === undefined ? undefined : editFix(`use "${near}"`, { op: "replace", pointer, value: near });
    findings.report("unknown-operator", at, { name: operator, near, known: OPERATORS }, fix);
    return undefined;
  }
  if (takesValue(operator) && value === undefined) findings.report("missing-operand", place, { operator });
  return { kind: "compare", operator, param, value, place };
}
