/*
 * The catalogue of everything that can be wrong with a plan. One entry a code: the kind of error, how bad it is, and the
 * words. The first string is the message, the rest are hints. Two readers have each sentence in front of them: a person who
 * is stuck, and a model with one try to repair its plan. So: what is wrong, what was expected, what to write instead.
 */
import type { ErrorName, Severity } from "./diagnostic.ts";

type Words = readonly [message: string, ...hints: string[]];

interface Entry<Data> {
  readonly name: ErrorName;
  readonly severity: Severity;
  readonly say: (data: Data) => Words;
}

function error<Data>(name: ErrorName, say: (data: Data) => Words): Entry<Data> {
  return { name, severity: "error", say };
}

function warning<Data>(name: ErrorName, say: (data: Data) => Words): Entry<Data> {
  return { name, severity: "warning", say };
}

/** "Did you mean …" where something is near, else the list of what there is. */
function instead(near: string | undefined, known: readonly string[], what: string): string[] {
  if (near !== undefined) return [`Did you mean "${near}"?`];
  if (known.length === 0) return [`There are no ${what} here.`];
  const shown = known.slice(0, 12).map((name) => `"${name}"`);
  return [`Known ${what}: ${shown.join(", ")}${known.length > shown.length ? ", …" : ""}.`];
}

interface Unknown {
  readonly name: string;
  readonly near: string | undefined;
  readonly known: readonly string[];
}

