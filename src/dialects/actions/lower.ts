import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { buildGraph } from "../../ir/graph.ts";
import type { Block, Call, Need, Question, Rules, Step } from "../../ir/program.ts";
import type { Template } from "../../ir/template.ts";
import { editFix, type Findings } from "../../source/findings.ts";
import { below, keysOf, type Place, pointerOf } from "../../source/place.ts";
import type { Lowered } from "../dialect.ts";
import type { Environment } from "../environment.ts";
import { lowerIdDependencies } from "../lower-dependencies.ts";
import { lowerStepOptions, NO_OPTIONS, type StepOptions } from "../lower-step-options.ts";
import { lowerTemplate } from "../lower-template.ts";
import { lowerToolCall } from "../lower-tool-call.ts";
import { type IdRules, idOf, readIds } from "../read-ids.ts";
import { BlockScope } from "../scope.ts";
import { expectObject, Shape } from "../shape.ts";
import { PLAN_FIELDS, RECORDED_FIELDS, STEP_FIELDS } from "./fields.ts";
import { ActionReferences, PLACEHOLDER } from "./references.ts";

export function isReserved(id: string): boolean {
  return id === "context" || id.startsWith(PLACEHOLDER);
}

const ID_RULES: IdRules = {
  field: "id",
  fields: STEP_FIELDS,
  isReserved,
  reserved: `"context" and names that begin with ${PLACEHOLDER}`,
};

const titleOf = ({ id }: JsonObject): string => (typeof id === "string" ? `Step "${id}"` : "A step");

const RULES: Rules = { failedNeed: "block", failedOptional: "failed", nullSkips: false, missing: "data" };

/** An action plan: a list of steps, or an object with `plan` or `steps`. */
export function lowerActions(value: Json, place: Place, environment: Environment): Lowered | undefined {
  if (isList(value)) return lowerList(value, place, environment, undefined);
  const object = expectObject(value, place, "An action plan", environment.findings);
  if (object === undefined) return undefined;
  const plan = new Shape(object, place, "An action plan", PLAN_FIELDS, environment.findings);
  const key = plan.has("plan") ? "plan" : "steps";
  if (plan.has("plan") && plan.has("steps")) {
    environment.findings.report("conflicting-fields", place, { what: plan.what, both: ["plan", "steps"] });
  }
  if (!plan.has(key)) {
    environment.findings.report("missing-field", place, {
      what: plan.what,
      field: "plan",
      example: `"plan": […]`,
    });
  }
  return lowerList(plan.list(key) ?? [], plan.at(key), environment, plan.string("name"));
}

function lowerList(
  list: readonly Json[],
  place: Place,
  environment: Environment,
  name: string | undefined,
): Lowered {
  const { findings } = environment;
  const ids = readIds(list, place, ID_RULES, findings);
  const scope = new BlockScope(ids.numbers, ids.stepCount, findings);
  const references = new ActionReferences(scope, ids.someAreWrong);
  const lowering = new StepLowering(scope, references, environment);
  const steps = new Array<Step>(ids.stepCount);
  let index = 0;
  for (let i = 0; i < list.length; i++) {
    const object = list[i] as Json;
    // What is no object has been reported, and gets no number.
    if (isObject(object)) steps[index] = lowering.lower(index++, object, below(place, i));
  }
  const graph = buildGraph(steps);
  const block: Block = {
    name: "",
    signature: undefined,
    steps,
    graph,
    response: undefined,
    rules: RULES,
    place,
    isPlain: scope.isPlain,
  };
  return { blocks: [block], questions: questionsOf(references, steps), name, requestId: undefined };
}

/** A step with the usual fields and nothing else, in the usual form. */
interface PlainStep {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly intent?: string;
}

function isPlain(step: JsonObject): step is JsonObject & PlainStep {
  for (const key in step) if (STEP_FIELDS.get(key)?.isUsual !== true) return false;
  const { id, tool, arguments: args, intent } = step;
  if (typeof id !== "string" || typeof tool !== "string") return false;
  return isObject(args) && (intent === undefined || typeof intent === "string");
}

class StepLowering {
  readonly #scope: BlockScope;
  readonly #references: ActionReferences;
  readonly #environment: Environment;

