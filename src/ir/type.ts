/*
 * Types as the checker sees them. They come from declarations (`type_name`, a tool's JSON Schema), flow through references,
 * and say `any` wherever only the run can know. A problem is reported when a type makes it certain, never on suspicion.
 */
import type { Json } from "../base/json.ts";
import { isIndex, type Path, WILDCARD } from "../expr/path.ts";

export type TypeKind = "any" | "string" | "number" | "boolean" | "null" | "list" | "object" | "file";

export interface Type {
  readonly kind: TypeKind;
  /** The value may be null as well. */
  readonly nullable: boolean;
  /** Of a list: its items. */
  readonly of?: Type;
  /** Of an object: the fields it declares. Absent: any key may be there. */
  readonly fields?: ReadonlyMap<string, TypeField>;
  /** Of an object with fields: others may be there, too, and are of any type. */
  readonly open?: boolean;
  /** Of an object with fields: giving any other is refused. */
  readonly strict?: boolean;
  /** The only values that are allowed. */
  readonly allowed?: readonly Json[];
  readonly pattern?: string;
}

export interface TypeField {
  readonly type: Type;
  readonly required: boolean;
}

const plain = (kind: TypeKind): Type => ({ kind, nullable: false });

export const ANY = plain("any");
export const STRING = plain("string");
export const NUMBER = plain("number");
export const BOOLEAN = plain("boolean");
export const NULL: Type = { kind: "null", nullable: true };
export const FILE = plain("file");
export const LIST = plain("list");
export const OBJECT = plain("object");

export const FILE_ATTRIBUTES = ["path", "file_name", "parent_directory"];
const LIST_ATTRIBUTES = ["length", "first", "last"];

export function listOf(of: Type): Type {
  return { kind: "list", nullable: false, of };
}

export function objectOf(fields: ReadonlyMap<string, TypeField>, open: boolean): Type {
  return { kind: "object", nullable: false, fields, open };
}

export function nullable(type: Type): Type {
  return type.nullable || type.kind === "any" ? type : { ...type, nullable: true };
}

/** The type of a constant. */
export function typeOfValue(value: Json): Type {
  if (value === null) return NULL;
  if (typeof value === "string") return STRING;
  if (typeof value === "number") return NUMBER;
  if (typeof value === "boolean") return BOOLEAN;
  if (Array.isArray(value)) return value.length > 0 ? listOf(common(value.map(typeOfValue))) : LIST;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, { type: typeOfValue(item), required: true }] as const,
  );
  return objectOf(new Map(entries), false);
}

/** What holds of every one of the types. */
export function common(types: readonly Type[]): Type {
  const known = types.filter((type) => type.kind !== "null");
  const first = known[0];
  if (first === undefined) return types.length > 0 ? NULL : ANY;
  const hasNull = types.some((type) => type.nullable);
  if (known.some((type) => type.kind !== first.kind)) return ANY;
  if (known.length === 1) return hasNull ? nullable(first) : first;
  const same =
    first.kind === "list" ? listOf(common(known.map((type) => type.of ?? ANY))) : plain(first.kind);
  return hasNull ? nullable(same) : same;
}

/** The type of one segment below `type`, or undefined where the type rules it out. */
function attribute(type: Type, segment: string | number): Type | undefined {
  switch (type.kind) {
    case "any":
      return ANY;
    case "list":
      return listAttribute(type, segment);
    case "object":
      return typeof segment === "number" ? undefined : objectAttribute(type, segment);
    case "file":
      return typeof segment === "string" && FILE_ATTRIBUTES.includes(segment) ? STRING : undefined;
    default:
      return undefined;
  }
}

function listAttribute(type: Type, segment: string | number): Type | undefined {
  const item = type.of ?? ANY;
  if (typeof segment === "number" || isIndex(segment)) return item;
  if (segment === "length") return NUMBER;
  return segment === "first" || segment === "last" ? nullable(item) : undefined;
}

function objectAttribute(type: Type, key: string): Type | undefined {
  if (type.fields === undefined) return ANY;
  const field = type.fields.get(key);
  if (field !== undefined) return field.required ? field.type : nullable(field.type);
  return type.open ? ANY : undefined;
}

/** Where a path leaves a type: the whole path's type, or the segment that the type rules out. */
export type PathType = { readonly type: Type } | { readonly at: number; readonly of: Type };

export function typeOfPath(root: Type, path: Path, start = 0): PathType {
  let type = root;
  let mapped = false;
  for (let at = start; at < path.length; at++) {
    const segment = path[at] as string | number;
    if (segment === WILDCARD) {
      if (type.kind !== "list" && type.kind !== "any") return { at, of: type };
      type = type.of ?? ANY;
      mapped = true;
    } else {
      const next = attribute(type, segment);
      if (next === undefined) return { at, of: type };
      // What lies below something that may be null may be missing, but which of the two is for the run to say.
      type = type.nullable ? nullable(next) : next;
    }
  }
  return { type: mapped ? listOf(type) : type };
}

/** Can a value of type `given` ever stand where `expected` is declared? Null is for the run to judge. */
export function canFit(given: Type, expected: Type): boolean {
  if (given.kind === "any" || expected.kind === "any" || given.kind === "null") return true;
  if (given.kind === "list" && expected.kind === "list") {
    return given.of === undefined || expected.of === undefined || canFit(given.of, expected.of);
  }
  if (given.kind === "object" && expected.kind === "object") return objectFits(given, expected);
  if (expected.kind === "file") return given.kind === "file" || given.kind === "string";
  // Everywhere but where a file is declared, a file reference is the file's contents.
  if (given.kind === "file") return expected.kind === "string";
  return given.kind === expected.kind;
}

function objectFits(given: Type, expected: Type): boolean {
  if (given.fields === undefined || expected.fields === undefined) return true;
  for (const [name, field] of expected.fields) {
    const has = given.fields.get(name);
    if (has === undefined) {
      if (field.required && !given.open) return false;
    } else if (!canFit(has.type, field.type)) return false;
  }
  return true;
}

/** A type as a message names it: "a list", "text", "a number". */
export function describeType(type: Type): string {
  const names: Record<TypeKind, string> = {
    any: "any value",
    string: "a string",
    number: "a number",
    boolean: "a boolean",
    null: "null",
    list: "a list",
    object: "an object",
    file: "a file",
  };
  if (type.allowed !== undefined)
    return `one of ${type.allowed.map((value) => JSON.stringify(value)).join(", ")}`;
  if (type.kind === "list" && type.of !== undefined && type.of.kind !== "any") {
    return `a list of ${describeType(type.of).replace(/^an? /, "")}s`;
  }
  return names[type.kind];
}

/** The names that can follow a value of this type, for "did you mean". */
export function attributesOf(type: Type): string[] {
  if (type.kind === "list") return LIST_ATTRIBUTES;
  if (type.kind === "file") return FILE_ATTRIBUTES;
  return type.fields === undefined ? [] : [...type.fields.keys()];
}
