import { describe } from "../../base/describe.ts";
import { isObject, type Json, type JsonObject } from "../../base/json.ts";
import { buildGraph } from "../../ir/graph.ts";
import {
  type Block,
  DEFAULT_POLICY,
  type Need,
  type Policy,
  type Rules,
  type Step,
} from "../../ir/program.ts";
import { below, type Place } from "../../source/place.ts";
import type { Lowered } from "../dialect.ts";
import type { Environment } from "../environment.ts";
import { lowerNumberDependencies } from "../lower-dependencies.ts";
import { readRetries, readTimeout } from "../lower-policy.ts";
import { lowerStepOptions } from "../lower-step-options.ts";
import { lowerTemplate } from "../lower-template.ts";
import { lowerToolCall } from "../lower-tool-call.ts";
import { BlockScope } from "../scope.ts";
import { expectObject, Shape } from "../shape.ts";
import { PLAN_FIELDS, STEP_FIELDS } from "./fields.ts";
import { StepReferences } from "./references.ts";

const RULES: Rules = { failedNeed: "fail", failedOptional: "failed", nullSkips: false, missing: "reference" };

/** Steps go by their numbers. */
const NO_IDS: ReadonlyMap<string, number> = new Map();
const titleOf = (_: JsonObject, place: Place): string => `Step ${place.key}`;

/** A step plan: `{ steps, requestId? }`. Steps are called by their numbers. */
export function lowerSteps(value: Json, place: Place, environment: Environment): Lowered | undefined {
  const object = expectObject(value, place, "A step plan", environment.findings);
  if (object === undefined) return undefined;
  const plan = new Shape(object, place, "A step plan", PLAN_FIELDS, environment.findings);
  if (!plan.has("steps")) {
    environment.findings.report("missing-field", place, {
      what: plan.what,
      field: "steps",
      example: `"steps": […]`,
    });
  }
  const list = plan.list("steps") ?? [];
  const block = lowerBlock(list, plan.at("steps"), environment);
  return { blocks: [block], questions: [], name: plan.string("name"), requestId: readRequestId(plan) };
}

function readRequestId(plan: Shape): string | undefined {
  const value = plan.raw("requestId");
  return typeof value === "number" || value === null ? value?.toString() : plan.string("requestId");
}

function lowerBlock(list: readonly Json[], place: Place, environment: Environment): Block {
  const scope = new BlockScope(NO_IDS, list.length, environment.findings);
  const references = new StepReferences(scope, list.length, environment.stepReferences);
  const order = new PlanOrder();
  const steps: Step[] = [];
  for (let i = 0; i < list.length; i++) {
    const at = below(place, i);
    const object = list[i] as Json;
    if (!isObject(object)) {
      environment.findings.report("wrong-shape", at, {
        what: `Step ${i}`,
        expected: "an object",
        got: describe(object),
      });
      steps.push(brokenStep(i, at));
      continue;
    }
    const shape = new Shape(object, at, titleOf, STEP_FIELDS, environment.findings);
    steps.push(lowerStep(i, shape, scope, references, order, environment));
  }
  const graph = buildGraph(steps);
  const { isPlain } = scope;
  return { name: "", signature: undefined, steps, graph, response: undefined, rules: RULES, place, isPlain };
}

/** Keeps the numbers of the steps behind it right. */
function brokenStep(index: number, place: Place): Step {
  return {
    index,
    id: String(index),
    place,
    intent: undefined,
    call: { kind: "unknown", agent: "", signature: undefined },
    arguments: { kind: "constant", value: {}, up: place, key: undefined },
    conditions: undefined,
    fanOut: undefined,
    transformArguments: undefined,
    transformResults: undefined,
    needs: [],
    policy: DEFAULT_POLICY,
    repeat: undefined,
    requiresConfirmation: false,
  };
}

function lowerStep(
  index: number,
  shape: Shape,
  scope: BlockScope,
  references: StepReferences,
  order: PlanOrder,
  environment: Environment,
): Step {
  scope.begin(index);
  const tool = shape.requiredString("tool", `"tool": "<name of a tool>"`);
  references.begin(shape.has("repeat"));
  const args = lowerTemplate(shape.object("params") ?? {}, shape.at("params"), references);
  const options = lowerStepOptions(shape, references);
  lowerNumberDependencies(index, shape, scope);
  order.addNeeds(index, shape.boolean("parallel") ?? false, scope);
  const call = lowerToolCall(tool, shape, environment);
  return {
    index,
    id: String(index),
    place: shape.place,
    intent: undefined,
    call,
    arguments: args,
    conditions: options.conditions,
    fanOut: undefined,
    transformArguments: undefined,
    transformResults: undefined,
    needs: scope.end(),
    policy: shape.isUsual ? options.policy : lowerStepPolicy(shape, options.policy),
    repeat: options.repeat,
    requiresConfirmation: options.requiresConfirmation ?? call.signature?.requiresConfirmation ?? false,
  };
}

/** Step plans have fields of their own for what a policy says. */
function lowerStepPolicy(shape: Shape, policy: Policy): Policy {
  const retries = readRetries(shape, "retryCount");
  const timeoutMs = readTimeout(shape, "timeout");
  const optional = shape.boolean("optional");
  if (retries === undefined && timeoutMs === undefined && optional === undefined) return policy;
  return {
    retries: retries ?? policy.retries,
    backoff: policy.backoff,
    timeoutMs: timeoutMs ?? policy.timeoutMs,
    optional: optional ?? policy.optional,
    placement: policy.placement,
  };
}

/**
 * Steps run in order; adjacent steps with `parallel: true` form a group. Each step waits for the whole group before its own,
 * which is a single step or followed by one, so that the edges stay linear in the number of steps.
 */
class PlanOrder {
  #previous: number[] = [];
  #group: number[] = [];
  #parallel = false;

  addNeeds(index: number, parallel: boolean, scope: BlockScope): void {
    if (!(parallel && this.#parallel)) {
      this.#previous = this.#group;
      this.#group = [];
    }
    this.#group.push(index);
    this.#parallel = parallel;
    for (const step of this.#previous) scope.need(step, "order" satisfies Need["mode"]);
  }
}