  constructor(scope: BlockScope, references: ActionReferences, environment: Environment) {
    this.#scope = scope;
    this.#references = references;
    this.#environment = environment;
  }

  /** Most steps are plain and call a tool which there is: only their arguments are worth a look. */
  lower(index: number, object: JsonObject, place: Place): Step {
    this.#scope.begin(index);
    const call = isPlain(object) ? this.#environment.tools.call(object.tool) : undefined;
    return call?.signature === undefined
      ? this.#lowerAny(index, object, place)
      : this.#lowerPlain(index, object as JsonObject & PlainStep, place, call);
  }

  #lowerPlain(index: number, { id, arguments: args, intent }: PlainStep, place: Place, call: Call): Step {
    this.#references.begin(false);
    const template = lowerTemplate(args, below(place, "arguments"), this.#references);
    if (intent !== undefined) warnIn(intent, place, "intent", this.#environment.findings);
    return makeStep(index, id, place, intent, call, template, this.#scope.end(), NO_OPTIONS);
  }

  #lowerAny(index: number, object: JsonObject, place: Place): Step {
    const shape = new Shape(object, place, titleOf, STEP_FIELDS, this.#environment.findings);
    const tool = shape.requiredString("tool", `"tool": "<name of a tool>"`);
    this.#references.begin(shape.has("repeat"));
    const args = lowerTemplate(shape.object("arguments") ?? {}, shape.at("arguments"), this.#references);
    const options = lowerStepOptions(shape, this.#references);
    warnPlaceholders(shape);
    warnRecorded(shape);
    lowerIdDependencies(shape, this.#scope, "succeeded");
    const call = lowerToolCall(tool, shape, this.#environment);
    const id = idOf(object, ID_RULES) ?? "";
    return makeStep(index, id, place, shape.string("intent"), call, args, this.#scope.end(), options);
  }
}

function makeStep(
  index: number,
  id: string,
  place: Place,
  intent: string | undefined,
  call: Call,
  args: Template,
  needs: readonly Need[],
  { conditions, policy, repeat, requiresConfirmation }: StepOptions,
): Step {
  return {
    index,
    id,
    place,
    intent,
    call,
    arguments: args,
    conditions,
    fanOut: undefined,
    transformArguments: undefined,
    transformResults: undefined,
    needs,
    policy,
    repeat,
    requiresConfirmation: requiresConfirmation ?? call.signature?.requiresConfirmation ?? false,
  };
}

function warnRecorded(shape: Shape): void {
  for (const field of RECORDED_FIELDS) {
    if (!shape.has(field)) continue;
    const place = shape.at(field);
    const fix = editFix(`remove "${field}"`, { op: "remove", pointer: pointerOf(keysOf(place)) });
    shape.findings.report("recorded-field", { place, on: "key" }, { field }, fix);
  }
}

/** A placeholder anywhere but in the arguments is text; whoever wrote it probably thought otherwise. */
function warnPlaceholders({ value, place, findings, isUsual }: Shape): void {
  const keys = isUsual ? ["tool", "intent"] : Object.keys(value);
  for (const key of keys) {
    const field = value[key];
    if (field !== undefined && key !== "arguments" && key !== "id") warnIn(field, place, key, findings);
  }
}

function warnIn(value: Json, up: Place, key: string | number, findings: Findings): void {
  if (typeof value === "string") {
    const match = value.includes(PLACEHOLDER) ? /\{\{\s*PLACEHOLDER_[^}]*\}\}/.exec(value) : null;
    if (match === null) return;
    const spot = { place: below(up, key), from: match.index, to: match.index + match[0].length };
    findings.report("placeholder-is-text", spot, { text: match[0] });
  } else if (isList(value)) {
    const place = below(up, key);
    for (const [i, item] of value.entries()) warnIn(item, place, i, findings);
  } else if (typeof value === "object" && value !== null) {
    const place = below(up, key);
    for (const name of Object.keys(value)) warnIn(value[name] as Json, place, name, findings);
  }
}

function questionsOf(references: ActionReferences, steps: readonly Step[]): Question[] {
  return [...(references.placeholders ?? [])].map(([name, numbers]) => ({
    name,
    stepIds: [...numbers].map((number) => steps[number]?.id ?? ""),
    schema: undefined,
    description: undefined,
  }));
}
