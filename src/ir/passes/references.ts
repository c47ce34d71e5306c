import type { Reference } from "../../expr/reference.ts";
import type { Fix, Spot } from "../../source/diagnostic.ts";
import { type Findings, spliceFix } from "../../source/findings.ts";
import { valueAt } from "../../source/place.ts";
import { attributesOf, describeType, type Type, typeOfPath } from "../type.ts";
import type { TypeScope } from "../type-flow.ts";
import { forEachUse } from "../uses.ts";
import type { Pass } from "./pass.ts";

/** References that ask for something which a declared type does not have. */
export const checkReferences: Pass = (program, { findings, types, survey }) => {
  if (!survey.types) return;
  forEachUse(program, types, (reference, spot, scope) => {
    if (reference.path.length === 0) return;
    const root = types.root(reference, scope);
    if (root.kind === "any") return;
    const found = typeOfPath(root, reference.path);
    if ("at" in found) report(reference, spot(), found.at, found.of, scope, findings);
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
  const known = attributesOf(of);
  const said = findings.suggest(String(reference.path[at]), known);
  const where = segmentSpot(reference, spot, at);
  const choices = () => (where === undefined ? [] : choicesAt(where, String(reference.path[at]), known));
  const fix =
    said.near === undefined || where === undefined
      ? undefined
      : spliceFix(`refer to "${said.near}"`, where, said.near);
  const { root } = reference;
  if (root.kind === "result" && at === 0 && of.kind === "object") {
    const step = scope.block.steps[root.step]?.id ?? "";
    findings.report("unknown-response", spot, { ...said, step }, fix, choices);
  } else {
    findings.report(
      "unknown-attribute",
      spot,
      { ...said, text: reference.text, type: describeType(of) },
      fix,
      choices,
    );
  }
}

/** Another name; or none: what other languages call the root, `output` or `data`, is a step too many here. */
function choicesAt(where: Spot, name: string, known: readonly string[]): Fix[] {
  const around = { ...where, from: (where.from ?? 0) - 1 };
  return [
    ...known.map((other) => spliceFix(`refer to "${other}"`, where, other)),
    spliceFix(`leave out ".${name}"`, around, ""),
  ];
}

/** Where segment `at` of the reference's path stands: the path is the end of the text, whatever the language. */
function segmentSpot(reference: Reference, spot: Spot, at: number): Spot | undefined {
  const whole = valueAt(spot.place);
  if (typeof whole !== "string" || spot.from === undefined) return undefined;
  const segments = [...whole.slice(spot.from, spot.to).matchAll(/\.([^.[\]{}"]+)|\[[^\]]*\]/g)];
  const segment = segments[segments.length - reference.path.length + at];
  const key = segment?.[1]?.trimEnd();
  if (segment === undefined || key === undefined || key !== reference.path[at]) return undefined;
  const from = spot.from + segment.index + 1;
  return { place: spot.place, from, to: from + key.length };
}
