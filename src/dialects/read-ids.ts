import { describe } from "../base/describe.ts";
import { type Json, type JsonObject, isObject } from "../base/json.ts";
import type { Findings } from "../source/findings.ts";
import { below, type Place } from "../source/place.ts";
import { isId } from "./identifier.ts";

/** A step as it is found in the list, before anything but its id has been looked at. */
export interface FoundStep {
  readonly id: string | undefined;
  readonly object: JsonObject;
  readonly place: Place;
}

export interface FoundIds {
  readonly numbers: ReadonlyMap<string, number>;
  readonly shapes: readonly FoundStep[];
}

/** The ids of a list of steps. A list item that is no object is reported and left out of the numbering. */
export function readIds(
  list: readonly Json[],
  place: Place,
  field: string,
  isReserved: (id: string) => boolean,
  reserved: string,
  findings: Findings,
): FoundIds {
  const numbers = new Map<string, number>();
  const shapes: FoundStep[] = [];
  for (let i = 0; i < list.length; i++) {
    const at = below(place, i);
    const object = list[i] as Json;
    if (!isObject(object)) {
      findings.report("wrong-shape", at, { what: "A step", expected: "an object", got: describe(object) });
      continue;
    }
    const id = object[field];
    const number = shapes.length;
    shapes.push({ id: typeof id === "string" ? id : undefined, object, place: at });
    if (id === undefined) {
      findings.report("missing-field", at, { what: "A step", field, example: `"${field}": "<a name of its own>"` });
    } else if (typeof id !== "string") {
      const what = `"${field}" of a step`;
      findings.report("wrong-shape", below(at, field), { what, expected: "a string", got: describe(id) });
    } else if (isReserved(id)) findings.report("reserved-id", below(at, field), { id, reserved });
    else if (!isId(id)) findings.report("invalid-id", below(at, field), { id });
    else if (numbers.has(id)) findings.report("duplicate-id", below(at, field), { id, what: "a step" });
    if (typeof id === "string" && !numbers.has(id)) numbers.set(id, number);
  }
  return { numbers, shapes };
}
