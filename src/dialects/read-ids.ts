import { describe } from "../base/describe.ts";
import { isObject, type Json, type JsonObject } from "../base/json.ts";
import type { Findings } from "../source/findings.ts";
import { nearest } from "../source/nearest.ts";
import { below, type Place } from "../source/place.ts";
import { isId } from "./identifier.ts";
import type { FieldTable } from "./shape.ts";

export interface FoundIds {
  readonly numbers: ReadonlyMap<string, number>;
  readonly stepCount: number;
  /** Some of them are none, which has been reported. */
  readonly someAreWrong: boolean;
}

/** Which field holds the id, among which fields, and which ids a language keeps for itself. */
export interface IdRules {
  readonly field: string;
  readonly fields: FieldTable;
  readonly isReserved: (id: string) => boolean;
  readonly reserved: string;
}

/** The ids of a list of steps. A list item that is no object is reported and left out of the numbering. */
export function readIds(list: readonly Json[], place: Place, rules: IdRules, findings: Findings): FoundIds {
  const numbers = new Map<string, number>();
  let stepCount = 0;
  let someAreWrong = false;
  for (let i = 0; i < list.length; i++) {
    const object = list[i] as Json;
    if (!isObject(object)) {
      const data = { what: "A step", expected: "an object", got: describe(object) };
      findings.report("wrong-shape", below(place, i), data);
      continue;
    }
    const id = idOf(object, rules);
    const isWrong = id === undefined || !isId(id) || rules.isReserved(id);
    someAreWrong ||= isWrong;
    if (isWrong) reportId(object, below(place, i), rules, findings);
    if (id !== undefined && !numbers.has(id)) numbers.set(id, stepCount);
    else if (id !== undefined && !isWrong) {
      const at = below(below(place, i), keyOfId(object, rules) as string);
      findings.report("duplicate-id", at, { id, what: "a step" });
    }
    stepCount++;
  }
  return { numbers, stepCount, someAreWrong };
}

function reportId(object: JsonObject, place: Place, rules: IdRules, findings: Findings): void {
  const key = keyOfId(object, rules);
  const id = key === undefined ? undefined : object[key];
  if (key === undefined || id === undefined) {
    const example = `"${rules.field}": "<a name of its own>"`;
    findings.report("missing-field", place, { what: "A step", field: rules.field, example });
  } else if (typeof id !== "string") {
    const data = { what: `"${key}" of a step`, expected: "a string", got: describe(id) };
    findings.report("wrong-shape", below(place, key), data);
  } else if (rules.isReserved(id)) {
    findings.report("reserved-id", below(place, key), { id, reserved: rules.reserved });
  } else if (!isId(id)) findings.report("invalid-id", below(place, key), { id });
}

/** The id of a step, as far as it can be told; what is wrong with it `readIds` has said. */
export function idOf(object: JsonObject, rules: IdRules): string | undefined {
  const key = keyOfId(object, rules);
  const id = key === undefined ? undefined : object[key];
  return typeof id === "string" ? id : undefined;
}

/** The key under which the id stands. */
function keyOfId(object: JsonObject, rules: IdRules): string | undefined {
  return object[rules.field] === undefined ? misspelt(object, rules) : rules.field;
}

/** The key that was meant to be the id's; that it is misspelt is reported with the other fields. */
function misspelt(object: JsonObject, { field, fields }: IdRules): string | undefined {
  return Object.keys(object).find((key) => !fields.has(key) && nearest(key, fields.keys()) === field);
}
