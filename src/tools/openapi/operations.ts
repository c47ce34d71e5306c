/* What an OpenAPI document offers: one operation a method of a path, with everything that a call needs. */
import { isList, isObject, type Json, type JsonObject, setOwn } from "../../base/json.ts";
import { resolved } from "./document.ts";
import { standaloneSchema } from "./schema.ts";

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options"];
const PLACES = ["path", "query", "header", "cookie"];
const BODY_TYPES = ["application/json", "application/x-www-form-urlencoded", "text/plain"];
const OPERATIONS_MAX = 2_000;

export interface Parameter {
  /** What the plan calls it. */
  readonly key: string;
  readonly name: string;
  readonly place: "path" | "query" | "header" | "cookie";
  readonly style: string;
  readonly explode: boolean;
}

export interface Operation {
  readonly name: string;
  readonly description: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly bodyType: string | undefined;
  readonly input: JsonObject | undefined;
  readonly output: JsonObject | undefined;
  /** Alternatives, each the names of the schemes that it needs together. */
  readonly security: readonly (readonly string[])[];
}

/** The operations that can be called; the rest is reported. */
export function readOperations(document: JsonObject, report: (message: string) => void): Operation[] {
  const operations = new Map<string, Operation>();
  for (const [path, given] of Object.entries(document.paths as JsonObject)) {
    const item = resolved(document, given);
    for (const method of METHODS) {
      const operation = item && resolved(document, item[method]);
      if (item === undefined || operation === undefined) continue;
      const read = readOperation(document, path, method, item, operation, report);
      if (read === undefined) continue;
      if (operations.has(read.name))
        report(`Two operations are called "${read.name}"; the first one counts.`);
      else if (operations.size < OPERATIONS_MAX) operations.set(read.name, read);
    }
  }
  if (operations.size === OPERATIONS_MAX) report(`Only the first ${OPERATIONS_MAX} operations are used.`);
  return [...operations.values()];
}

function readOperation(
  document: JsonObject,
  path: string,
  method: string,
  item: JsonObject,
  operation: JsonObject,
  report: (message: string) => void,
): Operation | undefined {
  const name = nameOf(operation, method, path);
  const body = bodyOf(document, operation);
  if (body === "unknown") {
    report(`"${name}" is left out: its body is none of ${BODY_TYPES.join(", ")}.`);
    return undefined;
  }
  const listed = [...listOf(item.parameters), ...listOf(operation.parameters)];
  const fields = new Map<string, { parameter: Parameter; declared: JsonObject }>();
  for (const entry of listed.map((value) => resolved(document, value))) {
    const parameter = entry && parameterOf(entry, fields);
    // An operation's own parameter replaces the path's.
    if (entry !== undefined && parameter !== undefined)
      fields.set(parameter.key, { parameter, declared: entry });
  }
  const used = (what: string, schema: JsonObject | string): JsonObject | undefined => {
    if (typeof schema !== "string") return schema;
    report(`The ${what} schema of "${name}" is not used: ${schema}.`);
    return undefined;
  };
  const output = outputOf(document, operation);
  const { summary, description } = operation;
  const about = [summary, description].find((text) => typeof text === "string" && text !== "");
  return {
    name,
    description: typeof about === "string" ? about.slice(0, 2_000) : undefined,
    method: method.toUpperCase(),
    path,
    parameters: [...fields.values()].map(({ parameter }) => parameter),
    bodyType: body?.type,
    input: used("input", standaloneSchema(document, inputOf([...fields.values()], body))),
    output: output === undefined ? undefined : used("output", standaloneSchema(document, output)),
    security: securityOf(operation.security ?? document.security),
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function nameOf({ operationId }: JsonObject, method: string, path: string): string {
  const text = typeof operationId === "string" && operationId !== "" ? operationId : `${method}${path}`;
  return text
    .replace(/[^A-Za-z0-9_.-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 128);
}

function parameterOf(
  entry: JsonObject,
  fields: ReadonlyMap<string, { parameter: Parameter }>,
): Parameter | undefined {
  const { name, in: place, style, explode } = entry;
  if (typeof name !== "string" || typeof place !== "string" || !PLACES.includes(place)) return undefined;
  // "body" is the body's own name.
  const other = fields.get(name)?.parameter.place;
  const key = name === "body" || (other !== undefined && other !== place) ? `${place}_${name}` : name;
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const shown = typeof style === "string" ? style : usual;
  return {
    key,
    name,
    place: place as Parameter["place"],
    style: shown,
    explode: typeof explode === "boolean" ? explode : shown === "form",
  };
}

interface Body {
  readonly type: string;
  readonly schema: Json;
  readonly required: boolean;
}

function bodyOf(document: JsonObject, operation: JsonObject): Body | "unknown" | undefined {
  const body = resolved(document, operation.requestBody);
  if (body === undefined || !isObject(body.content)) return undefined;
  for (const wanted of BODY_TYPES) {
    const type = Object.keys(body.content).find((key) => isType(key, wanted));
    const media = type === undefined ? undefined : body.content[type];
    if (type !== undefined && isObject(media))
      return { type: wanted, schema: media.schema ?? {}, required: body.required === true };
  }
  return "unknown";
}

function isType(text: string, wanted: string): boolean {
  const type = text.split(";")[0]?.trim().toLowerCase() ?? "";
  return type === wanted || (wanted === "application/json" && (/\+json$/.test(type) || type === "*/*"));
}

function inputOf(
  fields: readonly { readonly parameter: Parameter; readonly declared: JsonObject }[],
  body: Body | undefined,
): JsonObject {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const { parameter, declared } of fields) {
    const { schema, content, description } = declared;
    const [media] = isObject(content) ? Object.values(content) : [];
    const own = schema ?? (isObject(media) ? media.schema : undefined) ?? {};
    const about =
      typeof description === "string" && isObject(own) && own.$ref === undefined ? { description } : {};
    setOwn(properties, parameter.key, isObject(own) ? { ...own, ...about } : own);
    if (declared.required === true || parameter.place === "path") required.push(parameter.key);
  }
  if (body !== undefined) properties.body = body.schema;
  if (body?.required === true) required.push("body");
  return { type: "object", properties, required, additionalProperties: false };
}

/** Of the responses that mean success; undefined where one of them may be empty, or they differ. */
function outputOf(document: JsonObject, operation: JsonObject): Json | undefined {
  if (!isObject(operation.responses)) return undefined;
  const good = Object.entries(operation.responses).filter(([status]) => /^2(\d\d|XX)$/.test(status));
  const schemas = good.map(([, response]) => {
    const content = resolved(document, response)?.content;
    const type = isObject(content)
      ? Object.keys(content).find((key) => isType(key, "application/json"))
      : undefined;
    const media = type === undefined || !isObject(content) ? undefined : content[type];
    return isObject(media) ? media.schema : undefined;
  });
  const [first] = schemas;
  return schemas.length === 1 ? first : undefined;
}

function securityOf(security: Json | undefined): readonly (readonly string[])[] {
  return listOf(security).map((alternative) => (isObject(alternative) ? Object.keys(alternative) : []));
}
