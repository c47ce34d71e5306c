import { describe } from "../base/describe.ts";
import { hasOwn, isList, isObject, type Json, type JsonObject } from "../base/json.ts";
import { editFix, type Findings } from "../source/findings.ts";
import { below, keysOf, type Place, pointerOf } from "../source/place.ts";

/** The fields that an object may have: each accepted spelling with the field it stands for. */
export type FieldTable = ReadonlyMap<string, FieldEntry>;

interface FieldEntry {
  readonly name: string;
  /** Nearly every such object has it, or nobody reads it. */
  readonly isUsual: boolean;
}

/** `description` and `metadata` are allowed everywhere. */
export function fieldTable(
  names: readonly string[],
  spellings: Readonly<Record<string, string>> = {},
  usual: readonly string[] = [],
): FieldTable {
  const table = new Map<string, FieldEntry>();
  const free = ["description", "metadata"];
  for (const name of [...names, ...free]) {
    table.set(name, { name, isUsual: usual.includes(name) || free.includes(name) });
  }
  for (const [spelling, name] of Object.entries(spellings)) table.set(spelling, { name, isUsual: false });
  return table;
}

/** What messages call an object; made up when there is something to say. */
type Title = string | ((value: JsonObject, place: Place) => string);

/**
 * An object of the plan, read field by field. What is there but should not be, and what has the wrong shape, is reported;
 * the reader gives `undefined` then, so that the rest of the plan is looked at all the same.
 */
export class Shape {
  readonly value: JsonObject;
  readonly place: Place;
  readonly findings: Findings;
  /** It has only usual fields: the others need not be asked for. */
  readonly isUsual: boolean;
  readonly #title: Title;
  #spelling: Map<string, string> | undefined;

  constructor(value: JsonObject, place: Place, title: Title, table: FieldTable, findings: Findings) {
    this.value = value;
    this.place = place;
    this.#title = title;
    this.findings = findings;
    // `for … in` makes no list of the keys, which counts where there are many small objects.
    let isUsual = true;
    for (const key in value) {
      const field = table.get(key);
      if (field?.isUsual === true) continue;
      isUsual = false;
      if (field === undefined) {
        if (hasOwn(value, key)) this.#reportUnknown(key, table);
      } else if (field.name !== key) this.#acceptSpelling(key, field.name);
    }
    this.isUsual = isUsual;
  }

  /** What messages call the object. */
  get what(): string {
    return typeof this.#title === "string" ? this.#title : this.#title(this.value, this.place);
  }

  #acceptSpelling(key: string, name: string): void {
    const other = this.value[name] === undefined ? this.#spelling?.get(name) : name;
    if (other === undefined) {
      this.#accept(key, name);
      return;
    }
    const keys = Object.keys(this.value);
    const second = keys.indexOf(other) > keys.indexOf(key) ? other : key;
    const spot = { place: below(this.place, second), on: "key" } as const;
    this.findings.report("conflicting-fields", spot, { what: this.what, both: [key, other] });
  }

  #reportUnknown(key: string, table: FieldTable): void {
    const known = [...new Set([...table.values()].map((field) => field.name))];
    const { near } = this.findings.suggest(key, table.keys());
    const place = below(this.place, key);
    const meant = near === undefined ? undefined : table.get(near)?.name;
    const free = meant !== undefined && this.value[meant] === undefined;
    const fix =
      free && near !== undefined
        ? editFix(`rename "${key}" to "${near}"`, {
            op: "rename",
            pointer: pointerOf(keysOf(place)),
            key: near,
          })
        : undefined;
    this.findings.report(
      "unknown-field",
      { place, on: "key" },
      { what: this.what, name: key, near, known },
      fix,
    );
    // What was meant is clear enough to go on with, and saves the author a second round of errors.
    if (free) this.#accept(key, meant);
  }

  #accept(key: string, name: string): void {
    this.#spelling ??= new Map();
    if (this.value[name] === undefined) this.#spelling.set(name, key);
  }

  /** The key under which the field stands in the document. */
  keyOf(name: string): string {
    return this.#spelling?.get(name) ?? name;
  }

  raw(name: string): Json | undefined {
    return this.value[this.keyOf(name)];
  }

  at(name: string): Place {
    return below(this.place, this.keyOf(name));
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  string(name: string): string | undefined {
    const value = this.raw(name);
    if (value === undefined || typeof value === "string") return value;
    return this.#wrong(name, "a string", value);
  }

  /** A string that must be there and must not be empty. */
  requiredString(name: string, example: string): string | undefined {
    const value = this.string(name);
    if (this.raw(name) === undefined) {
      this.findings.report("missing-field", this.place, { what: this.what, field: name, example });
    } else if (value === "") {
      this.#wrong(name, "a non-empty string", value);
    }
    return value === "" ? undefined : value;
  }

  boolean(name: string): boolean | undefined {
    const value = this.raw(name);
    if (value === undefined || typeof value === "boolean") return value;
    return this.#wrong(name, "true or false", value);
  }

  number(name: string, expected: string, accepts: (value: number) => boolean): number | undefined {
    const value = this.raw(name);
    if (value === undefined || (typeof value === "number" && accepts(value))) return value;
    return this.#wrong(name, expected, value);
  }

  integer(name: string, min: number): number | undefined {
    return this.number(
      name,
      `a whole number from ${min}`,
      (value) => Number.isSafeInteger(value) && value >= min,
    );
  }

  list(name: string): readonly Json[] | undefined {
    const value = this.raw(name);
    if (value === undefined || isList(value)) return value;
    return this.#wrong(name, "a list", value);
  }

  object(name: string): JsonObject | undefined {
    const value = this.raw(name);
    if (value === undefined || isObject(value)) return value;
    return this.#wrong(name, "an object", value);
  }

  #wrong(name: string, expected: string, value: Json): undefined {
    const what = `"${this.keyOf(name)}" of ${this.what.charAt(0).toLowerCase()}${this.what.slice(1)}`;
    this.findings.report("wrong-shape", this.at(name), { what, expected, got: describe(value) });
    return undefined;
  }
}

/** Reports a value that is not an object where one must stand. */
export function expectObject(
  value: Json,
  place: Place,
  what: string,
  findings: Findings,
): JsonObject | undefined {
  if (isObject(value)) return value;
  findings.report("wrong-shape", place, { what, expected: "an object", got: describe(value) });
  return undefined;
}
