import type { Reference } from "../../expr/reference.ts";
import type { Spot } from "../../source/diagnostic.ts";
import { type Findings, spliceFix } from "../../source/findings.ts";
import { nearest } from "../../source/nearest.ts";
import { attributesOf, describeType, type Type, typeOfPath } from "../type.ts";
import type { TypeScope } from "../type-flow.ts";
import { forEachUse } from "../uses.ts";
import type { Pass } from "./pass.ts";

/** References that ask for something which a declared type does not have. */
export const checkReferences: Pass = (program, { findings, types }) => {
  forEachUse(program, types, (reference, spot, scope) => {
    if (reference.path.length === 0) return;
    const found = typeOfPath(types.root(reference, scope), reference.path);
    if ("at" in found) report(reference, spot, found.at, found.of, scope, findings);
  });
};

function report(
  reference: Reference,
  spot: Spot,
  at: number,
  of: Type,
  scope: TypeScope,
  findings: Findings,
): void {
  const name = String(reference.path[at]);
  const known = attributesOf(of);
  const near = nearest(name, known);
  const where = near === undefined ? undefined : segmentSpot(reference, spot, at);
  const fix = near === undefined || where === undefined ? undefined : spliceFix(`refer to "${near}"`, where, near);
  const { root } = reference;
  if (root.kind === "result" && at === 0 && of.kind === "object") {
    const step = scope.block.steps[root.step]?.id ?? "";
    findings.report("unknown-response", spot, { name, near, known, step }, fix);
  } else {
    const type = describeType(of);
    findings.report("unknown-attribute", spot, { text: reference.text, name, near, known, type }, fix);
  }
}

/** Where segment `at` of the reference's path stands: the path is the end of the text, whatever the language. */
function segmentSpot(reference: Reference, spot: Spot, at: number): Spot | undefined {
  const segments = [...reference.text.matchAll(/\.([^.[\]{}"]+)|\[[^\]]*\]/g)];
  const segment = segments[segments.length - reference.path.length + at];
  const key = segment?.[1]?.trimEnd();
  if (segment === undefined || key === undefined) return undefined;
  const from = (spot.from ?? 0) + segment.index + 1;
  return { place: spot.place, from, to: from + key.length };
}
