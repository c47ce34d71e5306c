import { describe } from "../../base/describe.ts";
import { equalJson, isList, isObject, type Json } from "../../base/json.ts";
import type { Fix, Spot } from "../../source/diagnostic.ts";
import type { Findings } from "../../source/findings.ts";
import { below, type Place } from "../../source/place.ts";
import { placeOf, spotOf, type Template } from "../template.ts";
import { canFit, describeType, STRING, type Type, typeOfValue } from "../type.ts";
import type { TypeFlow, TypeScope } from "../type-flow.ts";

/** Reports what in a template can never be of the type that is declared where it stands. `what` names that place. */
export class FitCheck {
  readonly #types: TypeFlow;
  readonly #scope: TypeScope;
  readonly #findings: Findings;
  readonly #choices: (() => Iterable<Fix>) | undefined;

  /** `choices`: what the whole template could be instead. */
  constructor(types: TypeFlow, scope: TypeScope, findings: Findings, choices?: () => Iterable<Fix>) {
    this.#choices = choices;
    this.#types = types;
    this.#scope = scope;
    this.#findings = findings;
  }

  template(template: Template, expected: Type, what: string): void {
    switch (template.kind) {
      case "constant":
        this.constant(template.value, placeOf(template), expected, what);
        return;
      case "reference":
        this.#type(this.#types.reference(template, this.#scope), expected, template, what);
        return;
      case "text":
      case "secret":
        this.#type(STRING, expected, template, what);
        return;
      case "list":
        this.#list(template, expected, what);
        return;
      case "object":
        this.#object(template, expected, what);
        return;
    }
  }

  type(given: Type, expected: Type, at: Spot, what: string): void {
    if (!canFit(given, expected)) this.#mismatch(at, what, expected, describeType(given));
  }

  #type(given: Type, expected: Type, template: Template, what: string): void {
    if (canFit(given, expected)) return;
    const at = template.kind === "reference" ? spotOf(template) : placeOf(template);
    this.#mismatch(at, what, expected, describeType(given));
  }

  #list(template: Template & { kind: "list" }, expected: Type, what: string): void {
    if (expected.kind !== "list") {
      this.#type(this.#types.template(template, this.#scope), expected, template, what);
    } else if (expected.of !== undefined) {
      for (const item of template.items) this.template(item, expected.of, `An item of ${inside(what)}`);
    }
  }

  #object(template: Template & { kind: "object" }, expected: Type, what: string): void {
    if (expected.kind !== "object") {
      this.#type(this.#types.template(template, this.#scope), expected, template, what);
      return;
    }
    for (const [i, key] of template.keys.entries()) {
      const field = expected.fields?.get(key);
      if (field !== undefined)
        this.template(template.values[i] as Template, field.type, `"${key}" of ${inside(what)}`);
    }
    this.#missing(template.keys, template.place, expected, what);
  }

  constant(value: Json, place: Place, expected: Type, what: string): void {
    if (expected.kind === "any") return;
    if (value === null) {
      if (expected.nullable || expected.allowed?.includes(null)) return;
      this.#mismatch(place, what, expected, "null");
      return;
    }
    if (expected.kind === "list" && isList(value)) {
      if (expected.of === undefined) return;
      for (const [i, item] of value.entries())
        this.constant(item, below(place, i), expected.of, `An item of ${inside(what)}`);
    } else if (expected.kind === "object" && isObject(value)) {
      for (const key of Object.keys(value)) {
        const field = expected.fields?.get(key);
        if (field !== undefined)
          this.constant(value[key] as Json, below(place, key), field.type, `"${key}" of ${inside(what)}`);
      }
      this.#missing(Object.keys(value), place, expected, what);
    } else if (!canFit(typeOfValue(value), expected) || !isAllowed(value, expected)) {
      this.#mismatch(place, what, expected, describe(value));
    }
  }

  #mismatch(at: Spot | Place, what: string, expected: Type, got: string): void {
    const data = { what, expected: describeType(expected), got };
    this.#findings.report("type-mismatch", at, data, undefined, this.#choices);
  }

  #missing(given: readonly string[], place: Place, expected: Type, what: string): void {
    for (const [name, field] of expected.fields ?? []) {
      if (!field.required || given.includes(name)) continue;
      const of = what.charAt(0).toUpperCase() + what.slice(1);
      this.#findings.report("missing-argument", place, {
        argument: name,
        type: describeType(field.type),
        of,
      });
    }
  }
}

function isAllowed(value: Json, type: Type): boolean {
  return type.allowed === undefined || type.allowed.some((allowed) => equalJson(allowed, value));
}

/** `The argument "x"` in the middle of a sentence. */
function inside(what: string): string {
  return what.charAt(0).toLowerCase() + what.slice(1);
}
