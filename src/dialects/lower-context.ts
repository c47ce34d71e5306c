import { describe } from "../base/describe.ts";
import type { Json } from "../base/json.ts";
import { isPathProblem, parsePath } from "../expr/path.ts";
import {
  type ContextDeclarations,
  type DefinedVariable,
  type DerivedVariable,
  EVENT_ROOTS,
  type RuntimeVariable,
  type TriggerDeclaration,
} from "../ir/context-declarations.ts";
import type { Template } from "../ir/template.ts";
import type { Findings } from "../source/findings.ts";
import { below, type Place, placeAt, type Site } from "../source/place.ts";
import { isId } from "./identifier.ts";
import { lowerTemplate, type TemplateReader, unreadable } from "./lower-template.ts";
import { lowerTrigger } from "./lower-trigger.ts";
import { readTypeName } from "./read-type-name.ts";
import { expectObject, fieldTable, Shape } from "./shape.ts";

const WRAPPER_FIELDS = fieldTable(["context_variables"]);
const CONTEXT_FIELDS = fieldTable(["defined_variables", "runtime_variables", "derived_variables"]);
const DEFINED_FIELDS = fieldTable(["name", "type", "default", "required", "database"]);
const DATABASE_FIELDS = fieldTable(["collection", "search_by", "field"]);
const RUNTIME_FIELDS = fieldTable(["name", "type", "default"]);
const DERIVED_FIELDS = fieldTable(["name", "default", "triggers", "type"]);

/** `context_variables`: the three classes. The file `context_variables.json` may wrap them under that name once more. */
export function lowerContext(value: Json, place: Place, findings: Findings): ContextDeclarations | undefined {
  const object = expectObject(value, place, `"context_variables"`, findings);
  if (object === undefined) return undefined;
  if (object.context_variables !== undefined) {
    const wrapper = new Shape(object, place, `The file of context variables`, WRAPPER_FIELDS, findings);
    return lowerContext(object.context_variables, wrapper.at("context_variables"), findings);
  }
  const shape = new Shape(object, place, `"context_variables"`, CONTEXT_FIELDS, findings);
  const names = new Set<string>();
  return {
    defined: lowerEach(shape, "defined_variables", names, DEFINED_FIELDS, lowerDefined),
    runtime: lowerEach(shape, "runtime_variables", names, RUNTIME_FIELDS, lowerRuntime),
    derived: lowerEach(shape, "derived_variables", names, DERIVED_FIELDS, lowerDerived),
  };
}

function lowerEach<T>(
  context: Shape,
  field: string,
  names: Set<string>,
  table: ReturnType<typeof fieldTable>,
  lower: (name: string, shape: Shape) => T,
): T[] {
  const variables: T[] = [];
  for (const [i, item] of (context.list(field) ?? []).entries()) {
    const place = below(context.at(field), i);
    const object = expectObject(item, place, "A context variable", context.findings);
    if (object === undefined) continue;
    const shape = new Shape(object, place, "A context variable", table, context.findings);
    const name = shape.requiredString("name", `"name": "interview_complete"`);
    if (name === undefined) continue;
    if (!isId(name)) context.findings.report("invalid-id", shape.at("name"), { id: name });
    if (names.has(name)) context.findings.report("duplicate-variable", shape.at("name"), { name });
    names.add(name);
    variables.push(lower(name, shape));
  }
  return variables;
}

function lowerRuntime(name: string, shape: Shape): RuntimeVariable {
  return { name, typeName: readTypeName(shape, "type"), default: shape.raw("default"), place: shape.place };
}

function lowerDefined(name: string, shape: Shape): DefinedVariable {
  const { findings } = shape;
  const database = shape.object("database");
  if (!shape.has("database")) {
    const example = `"database": { "collection": …, "search_by": …, "field": … }`;
    findings.report("missing-field", shape.place, { what: shape.what, field: "database", example });
  }
  const inner = new Shape(database ?? {}, shape.at("database"), `"database"`, DATABASE_FIELDS, findings);
  const text = (field: string, example: string) => {
    return database === undefined ? "" : (inner.requiredString(field, `"${field}": "${example}"`) ?? "");
  };
  if (database !== undefined && !inner.has("search_by")) {
    const example = `"search_by": { "user_id": "REF:arguments.user_id" }`;
    findings.report("missing-field", inner.place, { what: inner.what, field: "search_by", example });
  }
  return {
    name,
    typeName: readTypeName(shape, "type"),
    default: shape.raw("default"),
    required: shape.boolean("required") ?? false,
    collection: text("collection", "users"),
    searchBy: lowerSearch(inner),
    field: text("field", "name"),
    place: shape.place,
  };
}

/** `search_by` is an object of fields and values; the values may be references to arguments. */
function lowerSearch(database: Shape): Template {
  const value = database.object("search_by") ?? {};
  return lowerTemplate(value, database.at("search_by"), rootedReferences(["arguments"], database.findings));
}

/** Context variables belong to no language, so their references are written as in agents. */
function rootedReferences(roots: readonly string[], findings: Findings): TemplateReader {
  return { readString: (text, up, key) => rootedReference(text, { up, key }, roots, findings) };
}

function rootedReference(
  text: string,
  { up, key }: Site,
  roots: readonly string[],
  findings: Findings,
): Template | undefined {
  if (!text.startsWith("REF:"))
    return text.startsWith("\\REF:") ? { kind: "constant", value: text.slice(1), up, key } : undefined;
  const root = roots.find((name) => text.startsWith(`REF:${name}`));
  const path = root === undefined ? undefined : parsePath(text, `REF:${root}`.length, text.length);
  if (path === undefined || isPathProblem(path)) {
    const allowed = roots.map((name) => `REF:${name}…`).join(", ");
    const where = path === undefined ? `only ${allowed} can be referred to here` : path.message;
    const spot = { place: placeAt(up, key), from: 0, to: text.length };
    findings.report("misplaced-reference", spot, { text, where });
    return unreadable(text, up, key);
  }
  const kind = root === "arguments" ? "arguments" : "event";
  return { kind: "reference", root: { kind }, path, text, up, key };
}

function lowerDerived(name: string, shape: Shape): DerivedVariable {
  const triggers: TriggerDeclaration[] = [];
  const reader = rootedReferences(EVENT_ROOTS, shape.findings);
  for (const [i, item] of (shape.list("triggers") ?? []).entries()) {
    const place = below(shape.at("triggers"), i);
    const object = expectObject(item, place, "A trigger", shape.findings);
    if (object !== undefined) triggers.push(lowerTrigger(object, place, shape.findings, reader));
  }
  if (!shape.has("triggers")) {
    const example = `"triggers": [{ "type": "agent_text", … }]`;
    shape.findings.report("missing-field", shape.place, { what: shape.what, field: "triggers", example });
  }
  const value = shape.raw("default");
  if (value !== undefined && typeof value !== "boolean") {
    const data = {
      what: `The default of a derived variable`,
      expected: "true or false",
      got: describe(value),
    };
    shape.findings.report("wrong-shape", shape.at("default"), data);
  }
  return { name, default: value === true, triggers, place: shape.place };
}
