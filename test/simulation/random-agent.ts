/*
 * Random agents: every feature of the language in random company. Steps are made in an order in which each refers to earlier
 * ones only, and are then shuffled: the order in which they stand in the file means nothing.
 */
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { Chance } from "./chance.ts";
import { TOOLS } from "./world.ts";

export interface AgentShape {
  readonly steps: number;
  /** Composites may be nested so deep. */
  readonly levels: number;
  /** How probable it is that a value is a reference: few make a wide graph, many a deep one. */
  readonly refers: number;
  /** Nothing in it takes more than a few events: for trying every order. */
  readonly isSmall?: boolean;
}

interface Made {
  readonly id: string;
  readonly fansOut: boolean;
  readonly mayFail: boolean;
}

const ARGUMENT = { name: "given", type_name: "any", required: false };
const SCALARS: readonly [string, ...string[]] = [
  "n",
  "n",
  "flag",
  "none",
  "text",
  "text",
  "list",
  "list.length",
  "list.first",
  "object",
  "object.inner.n",
];

export function randomAgent(chance: Chance, shape: AgentShape): JsonObject {
  const made: Made[] = [];
  const instructions: JsonObject[] = [];
  for (let i = 0; i < shape.steps; i++) {
    const last = made[i - 1];
    const handles = last?.mayFail === true && chance.maybe(0.6);
    const step = handles
      ? handlerOf(chance, `s${i}`, last, made.slice(0, -1), shape.refers)
      : randomStep(chance, `s${i}`, made, shape);
    instructions.push(step);
    made.push({ id: `s${i}`, fansOut: step.parallel_execution !== undefined, mayFail: isFlaky(step) });
  }
  return {
    arguments: [ARGUMENT],
    instructions: chance.shuffle(instructions),
    response_reference_map: randomMap(chance, made, shape.refers),
  };
}

/** The fields that every result has, since others refer to them. */
function randomMap(chance: Chance, made: readonly Made[], refers: number): JsonObject {
  const value = (): Json => someValue(chance, made, refers);
  return {
    n: value(),
    flag: true,
    none: null,
    text: "text",
    list: [{ n: value() }, { n: 2 }].slice(chance.below(3)),
    object: { inner: { n: value() } },
  };
}

function isFlaky(step: JsonObject): boolean {
  const definition = step.agent_definition as JsonObject;
  return definition.system_event_endpoint === "flaky" || definition.instructions !== undefined;
}

/** A step that runs where another one has failed. */
function handlerOf(
  chance: Chance,
  id: string,
  task: Made,
  made: readonly Made[],
  refers: number,
): JsonObject {
  const condition = { param: `REF:${task.id}.status`, operator: "equals", value: "failed" };
  return {
    execution_id: id,
    agent_definition: { system_event_endpoint: chance.maybe(0.9) ? "steady" : "flaky" },
    arguments: { ...randomArguments(chance, made, refers), why: `REF:${task.id}.error_message` },
    conditions: chance.maybe(0.8) ? [condition] : [condition, ...randomConditions(chance, [task, ...made])],
  };
}

function randomStep(chance: Chance, id: string, made: readonly Made[], shape: AgentShape): JsonObject {
  const { refers } = shape;
  const nests = shape.levels > 0 && chance.maybe(shape.isSmall === true ? 0.1 : 0.08);
  const definition = nests
    ? {
        agent_definition: randomAgent(chance, {
          ...shape,
          steps: chance.between(1, shape.isSmall === true ? 2 : 5),
          levels: shape.levels - 1,
        }),
      }
    : { agent_definition: primitive(chance) };
  return {
    execution_id: id,
    ...definition,
    arguments: randomArguments(chance, made, refers),
    ...(chance.maybe(0.2) && made.length > 0 && { conditions: randomConditions(chance, made) }),
    ...(chance.maybe(0.12) && made.length > 0 && { dependencies: some(chance, made).map((step) => step.id) }),
    ...(chance.maybe(0.15)
      ? { parallel_execution: randomFanOut(chance, made, shape) }
      : randomRepeat(chance, id, nests)),
    ...(chance.maybe(0.4) && { policy: randomPolicy(chance) }),
    ...(chance.maybe(0.15) && {
      transform_arguments: {
        variables: { v: someValue(chance, made, refers) },
        transforms: { made: "[v, v]" },
      },
    }),
    ...(chance.maybe(0.05) && { requires_confirmation: true }),
  };
}

