import type { Json, JsonObject } from "../base/json.ts";
import type { Place } from "../source/place.ts";
import type { Condition } from "./condition.ts";
import type { Transform } from "./transform.ts";
import type { Type } from "./type.ts";

/** What a tool or an agent takes and gives. Absent: it does not say. */
export interface Signature {
  /** How messages call it: `the agent "/agents/x.agent"`, `the tool "send_email"`. */
  readonly title: string;
  readonly input: Type | undefined;
  readonly output: Type | undefined;
  /** What the tool itself returns, before any transform; undefined where only the run can know. */
  readonly returns: Type | undefined;
  /** Agents declare fields, tools bring JSON Schemas: what the run validates with. */
  readonly arguments: readonly Field[] | undefined;
  readonly responses: readonly Field[] | undefined;
  readonly inputSchema: JsonObject | undefined;
  readonly outputSchema: JsonObject | undefined;
  /** The definition's own transforms. */
  readonly transformArguments: Transform | undefined;
  readonly transformResults: Transform | undefined;
  readonly sideEffects: boolean | undefined;
  readonly requiresConfirmation: boolean;
}

export const TYPE_NAMES = ["string", "number", "boolean", "list", "object", "file", "any"] as const;
export type TypeName = (typeof TYPE_NAMES)[number];

const JSON_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: "string",
    number: "number",
    boolean: "boolean",
    list: "array",
    object: "object",
    file: "string",
  }),
);

/** What JSON Schema calls a type; undefined for `any`, and for what is no type. A file is its path. */
export function jsonTypeOf(typeName: string): string | undefined {
  return JSON_TYPES.get(typeName);
}

/** One declared argument or response of an agent. */
export interface Field {
  readonly name: string;
  readonly typeName: TypeName;
  readonly required: boolean;
  readonly defaultValue: Json | undefined;
  readonly allowed: readonly Json[] | undefined;
  readonly pattern: string | undefined;
  /** Where given, the field is required only when these hold. */
  readonly requiredConditions: Condition | undefined;
  readonly description: string | undefined;
  readonly place: Place;
}
