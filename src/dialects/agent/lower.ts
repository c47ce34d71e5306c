import { describe, quote } from "../../base/describe.ts";
import { isList, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { buildGraph } from "../../ir/graph.ts";
import {
  type Block,
  type Call,
  DEFAULT_POLICY,
  type FanOut,
  type Rules,
  type Step,
} from "../../ir/program.ts";
import { placeOf, referenceTemplate, type Template } from "../../ir/template.ts";
import { editFix } from "../../source/findings.ts";
import { below, keysOf, type Place, pointerOf } from "../../source/place.ts";
import type { Lowered } from "../dialect.ts";
import type { Environment } from "../environment.ts";
import { isId } from "../identifier.ts";
import { lowerIdDependencies } from "../lower-dependencies.ts";
import { lowerStepOptions } from "../lower-step-options.ts";
import { lowerTemplate, unreadable } from "../lower-template.ts";
import { type IdRules, idOf, readIds } from "../read-ids.ts";
import { BlockScope } from "../scope.ts";
import { Shape } from "../shape.ts";
import { Definitions, declaredNames, type PendingBlock } from "./definitions.ts";
import { FAN_OUT_FIELDS, INSTRUCTION_FIELDS } from "./fields.ts";
import { AgentReferences, type StepFacts } from "./references.ts";
import { namesOf } from "./schemas.ts";
import { lowerTransform } from "./transforms.ts";

const RULES: Rules = { failedNeed: "block", failedOptional: "null", nullSkips: true, missing: "reference" };
export const RESERVED: readonly string[] = ["arguments", "response", "context", "self", "execution", "item"];
const ID_RULES: IdRules = {
  field: "execution_id",
  fields: INSTRUCTION_FIELDS,
  isReserved: (id) => RESERVED.includes(id),
  reserved: RESERVED.join(", "),
};

const titleOf = ({ execution_id: id }: JsonObject): string => {
  return typeof id === "string" ? `Instruction "${id}"` : "An instruction";
};

/** An agent definition. A primitive one is run as a plan of the one step `execution`. */
export function lowerAgent(value: Json, place: Place, environment: Environment): Lowered | undefined {
  const definitions = new Definitions(environment);
  const name = value !== null && typeof value === "object" && "name" in value ? value.name : undefined;
  const call = definitions.define(value, place, "", typeof name === "string" ? name : "plan");
  if (call.kind === "unknown") return undefined;
  if (call.kind === "tool") definitions.blocks.push(primitiveBlock(call, place));
  // Lowering a block may add further ones.
  for (const next of definitions.pending) {
    definitions.blocks[next.number] = new BlockLowering(next, definitions, environment).lower();
  }
  const blocks = definitions.blocks.filter((block) => block !== undefined);
  return { blocks, questions: [], name: typeof name === "string" ? name : undefined, requestId: undefined };
}

function primitiveBlock(call: Call & { kind: "tool" }, place: Place): Block {
  const whole = (root: { kind: "arguments" } | { kind: "result"; step: number }, text: string): Template =>
    referenceTemplate({ root, path: [], text }, place, undefined);
  const step: Step = {
    index: 0,
    id: "execution",
    place,
    intent: undefined,
    call,
    arguments: whole({ kind: "arguments" }, "arguments"),
    conditions: undefined,
    fanOut: undefined,
    transformArguments: undefined,
    transformResults: undefined,
    needs: [],
    policy: DEFAULT_POLICY,
    repeat: undefined,
    requiresConfirmation: call.signature?.requiresConfirmation ?? false,
  };
  const signature = call.signature && {
    ...call.signature,
    transformArguments: undefined,
    transformResults: undefined,
  };
  const response = whole({ kind: "result", step: 0 }, "execution");
  return {
    name: "",
    signature,
    steps: [step],
    graph: buildGraph([{ needs: [] }]),
    response,
    rules: RULES,
    place,
  };
}

type Around = Pick<Step, "fanOut" | "transformArguments" | "transformResults">;
const NOTHING_AROUND: Around = {
  fanOut: undefined,
  transformArguments: undefined,
  transformResults: undefined,
};

/** Lowers the inside of one composite agent. */
class BlockLowering {
  readonly #pending: PendingBlock;
  readonly #definitions: Definitions;
  readonly #environment: Environment;
  readonly #shapes: Shape[] = [];
  readonly #calls: Call[] = [];
  readonly #facts: StepFacts[] = [];

  constructor(pending: PendingBlock, definitions: Definitions, environment: Environment) {
    this.#pending = pending;
    this.#definitions = definitions;
    this.#environment = environment;
  }

  lower(): Block {
    const { definition, path, signature } = this.#pending;
    const { findings } = this.#environment;
    const list = definition.list("instructions") ?? [];
    const found = readIds(list, definition.at("instructions"), ID_RULES, findings);
    for (let i = 0; i < list.length; i++) {
      const object = list[i] as Json;
      // What is no object has been reported, and gets no number.
      if (isObject(object)) this.#readCall(object, below(definition.at("instructions"), i));
    }
    const scope = new BlockScope(found.numbers, found.stepCount, findings);
    const factsOf = (step: number): StepFacts =>
      this.#facts[step] ?? { fansOut: false, responses: undefined };
    const references = new AgentReferences(findings, scope, declaredNames(definition), factsOf);
    const steps = this.#shapes.map((shape, i) => this.#lowerStep(i, shape, scope, references));
    references.where = "response-map";
    const response = this.#lowerResponse(references);
    const graph = buildGraph(steps);
    return { name: path, signature, steps, graph, response, rules: RULES, place: definition.place };
  }

  #readCall(object: JsonObject, place: Place): void {
    const shape = new Shape(object, place, titleOf, INSTRUCTION_FIELDS, this.#environment.findings);
    const call = this.#lowerCall(shape, idOf(object, ID_RULES) ?? "");
    this.#shapes.push(shape);
    this.#calls.push(call);
    this.#facts.push({
      fansOut: shape.has("parallel_execution"),
      responses: namesOf(call.signature?.responses),
    });
  }

  #lowerCall(shape: Shape, id: string): Call {
    const { findings } = shape;
    const inline = shape.raw("agent_definition");
    if (inline !== undefined && shape.has("agent_definition_path")) {
      const both = ["agent_definition", "agent_definition_path"];
      findings.report("conflicting-fields", shape.place, { what: shape.what, both });
    }
    if (inline !== undefined) {
      const { name, system_event_endpoint: tool } = isObject(inline) ? inline : {};
      const agent = typeof name === "string" ? name : typeof tool === "string" ? tool : id;
      return this.#definitions.define(inline, shape.at("agent_definition"), "", agent);
    }
    const path = shape.requiredString("agent_definition_path", `"agent_definition_path": "/path/to/x.agent"`);
    if (path === undefined) return { kind: "unknown", agent: id, signature: undefined };
    return this.#definitions.atPath(path, shape.at("agent_definition_path"));
  }

  #lowerStep(index: number, shape: Shape, scope: BlockScope, references: AgentReferences): Step {
    const call = this.#calls[index] as Call;
    const { isUsual } = shape;
    scope.begin(index);
    references.repeats = !isUsual && shape.has("repeat");
    references.where = "arguments";
    const args = lowerTemplate(shape.object("arguments") ?? {}, shape.at("arguments"), references);
    const around = isUsual ? NOTHING_AROUND : this.#lowerAround(shape, references);
    const options = lowerStepOptions(shape, references);
    // Explicit dependencies mean: after those have ended, however they ended.
    if (!isUsual) lowerIdDependencies(shape, scope, "settled");
    return {
      index,
      id: idOf(shape.value, ID_RULES) ?? "",
      place: shape.place,
      intent: undefined,
      call,
      arguments: args,
      conditions: options.conditions,
      fanOut: around.fanOut,
      transformArguments: around.transformArguments,
      transformResults: around.transformResults,
      needs: scope.end(),
      policy: options.policy,
      repeat: options.repeat,
      requiresConfirmation: options.requiresConfirmation ?? call.signature?.requiresConfirmation ?? false,
    };
  }

  /** What stands around a call: its fan-out and its transforms. */
  #lowerAround(shape: Shape, references: AgentReferences): Around {
    const fanOut = this.#lowerFanOut(shape, references);
    const transformArguments = lowerTransform(shape, "transform_arguments", references, this.#environment);
    references.where = "results";
    const transformResults = lowerTransform(shape, "transform_results", references, this.#environment);
    return { fanOut, transformArguments, transformResults };
  }

  #lowerFanOut(step: Shape, references: AgentReferences): FanOut | undefined {
    const object = step.object("parallel_execution");
    if (object === undefined) return undefined;
    const { findings } = step;
    const shape = new Shape(
      object,
      step.at("parallel_execution"),
      `"parallel_execution"`,
      FAN_OUT_FIELDS,
      findings,
    );
    const collection = shape.raw("iterate_over");
    if (collection === undefined) {
      const example = `"iterate_over": "REF:<step>.<list>"`;
      findings.report("missing-field", shape.place, { what: shape.what, field: "iterate_over", example });
    }
    let over = lowerTemplate(
      collection === undefined ? [] : collection,
      shape.at("iterate_over"),
      references,
    );
    if (over.kind === "object" || (over.kind === "constant" && !isList(over.value))) {
      const got = describe(collection ?? null);
      const data = { what: `"iterate_over"`, expected: "a reference or a list", got };
      findings.report("wrong-shape", placeOf(over), data);
      over = unreadable("", placeOf(over));
    }
    const argument = shape.requiredString("child_argument_name", `"child_argument_name": "item"`);
    if (argument !== undefined && !isId(argument)) {
      findings.report("invalid-id", shape.at("child_argument_name"), { id: argument });
    }
    return {
      over,
      argument: argument ?? "",
      concurrencyMax: shape.integer("max_concurrency", 1),
      onError: readOnError(shape),
    };
  }

  #lowerResponse(references: AgentReferences): Template | undefined {
    const { definition } = this.#pending;
    const map = definition.object("response_reference_map");
    if (map === undefined) return undefined;
    return lowerTemplate(map, definition.at("response_reference_map"), references);
  }
}

function readOnError(shape: Shape): "fail" | "collect" {
  const onError = shape.string("on_error") ?? "fail";
  if (onError === "fail" || onError === "collect") return onError;
  const { near } = shape.findings.suggest(onError, ["fail", "collect"]);
  const pointer = pointerOf(keysOf(shape.at("on_error")));
  const fix =
    near === undefined ? undefined : editFix(`use "${near}"`, { op: "replace", pointer, value: near });
  const data = { what: `"on_error"`, got: quote(onError), expected: `"fail" or "collect"` };
  shape.findings.report("invalid-value", shape.at("on_error"), data, fix);
  return "fail";
}