function randomRepeat(chance: Chance, id: string, nests: boolean): JsonObject {
  if (nests || !chance.maybe(0.06)) return {};
  return { repeat: { until: [{ param: `REF:${id}.flag`, operator: "equals", value: true }], max: 3 } };
}

function primitive(chance: Chance): JsonObject {
  const required = chance.maybe(0.3);
  const args = [
    { name: "a", type_name: "any", required },
    { name: "b", type_name: "any", required: false },
  ];
  return { system_event_endpoint: chance.pick(TOOLS), ...(chance.maybe(0.6) && { arguments: args }) };
}

function randomArguments(chance: Chance, made: readonly Made[], refers: number): JsonObject {
  return {
    a: someValue(chance, made, refers),
    ...(chance.maybe(0.6) && {
      b: { nested: [someValue(chance, made, refers), someValue(chance, made, refers)] },
    }),
    ...(chance.maybe(0.3) && { given: someValue(chance, made, refers) }),
  };
}

/** A reference to some earlier step, mostly a near one, or a constant. */
function someValue(chance: Chance, made: readonly Made[], refers: number): Json {
  const step = chance.maybe(refers) ? nearOne(chance, made) : undefined;
  if (step === undefined) return chance.pick<Json>(["constant", 5, null, "REF:arguments.given", "\\REF:x.y"]);
  if (chance.maybe(0.06)) return `REF:${step.id}.${chance.pick(["status", "error", "error_message"])}`;
  return wholeOf(chance, step);
}

function wholeOf(chance: Chance, step: Made): string {
  if (step.fansOut) return `REF:${step.id}.response${chance.pick(["", ".length", ".first"])}`;
  return `REF:${step.id}.${chance.pick(SCALARS)}`;
}

function nearOne(chance: Chance, made: readonly Made[]): Made | undefined {
  return made[made.length - 1 - chance.below(Math.min(made.length, 8))];
}

function some(chance: Chance, made: readonly Made[]): Made[] {
  const count = chance.between(1, 2);
  const found = Array.from({ length: count }, () => nearOne(chance, made)).filter(
    (step) => step !== undefined,
  );
  return [...new Set(found)];
}

function randomConditions(chance: Chance, made: readonly Made[]): Json[] {
  const compare = (): JsonObject => {
    const step = nearOne(chance, made) as Made;
    if (chance.maybe(0.5)) {
      const value = chance.pick(["failed", "completed", "skipped"]);
      return { param: `REF:${step.id}.status`, operator: chance.pick(["equals", "not_equals"]), value };
    }
    if (chance.maybe(0.2)) return { param: `REF:${step.id}.error.code`, operator: "equals", value: "ODD" };
    return chance.pick<JsonObject>([
      { param: wholeOf(chance, step), operator: "exists" },
      { param: wholeOf(chance, step), operator: "greater_than", value: 3 },
      { param: wholeOf(chance, step), operator: "in", value: [true, 1, 2, 3] },
    ]);
  };
  return chance.maybe(0.3)
    ? [{ logic: chance.pick(["OR", "AND"]), conditions: [compare(), compare()] }]
    : [compare()];
}

function randomFanOut(chance: Chance, made: readonly Made[], shape: AgentShape): JsonObject {
  const step = chance.maybe(0.6) ? nearOne(chance, made) : undefined;
  const { refers } = shape;
  const most = shape.isSmall === true ? 2 : 5;
  const literal = Array.from({ length: chance.below(most + 1) }, (_, i) =>
    chance.maybe(0.2) ? someValue(chance, made, refers) : i,
  );
  const over =
    step === undefined || shape.isSmall === true
      ? literal
      : `REF:${step.id}.${step.fansOut ? "response" : "list"}`;
  return {
    iterate_over: over,
    child_argument_name: chance.pick(["a", "item"]),
    ...(chance.maybe(0.5) && { max_concurrency: chance.between(1, 3) }),
    ...(chance.maybe(0.5) && { on_error: chance.pick(["collect", "fail"]) }),
  };
}

function randomPolicy(chance: Chance): JsonObject {
  return {
    ...(chance.maybe(0.5) && { optional: true }),
    ...(chance.maybe(0.5) && {
      retries: chance.between(1, 2),
      backoff: { base_ms: 5, jitter: chance.maybe(0.5) },
    }),
  };
}