export const catalogue = {
  // ── the shape of the file ──────────────────────────────────────────────────────────────────────────────────────────
  "unknown-language": error("DefinitionError", (d: { keys: readonly string[] }) => [
    "This is not a plan in any of the three languages.",
    d.keys.length > 0 ? `Its keys are ${d.keys.map((key) => `"${key}"`).join(", ")}.` : "It has no keys.",
    `Write { "instructions": […] } for an agent, { "steps": [{ "tool": … }] } for a step plan, [{ "id": …, "tool": … }] for an action plan.`,
  ]),
  "wrong-shape": error("DefinitionError", (d: { what: string; expected: string; got: string }) => [
    `${d.what} must be ${d.expected}, but it is ${d.got}.`,
  ]),
  "missing-field": error("DefinitionError", (d: { what: string; field: string; example: string }) => [
    `${d.what} has no "${d.field}".`,
    `Add ${d.example}.`,
  ]),
  "unknown-field": error("DefinitionError", (d: Unknown & { what: string }) => [
    `${d.what} has no field "${d.name}".`,
    ...instead(d.near, d.known, "fields"),
  ]),
  "invalid-value": error("DefinitionError", (d: { what: string; got: string; expected: string }) => [
    `${d.what} cannot be ${d.got}.`,
    `Expected ${d.expected}.`,
  ]),
  "empty-plan": warning("DefinitionError", (_: object) => [
    "This plan has no steps: it completes at once and does nothing.",
  ]),
  "recorded-field": warning("DefinitionError", (d: { field: string }) => [
    `"${d.field}" is a record of an earlier run and is ignored.`,
    "Remove it.",
  ]),
  "too-many-steps": error("DefinitionError", (d: { count: number; max: number }) => [
    `The plan has ${d.count} steps; ${d.max} is the most.`,
  ]),

  // ── names ──────────────────────────────────────────────────────────────────────────────────────────────────────────
  "invalid-id": error("DefinitionError", (d: { id: string }) => [
    `"${d.id}" cannot be the id of a step.`,
    "Ids are made of letters, digits, _ and -.",
  ]),
  "reserved-id": error("DefinitionError", (d: { id: string; reserved: string }) => [
    `"${d.id}" is reserved and cannot be the id of a step.`,
    `Reserved: ${d.reserved}.`,
  ]),
  "duplicate-id": error("DefinitionError", (d: { id: string; what: string }) => [
    `There is already ${d.what} called "${d.id}".`,
    "Every name is used once; rename this one.",
  ]),
  "unknown-tool": error("DefinitionError", (d: Unknown) => [
    `There is no tool called "${d.name}".`,
    ...instead(d.near, d.known, "tools"),
  ]),
  "unknown-agent": error("DefinitionError", (d: Unknown) => [
    `There is no agent at "${d.name}".`,
    ...instead(d.near, d.known, "agents"),
  ]),
  "conflicting-fields": error("DefinitionError", (d: { what: string; both: readonly string[] }) => [
    `${d.what} has both "${d.both.join('" and "')}".`,
    "Keep one of them.",
  ]),
  "endless-recursion": warning("DefinitionError", (d: { path: readonly string[] }) => [
    `This agent always calls itself: ${d.path.join(" → ")}. The run is cut off at its depth limit.`,
    "Put conditions on the instruction that closes the circle.",
  ]),

  // ── references ─────────────────────────────────────────────────────────────────────────────────────────────────────
  "malformed-reference": error(
    "InvalidReferenceError",
    (d: { text: string; why: string; example: string }) => [
      `"${d.text}" begins like a reference but is not one: ${d.why}.`,
      `A reference looks like ${d.example}. To mean the text itself, put a backslash in front.`,
    ],
  ),
  "looks-like-reference": warning("InvalidReferenceError", (d: { text: string; instead: string }) => [
    `"${d.text}" is text, although it looks like a reference.`,
    `Write ${d.instead} to refer to the value.`,
  ]),
  "unknown-step": error("InvalidReferenceError", (d: Unknown & { text: string }) => [
    `Invalid reference: there is no step called "${d.name}".`,
    ...instead(d.near, d.known, "steps"),
  ]),
  "unknown-dependency": error("InvalidReferenceError", (d: Unknown) => [
    `Invalid reference: there is no step called "${d.name}" to depend on.`,
    ...instead(d.near, d.known, "steps"),
  ]),
  "later-step": error("InvalidReferenceError", (d: { step: number; refersTo: number }) => [
    d.step === d.refersTo
      ? `Step ${d.step} refers to itself.`
      : `Step ${d.step} refers to step ${d.refersTo}, which comes later.`,
    "Steps of a step plan run in order: move the other step up, or refer to an earlier one.",
  ]),
  "missing-root": error("InvalidReferenceError", (d: { text: string; root: string; instead: string }) => [
    `"${d.text}" does not say what of the step is meant: the path begins with "${d.root}".`,
    `Write ${d.instead}.`,
  ]),
  "missing-key": error("InvalidReferenceError", (d: { text: string; keys: readonly string[] }) => [
    `"${d.text}" names no key: a reference is REF:<context>.<key>.`,
    ...(d.keys.length > 0 ? [`Keys there: ${d.keys.join(", ")}.`] : []),
  ]),
  "unknown-argument": error("InvalidReferenceError", (d: Unknown) => [
    `Invalid reference: no argument called "${d.name}" is declared.`,
    ...instead(d.near, d.known, "arguments"),
  ]),
  "unknown-response": error("InvalidReferenceError", (d: Unknown & { step: string }) => [
    `Invalid reference: step "${d.step}" has no response called "${d.name}".`,
    ...instead(d.near, d.known, "responses"),
  ]),
  "unknown-attribute": error("InvalidReferenceError", (d: Unknown & { text: string; type: string }) => [
    `Invalid reference: "${d.text}" asks for "${d.name}" of ${d.type}, which has no such thing.`,
    ...instead(d.near, d.known, "attributes"),
  ]),
  "unknown-context-variable": error("InvalidReferenceError", (d: Unknown) => [
    `Invalid reference: no context variable called "${d.name}" is declared.`,
    ...instead(d.near, d.known, "context variables"),
  ]),
  "misplaced-reference": error("InvalidReferenceError", (d: { text: string; where: string }) => [
    `"${d.text}" cannot stand here: ${d.where}.`,
  ]),
  "references-disabled": error("InvalidReferenceError", (d: { text: string }) => [
    `"${d.text}" is a step reference, and step references are switched off.`,
    "ENABLE_STEP_REFERENCES is false or 0 in the environment; unset it to run this plan.",
  ]),
  cycle: error("CircularDependencyError", (d: { path: readonly string[] }) => [
    d.path.length === 2
      ? `Circular dependency: "${d.path[0]}" waits for itself.`
      : `Circular dependency: ${d.path.join(" → ")}.`,
    "Each step waits for the next one in this list, so none of them can start. Remove one of the references.",
  ]),

  // ── arguments, responses, types ────────────────────────────────────────────────────────────────────────────────────
  "missing-argument": error("SchemaValidationError", (d: { argument: string; type: string; of: string }) => [
    `${d.of} needs the argument "${d.argument}" (${d.type}), which is not given.`,
  ]),
  "unexpected-argument": warning("SchemaValidationError", (d: Unknown & { of: string }) => [
    `${d.of} declares no argument "${d.name}"; it is passed on as it is.`,
    ...instead(d.near, d.known, "arguments"),
  ]),
  "forbidden-argument": error("SchemaValidationError", (d: Unknown & { of: string }) => [
    `${d.of} takes no argument "${d.name}".`,
    ...instead(d.near, d.known, "arguments"),
  ]),
  "type-mismatch": error("SchemaValidationError", (d: { what: string; expected: string; got: string }) => [
    `${d.what} must be ${d.expected}, but this is ${d.got}.`,
  ]),
  "missing-response": error("SchemaValidationError", (d: { response: string; type: string }) => [
    `The response map does not make the required response "${d.response}" (${d.type}).`,
    `Add "${d.response}": "REF:<step>.<key>" to "response_reference_map".`,
  ]),
  "undeclared-response": warning("SchemaValidationError", (d: Unknown) => [
    `The response map makes "${d.name}", which "responses" does not declare.`,
    ...instead(d.near, d.known, "responses"),
  ]),
  "unknown-type": error("DefinitionError", (d: Unknown) => [
    `There is no type called "${d.name}".`,
    ...instead(d.near, d.known, "types"),
  ]),
  "invalid-pattern": error("DefinitionError", (d: { pattern: string; why: string }) => [
    `The pattern "${d.pattern}" cannot be used: ${d.why}.`,
  ]),
  "invalid-schema": error("DefinitionError", (d: { what: string; why: string }) => [
    `${d.what} is not usable: ${d.why.replace(/\.$/, "")}.`,
  ]),

  // ── conditions and transforms ──────────────────────────────────────────────────────────────────────────────────────
  "unknown-operator": error("DefinitionError", (d: Unknown) => [
    `There is no operator called "${d.name}".`,
    ...instead(d.near, d.known, "operators"),
  ]),
  "idle-comparison": warning("DefinitionError", (d: { operator: string; expected: string; got: string }) => [
    `The operator "${d.operator}" takes ${d.expected}, but this is ${d.got}, so its answer is always the same.`,
  ]),
  "missing-operand": error("DefinitionError", (d: { operator: string }) => [
    `The operator "${d.operator}" compares with a "value", which is not there.`,
  ]),
  "transform-syntax": error("MappingError", (d: { why: string }) => [
    `This transform does not parse: ${d.why}.`,
  ]),
  "unknown-function": error("MappingError", (d: Unknown) => [
    `There is no function called "${d.name}".`,
    ...instead(d.near, d.known, "functions"),
  ]),
  "wrong-call": error("MappingError", (d: { why: string }) => [`${d.why}.`]),
  "unknown-variable": error("MappingError", (d: Unknown) => [
    `There is no variable called "${d.name}" in this transform.`,
    ...instead(d.near, d.known, "variables"),
    `A transform sees its "variables", the arguments or the response, and the outputs made before it.`,
  ]),

  // ── secrets ────────────────────────────────────────────────────────────────────────────────────────────────────────
  "malformed-secret": error("DefinitionError", (_: object) => [
    `This object has the key "$secret" but is no secret.`,
    `A secret looks like { "$secret": "NAME" }: one key, and a name of letters, digits and _.`,
  ]),
  "misplaced-secret": error("DefinitionError", (d: { where: string }) => [
    `A secret cannot stand here: ${d.where}.`,
    "Secrets are arguments of a step that calls a tool, or lie inside one.",
  ]),
  "unknown-secret": error("DefinitionError", (d: { name: string }) => [
    `There is no secret called "${d.name}".`,
    `Set the environment variable SEQUITUR_SECRET_${d.name}, or put "${d.name}" into the file that SEQUITUR_SECRETS_FILE names.`,
  ]),

  // ── questions to people ────────────────────────────────────────────────────────────────────────────────────────────
  "invalid-placeholder": error("InvalidReferenceError", (d: { text: string }) => [
    `"${d.text}" is not a placeholder: its name is made of letters, digits and _ only.`,
    "A placeholder looks like {{PLACEHOLDER_reply_message}}.",
  ]),
  "placeholder-is-text": warning("DefinitionError", (d: { text: string }) => [
    `"${d.text}" stands outside "arguments", so it is plain text here: nobody is asked.`,
  ]),

  // ── context variables ──────────────────────────────────────────────────────────────────────────────────────────────
  "duplicate-variable": error("DefinitionError", (d: { name: string }) => [
    `The context variable "${d.name}" is declared twice.`,
    "A name belongs to one class of variables, once.",
  ]),
  "unknown-trigger": error("DefinitionError", (d: Unknown) => [
    `There is no trigger of type "${d.name}".`,
    ...instead(d.near, d.known, "types"),
  ]),
  "unknown-trigger-agent": error("DefinitionError", (d: Unknown) => [
    `This trigger can never fire: there is no agent called "${d.name}" in the plan.`,
    ...instead(d.near, d.known, "agents"),
  ]),
  "idle-trigger": warning("DefinitionError", (d: Unknown & { what: string }) => [
    `This trigger may never fire: the plan has no ${d.what} called "${d.name}".`,
    ...instead(d.near, d.known, `${d.what}s`),
  ]),

  "dead-trigger": error("DefinitionError", (d: { why: string }) => [
    `This trigger can never fire: ${d.why}.`,
  ]),
  "invalid-function": error("DefinitionError", (d: { why: string }) => [
    `This function cannot be used: ${d.why}.`,
    "A function takes the event and returns true or false: (event) => event.kind === 'TextEmitted' && event.text === 'DONE'.",
  ]),

  // ── what is given when a run starts ────────────────────────────────────────────────────────────────────────────────
  "given-argument": error("SchemaValidationError", (d: { why: string }) => [`${d.why}.`]),
  "given-input": error("SchemaValidationError", (d: { why: string }) => [`${d.why}.`]),
  "given-context": error("SchemaValidationError", (d: { why: string }) => [`${d.why}.`]),
} satisfies Record<string, Entry<never>>;

export type Code = keyof typeof catalogue;
export type DataOf<C extends Code> = Parameters<(typeof catalogue)[C]["say"]>[0];
