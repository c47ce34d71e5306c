/*
 * The seam to Ajv: schemas in, a sentence out. Validators are compiled once for each schema; Ajv and the pattern engine are
 * loaded when the first plan needs them.
 */
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { describe } from "../base/describe.ts";
import { canonicalJson, getOwn, isList, isObject, type Json, type JsonObject, setOwn } from "../base/json.ts";
import type { IsRequired, Validator } from "../core/state.ts";
import type { Program } from "../ir/program.ts";
import { secretName } from "../ir/secret.ts";
import { type Field, jsonTypeOf, type Signature } from "../ir/signature.ts";

interface Compiled {
  readonly validate: ValidateFunction;
  readonly fields: readonly Field[] | undefined;
}

interface Sides {
  input: Compiled | undefined;
  output: Compiled | undefined;
}

export class SchemaValidator implements Validator {
  #ajv: Ajv2020 | undefined;
  readonly #bySchema = new Map<string, ValidateFunction>();
  readonly #bySignature = new WeakMap<Signature, Sides>();

  /** Is everything compiled that a program needs? */
  isReady({ blocks }: Program): boolean {
    for (const { signature, steps } of blocks) {
      if (this.#isWanting(signature)) return false;
      for (const { call } of steps) if (this.#isWanting(call.signature)) return false;
    }
    return true;
  }

  #isWanting(signature: Signature | undefined): boolean {
    return signature !== undefined && hasSchema(signature) && !this.#bySignature.has(signature);
  }

  /** Compiles what a program needs; the problems are schemas that are no schemas. */
  async prepare(program: Program): Promise<string[]> {
    const problems: string[] = [];
    for (const signature of signaturesOf(program)) {
      if (!this.#isWanting(signature)) continue;
      this.#ajv ??= await loadAjv();
      this.#bySignature.set(signature, {
        input: this.#compile(
          signature.arguments,
          signature.inputSchema,
          `The input schema of ${signature.title}`,
          problems,
        ),
        output: this.#compile(
          signature.responses,
          signature.outputSchema,
          `The output schema of ${signature.title}`,
          problems,
        ),
      });
    }
    return problems;
  }

  arguments(signature: Signature, value: JsonObject, isRequired: IsRequired): readonly string[] {
    return check(this.#bySignature.get(signature)?.input, value, isRequired);
  }

  response(signature: Signature, value: Json, isRequired: IsRequired): readonly string[] {
    const output = this.#bySignature.get(signature)?.output;
    // An agent whose responses are all optional may return nothing.
    if (value === null && output?.fields?.every((field) => !field.required) === true) return NONE;
    return check(output, value, isRequired);
  }

  /** Validates one value against a schema, for answers of people. */
  async value(schema: JsonObject, value: Json): Promise<string | undefined> {
    this.#ajv ??= await loadAjv();
    const problems: string[] = [];
    const compiled = this.#compile(undefined, schema, "The schema", problems);
    return problems[0] ?? check(compiled, value, () => true)[0];
  }

  /** Why a schema is none; undefined where it can be used. */
  async schemaProblem(schema: JsonObject): Promise<string | undefined> {
    this.#ajv ??= await loadAjv();
    const problems: string[] = [];
    this.#compile(undefined, schema, "The schema", problems);
    return problems[0]?.replace("The schema cannot be used: ", "");
  }

  #compile(
    fields: readonly Field[] | undefined,
    given: JsonObject | undefined,
    what: string,
    problems: string[],
  ): Compiled | undefined {
    const schema = fields === undefined ? given : schemaOfFields(fields);
    if (schema === undefined) return undefined;
    const key = canonicalJson(schema);
    let validate = this.#bySchema.get(key);
    if (validate === undefined) {
      try {
        validate = this.#ajv?.compile(schema) as ValidateFunction;
      } catch (error) {
        problems.push(`${what} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      }
      this.#bySchema.set(key, validate);
    }
    return { validate, fields };
  }
}

const NONE: readonly string[] = [];

function check(compiled: Compiled | undefined, value: Json, isRequired: IsRequired): readonly string[] {
  if (compiled === undefined) return NONE;
  const { validate, fields } = compiled;
  const problems = validate(value) ? [] : errorsOf(validate, value).map((error) => sentence(error, value));
  if (fields === undefined || !isObject(value)) return problems;
  for (const [i, field] of fields.entries()) {
    if (field.requiredConditions === undefined || (getOwn(value, field.name) ?? null) !== null) continue;
    if (isRequired(fields, i, value)) problems.push(`"${field.name}" is required here, and missing`);
  }
  return problems;
}

/** A secret is a text that only the tool sees: of what is declared for its place, only that a text may stand there is asked. */
function errorsOf(validate: ValidateFunction, value: Json): readonly ErrorObject[] {
  const errors = validate.errors ?? [];
  if (!holdsSecret(value) || validate(withoutSecrets(value))) return holdsSecret(value) ? [] : errors;
  const isSecret = (error: ErrorObject): boolean =>
    error.keyword !== "type" && secretName(valueAt(value, error.instancePath)) !== undefined;
  return (validate.errors ?? []).filter((error) => !isSecret(error));
}

function holdsSecret(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return secretName(value) !== undefined || Object.values(value).some(holdsSecret);
}

function withoutSecrets(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(withoutSecrets);
  if (secretName(value) !== undefined) return "a secret";
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(copy, key, withoutSecrets(value[key] as Json));
  return copy;
}

function hasSchema(signature: Signature): boolean {
  const { arguments: args, responses, inputSchema, outputSchema } = signature;
  return (args ?? responses ?? inputSchema ?? outputSchema) !== undefined;
}

function signaturesOf(program: Program): Set<Signature> {
  const signatures = new Set<Signature>();
  for (const block of program.blocks) {
    if (block.signature !== undefined) signatures.add(block.signature);
    for (const { call } of block.steps) if (call.signature !== undefined) signatures.add(call.signature);
  }
  return signatures;
}

/** Declared fields as a schema. Other keys pass; a required field is never null, an optional one may be. */
function schemaOfFields(fields: readonly Field[]): JsonObject {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  for (const field of fields) {
    const needed = field.required && field.requiredConditions === undefined;
    if (needed) required.push(field.name);
    setOwn(properties, field.name, schemaOfField(field, needed));
  }
  return { type: "object", properties, required };
}

function schemaOfField(field: Field, required: boolean): JsonObject {
  const type = jsonTypeOf(field.typeName);
  const rules: Record<string, Json> = {};
  if (field.allowed !== undefined) rules.enum = required ? field.allowed : [...field.allowed, null];
  if (field.pattern !== undefined) rules.pattern = field.pattern;
  if (type !== undefined) rules.type = required ? type : [type, "null"];
  else if (required) rules.not = { type: "null" };
  return rules;
}

/** `"count" must be number, but it is the text "5"`. */
function sentence(error: ErrorObject, root: Json): string {
  if (error.keyword === "required")
    return `"${pathOf(error, String(error.params.missingProperty))}" is missing`;
  const name = pathOf(error, "");
  const what = name === "" ? "the value" : `"${name}"`;
  if (error.keyword === "not") return `${what} must not be null`;
  if (error.keyword === "enum") {
    const allowed = (error.params.allowedValues as Json[]).filter((value) => value !== null);
    return `${what} must be one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}, but it is ${describe(valueAt(root, error.instancePath))}`;
  }
  if (error.keyword === "type") {
    const types = String(error.params.type)
      .replace("array", "list")
      .replace(/,?null$/, "");
    return `${what} must be of type ${types}, but it is ${describe(valueAt(root, error.instancePath))}`;
  }
  return `${what} ${error.message ?? "is not valid"}`;
}

function pathOf(error: ErrorObject, last: string): string {
  const parts = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return [...parts, last].filter((part) => part !== "").join(".");
}

function valueAt(root: Json, pointer: string): Json {
  let value: Json = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(key)] ?? null;
    else value = isObject(value) ? (getOwn(value, key) ?? null) : null;
  }
  return value;
}

/** Patterns are matched in linear time, whoever wrote them. */
async function loadAjv(): Promise<Ajv2020> {
  const [{ Ajv2020 }, { RE2JS }] = await Promise.all([import("ajv/dist/2020.js"), import("re2js")]);
  const engine = Object.assign(
    (pattern: string) => {
      const compiled = RE2JS.compile(pattern);
      // Ajv tells patterns apart by their text.
      return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
    },
    { code: "re2js" },
  );
  return new Ajv2020({ strict: false, allErrors: true, validateFormats: false, code: { regExp: engine } });
}
