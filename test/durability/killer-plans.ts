/* What the killer runs: plans whose every step leaves a trace in the world, and the right answer of each. */
import type { Json, JsonObject } from "../../src/base/json.ts";
import { agent, call } from "../scene.ts";

export interface KillerPlan {
  readonly name: string;
  readonly plan: Json;
  /** Every step that has an effect. */
  readonly steps: readonly string[];
  readonly response: Json;
}

export const TOOL_NAMES: readonly string[] = ["effect", "flaky"];

/** The effect is a line with the idempotency key; there is time to be killed before it, and between it and the answer. */
export const TOOLS_MODULE = `
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

async function act({ n }, { idempotencyKey }) {
  await setTimeout(Math.random() * 4);
  appendFileSync(process.env.EFFECTS, idempotencyKey + "\\n");
  await setTimeout(Math.random() * 4);
  return { n: n + 1 };
}

export const effect = act;
export const flaky = (params, context) => {
  if (context.attempt <= params.times) throw new Error("attempt " + context.attempt + " fails");
  return act(params, context);
};
`;

const CHAIN = 40;
const ITEMS = 60;
const PARTS = 6;

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** A chain whose first step gets `n`. */
function chain(length: number, n: Json, step: (i: number, n: Json) => JsonObject): JsonObject {
  const steps = range(length).map((i) => step(i, i === 0 ? n : `REF:s${i - 1}.n`));
  return agent(steps, { response_reference_map: { n: `REF:s${length - 1}.n` } });
}

const part: JsonObject = {
  ...chain(4, "REF:arguments.n", (i, n) => call(`s${i}`, "effect", { n })),
  arguments: [{ name: "n", type_name: "number" }],
};

export const KILLER_PLANS: readonly KillerPlan[] = [
  {
    name: "a chain",
    plan: chain(CHAIN, 0, (i, n) => call(`s${i}`, "effect", { n })),
    steps: range(CHAIN).map((i) => `s${i}`),
    response: { n: CHAIN },
  },
  {
    name: "a fan-out",
    plan: agent(
      [
        call(
          "x",
          "effect",
          {},
          {
            parallel_execution: { iterate_over: range(ITEMS), child_argument_name: "n", max_concurrency: 4 },
          },
        ),
        call("last", "effect", { n: "REF:x.response.length" }),
      ],
      { response_reference_map: { all: "REF:x.response.*.n", n: "REF:last.n" } },
    ),
    steps: [...range(ITEMS).map((i) => `x[${i}]`), "last"],
    response: { all: range(ITEMS).map((n) => n + 1), n: ITEMS + 1 },
  },
  {
    name: "composites",
    plan: agent(
      [
        {
          execution_id: "parts",
          agent_definition: part,
          parallel_execution: { iterate_over: range(PARTS), child_argument_name: "n", max_concurrency: 2 },
        },
        { execution_id: "once", agent_definition: part, arguments: { n: "REF:parts.response.length" } },
      ],
      { response_reference_map: { all: "REF:parts.response.*.n", once: "REF:once.n" } },
    ),
    steps: [
      ...range(PARTS).flatMap((p) => range(4).map((i) => `parts[${p}].s${i}`)),
      ...range(4).map((i) => `once.s${i}`),
    ],
    response: { all: range(PARTS).map((n) => n + 4), once: PARTS + 4 },
  },
  {
    name: "retries",
    plan: chain(20, 0, (i, n) =>
      call(
        `s${i}`,
        "flaky",
        { n, times: i % 3 },
        { policy: { retries: 3, backoff: { base_ms: 5, factor: 1 } } },
      ),
    ),
    steps: range(20).map((i) => `s${i}`),
    response: { n: 20 },
  },
];
