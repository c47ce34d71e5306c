import { describe } from "../base/describe.ts";
import type { Json } from "../base/json.ts";
import type { NeedMode } from "../ir/program.ts";
import { editFix } from "../source/findings.ts";
import { below, keysOf, type Place, pointerOf } from "../source/place.ts";
import type { BlockScope } from "./scope.ts";
import type { Shape } from "./shape.ts";

/** `dependencies`, a list of ids; what a dependency means is the language's to say. */
export function lowerIdDependencies(shape: Shape, scope: BlockScope, mode: NeedMode): void {
  eachDependency(shape, "dependencies", "the id of a step", (id, place) => {
    if (typeof id !== "string") return false;
    const step = scope.ids.get(id);
    if (step !== undefined) scope.need(step, mode);
    else reportUnknown(id, place, scope);
    return true;
  });
}

function reportUnknown(id: string, place: Place, scope: BlockScope): void {
  const said = scope.findings.suggest(id, scope.ids.keys());
  const { near } = said;
  const pointer = pointerOf(keysOf(place));
  const fix =
    near === undefined ? undefined : editFix(`depend on "${near}"`, { op: "replace", pointer, value: near });
  scope.findings.report("unknown-dependency", place, said, fix);
}

/** `dependsOn`, a list of numbers of earlier steps, which must have succeeded. */
export function lowerNumberDependencies(index: number, shape: Shape, scope: BlockScope): void {
  eachDependency(shape, "dependsOn", "the number of a step", (step, place) => {
    if (typeof step !== "number" || !Number.isInteger(step)) return false;
    if (step < 0 || step >= scope.stepCount) {
      const known = Array.from({ length: Math.min(index, 20) }, (_, i) => String(i));
      scope.findings.report("unknown-dependency", place, { name: String(step), near: undefined, known });
    } else if (step >= index) scope.findings.report("later-step", place, { step: index, refersTo: step });
    else scope.need(step, "succeeded");
    return true;
  });
}

/** `visit` gives false for an entry of the wrong kind. */
function eachDependency(
  shape: Shape,
  field: string,
  expected: string,
  visit: (value: Json, place: Place) => boolean,
): void {
  if (!shape.has(field)) return;
  for (const [i, value] of (shape.list(field) ?? []).entries()) {
    const place = below(shape.at(field), i);
    if (visit(value, place)) continue;
    shape.findings.report("wrong-shape", place, {
      what: `An entry of "${field}"`,
      expected,
      got: describe(value),
    });
  }
}
