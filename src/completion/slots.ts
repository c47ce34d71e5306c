/* What may stand where in a plan: the fields of each object, and the kind of each value. */
import { isObject, type Json } from "../base/json.ts";
import { detectDialect, isWorkflow } from "../dialects/dialect.ts";
import { OPERATORS } from "../ir/condition.ts";
import type { DialectName } from "../ir/program.ts";
import { TYPE_NAMES } from "../ir/signature.ts";

export type Slot =
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Slot>> }
  | { readonly kind: "list"; readonly of: Slot }
  /** An object whose keys are free. */
  | { readonly kind: "map"; readonly of: Slot }
  | { readonly kind: "words"; readonly words: readonly string[]; readonly what: string }
  /** The arguments of the call, by the names that it declares. */
  | { readonly kind: "arguments" }
  /** Any value; its strings may hold references. */
  | { readonly kind: "value"; readonly in: "arguments" | "conditions" | "results" | "response" }
  | { readonly kind: "expression"; readonly in: "arguments" | "results" }
  | { readonly kind: "tool" | "agent" | "step" | "boolean" | "text" };

const TEXT: Slot = { kind: "text" };
const BOOLEAN: Slot = { kind: "boolean" };
const TOOL: Slot = { kind: "tool" };
const words = (what: string, list: readonly string[]): Slot => ({ kind: "words", words: list, what });
const object = (fields: Readonly<Record<string, Slot>>): Slot => ({
  kind: "object",
  fields: { ...fields, description: TEXT, metadata: { kind: "map", of: TEXT } },
});
const list = (of: Slot): Slot => ({ kind: "list", of });
const valueIn = (where: (Slot & { kind: "value" })["in"]): Slot => ({ kind: "value", in: where });

const CONDITION: Slot = {
  kind: "object",
  fields: {
    param: valueIn("conditions"),
    operator: words("operator", OPERATORS),
    value: valueIn("conditions"),
    logic: words("logic", ["AND", "OR"]),
    get conditions(): Slot {
      return CONDITIONS;
    },
    description: TEXT,
  },
};
const CONDITIONS = list(CONDITION);

const STEP_OPTIONS = {
  conditions: CONDITIONS,
  policy: object({
    retries: TEXT,
    backoff: object({ base_ms: TEXT, factor: TEXT, cap_ms: TEXT, jitter: BOOLEAN }),
    timeout_ms: TEXT,
    optional: BOOLEAN,
  }),
  repeat: object({ until: CONDITIONS, max: TEXT }),
  requires_confirmation: BOOLEAN,
};

const HEAD = {
  name: TEXT,
  version: TEXT,
  dialect: words("language", ["agent", "steps", "actions"]),
  $schema: TEXT,
};

const STEPS = object({
  steps: list(
    object({
      tool: TOOL,
      params: { kind: "arguments" },
      dependsOn: list({ kind: "step" }),
      parallel: BOOLEAN,
      optional: BOOLEAN,
      retryCount: TEXT,
      timeout: TEXT,
      ...STEP_OPTIONS,
    }),
  ),
  requestId: TEXT,
  ...HEAD,
});

const ACTION_LIST = list(
  object({
    id: TEXT,
    tool: TOOL,
    arguments: { kind: "arguments" },
    intent: TEXT,
    dependencies: list({ kind: "step" }),
    ...STEP_OPTIONS,
  }),
);
const ACTIONS = object({ plan: ACTION_LIST, steps: ACTION_LIST, ...HEAD });

const FIELD = object({
  name: TEXT,
  type_name: words("type", TYPE_NAMES),
  required: BOOLEAN,
  default_value: TEXT,
  enum: list(TEXT),
  regex_pattern: TEXT,
  required_conditions: CONDITIONS,
});

const transform = (where: "arguments" | "results"): Slot =>
  object({
    variables: { kind: "map", of: { kind: "expression", in: where } },
    transforms: { kind: "map", of: { kind: "expression", in: where } },
  });

const VARIABLE = { name: TEXT, type: words("type", TYPE_NAMES), default: TEXT };
const CONTEXT = object({
  defined_variables: list(
    object({
      ...VARIABLE,
      required: BOOLEAN,
      database: object({ collection: TEXT, search_by: { kind: "map", of: TEXT }, field: TEXT }),
    }),
  ),
  runtime_variables: list(object(VARIABLE)),
  derived_variables: list(
    object({ name: TEXT, default: BOOLEAN, triggers: list({ kind: "map", of: TEXT }) }),
  ),
});

const INSTRUCTION: Slot = {
  kind: "object",
  fields: {
    execution_id: TEXT,
    agent_definition_path: { kind: "agent" },
    get agent_definition(): Slot {
      return AGENT;
    },
    arguments: { kind: "arguments" },
    dependencies: list({ kind: "step" }),
    parallel_execution: object({
      iterate_over: valueIn("arguments"),
      child_argument_name: TEXT,
      max_concurrency: TEXT,
      on_error: words("on error", ["fail", "collect"]),
    }),
    transform_arguments: transform("arguments"),
    transform_results: transform("results"),
    ...STEP_OPTIONS,
    description: TEXT,
    metadata: { kind: "map", of: TEXT },
  },
};

const AGENT = object({
  arguments: list(FIELD),
  responses: list(FIELD),
  instructions: list(INSTRUCTION),
  system_event_endpoint: TOOL,
  response_reference_map: { kind: "map", of: valueIn("response") },
  transform_arguments: transform("arguments"),
  transform_results: transform("results"),
  context_variables: CONTEXT,
  ...HEAD,
});

/** Nothing is decided yet: what begins a plan of each language. */
const ANY_PLAN = object({
  plan: ACTION_LIST,
  steps: list(object({})),
  instructions: list(INSTRUCTION),
  context_variables: CONTEXT,
  ...HEAD,
});

export interface Opening {
  readonly dialect: DialectName | undefined;
  readonly slot: Slot;
  /** Where the plan itself stands: inside a workflow, under `plan`. */
  readonly planKeys: readonly string[];
}

export function openingOf(value: Json, given: DialectName | undefined): Opening {
  if (isWorkflow(value) && isObject(value)) {
    const { dialect, slot } = openingOf(value.plan ?? null, given);
    return { dialect, slot: object({ ...HEAD, context_variables: CONTEXT, plan: slot }), planKeys: ["plan"] };
  }
  const dialect = given ?? detectDialect(value);
  if (dialect === "actions") return { dialect, slot: isObject(value) ? ACTIONS : ACTION_LIST, planKeys: [] };
  return {
    dialect,
    slot: dialect === "agent" ? AGENT : dialect === "steps" ? STEPS : ANY_PLAN,
    planKeys: [],
  };
}

/** What stands at the end of the path; undefined where nothing is known of it. */
export function slotAt(root: Slot, keys: readonly (string | number)[]): Slot | undefined {
  let slot: Slot | undefined = root;
  for (const key of keys) {
    if (slot === undefined) return undefined;
    if (slot.kind === "object") slot = Object.hasOwn(slot.fields, key) ? slot.fields[key] : undefined;
    else if (slot.kind === "list" || slot.kind === "map") slot = slot.of;
    else if (slot.kind === "arguments") slot = valueIn("arguments");
    else if (slot.kind !== "value") return undefined;
  }
  return slot;
}
