import { describe, withArticle } from "../base/describe.ts";
import { comparisonsOf } from "../ir/condition.ts";
import {
  type ContextDeclarations,
  type DefinedVariable,
  EVENT_ROOTS,
  type RuntimeVariable,
  type TriggerDeclaration,
} from "../ir/context-declarations.ts";
import type { Program } from "../ir/program.ts";
import { forEachReference, placeOf, spotOf } from "../ir/template.ts";
import { editFix, type Findings } from "../source/findings.ts";
import { below, keysOf, pointerOf } from "../source/place.ts";
import { checkForm } from "./form.ts";
import { namesIn, type PlanNames } from "./plan-names.ts";
import { TRIGGER_TYPES } from "./trigger-types.ts";
import { fitsType } from "./value-type.ts";

/** What is wrong with the context variables of a program, besides their shape. A check of the compiler. */
export function checkContextVariables(program: Program, findings: Findings): void {
  const { context } = program;
  if (context === undefined) return;
  const declared = program.blocks[0].signature?.arguments?.map((field) => field.name);
  for (const variable of context.defined) checkSearch(variable, declared, findings);
  checkDeclarations(context, namesIn(program), findings);
}

/** What can be checked without a plan. */
export function checkDeclarations(
  { defined, runtime, derived }: ContextDeclarations,
  names: PlanNames,
  findings: Findings,
): void {
  for (const variable of [...defined, ...runtime]) checkDefault(variable, findings);
  for (const variable of derived) {
    for (const trigger of variable.triggers) checkTrigger(trigger, names, findings);
  }
}

function checkDefault(variable: DefinedVariable | RuntimeVariable, findings: Findings): void {
  const { name, typeName, default: value, place } = variable;
  if (value === undefined || fitsType(value, typeName)) return;
  const data = { what: `The default of "${name}"`, expected: withArticle(typeName), got: describe(value) };
  findings.report("type-mismatch", below(place, "default"), data);
}

/** An empty search would find any document, and an argument that nobody declares would find none. */
function checkSearch(
  { searchBy, collection }: DefinedVariable,
  declared: readonly string[] | undefined,
  findings: Findings,
): void {
  if (collection !== "" && searchBy.kind === "constant" && JSON.stringify(searchBy.value) === "{}") {
    const data = {
      what: `"search_by"`,
      got: "empty",
      expected: `what to look for, as in { "id": "REF:arguments.id" }`,
    };
    findings.report("invalid-value", placeOf(searchBy), data);
  }
  if (declared === undefined) return;
  forEachReference(searchBy, ({ path }, ...where) => {
    const name = String(path[0] ?? "");
    if (declared.includes(name)) return;
    findings.report("unknown-argument", spotOf(...where), findings.suggest(name, declared));
  });
}

function checkTrigger(trigger: TriggerDeclaration, names: PlanNames, findings: Findings): void {
  const { type, settings, conditions, place } = trigger;
  // What has no type has been reported where it was read.
  if (type === undefined) return;
  const known = TRIGGER_TYPES.get(type);
  if (known === undefined) {
    reportUnknownType(trigger, type, findings);
    return;
  }
  const given = conditions === undefined ? settings : { ...settings, conditions: [] };
  checkForm(given, place, `A trigger of type "${type}"`, known.schema, findings, ["type"]);
  if (known.conditionsOn !== undefined) checkConditions(trigger, known.conditionsOn, findings);
  known.check?.(trigger, names, findings);
}

function reportUnknownType({ place }: TriggerDeclaration, type: string, findings: Findings): void {
  const said = findings.suggest(type, TRIGGER_TYPES.keys());
  const at = below(place, "type");
  const edit = { op: "replace", pointer: pointerOf(keysOf(at)), value: said.near ?? "" } as const;
  const fix = said.near === undefined ? undefined : editFix(`use "${said.near}"`, edit);
  findings.report("unknown-trigger", at, said, fix);
}

/** `REF:answer` means nothing to a trigger that looks at responses. */
function checkConditions({ conditions }: TriggerDeclaration, root: string, findings: Findings): void {
  if (conditions === undefined) return;
  for (const { param, value } of comparisonsOf(conditions)) {
    for (const template of value === undefined ? [param] : [param, value]) {
      forEachReference(template, ({ text }, ...where) => {
        const other = EVENT_ROOTS.find((name) => text.startsWith(`REF:${name}`));
        // What begins with none of them has been reported where it was read.
        if (other === undefined || other === root) return;
        findings.report("misplaced-reference", spotOf(...where), {
          text,
          where: `only REF:${root}… can be referred to here`,
        });
      });
    }
  }
}
