/* Random plans in the other two languages. */
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { Chance } from "./chance.ts";
import { TOOLS } from "./world.ts";

const PATHS: readonly [string, ...string[]] = [
  ".n",
  ".flag",
  ".none",
  ".list.length",
  ".list[*].n",
  ".object.inner.n",
  "",
];

/** Some of the numbers below `n`, mostly the last ones. */
function before(chance: Chance, n: number): number[] {
  if (n === 0) return [];
  return Array.from({ length: chance.between(1, 2) }, () => n - 1 - chance.below(Math.min(n, 6)));
}

function policyOf(chance: Chance): JsonObject {
  return {
    ...(chance.maybe(0.5) && { optional: true }),
    ...(chance.maybe(0.5) && { retries: chance.between(1, 2) }),
  };
}

export function randomStepPlan(chance: Chance, count: number): JsonObject {
  const steps = Array.from({ length: count }, (_, i): JsonObject => {
    const params = Object.fromEntries(
      before(chance, i).map((step, k) => {
        const reference = `\${step[${step}].data${chance.pick(PATHS)}}`;
        return [`p${k}`, chance.maybe(0.3) ? `text ${reference}, \${HOME}` : reference];
      }),
    );
    return {
      tool: chance.pick(TOOLS),
      params,
      ...(chance.maybe(0.3) && i > 0 && { dependsOn: [...new Set(before(chance, i))] }),
      parallel: chance.maybe(0.6),
      ...(chance.maybe(0.4) && { optional: true }),
      ...(chance.maybe(0.3) && { retryCount: chance.between(1, 2) }),
      ...(chance.maybe(0.15) &&
        i > 0 && { conditions: [{ param: `\${step[${i - 1}].data.n}`, operator: "less_than", value: 6 }] }),
    };
  });
  return { steps };
}

export function randomActionPlan(chance: Chance, count: number): Json {
  const steps = Array.from({ length: count }, (_, i): JsonObject => {
    const args = Object.fromEntries(
      before(chance, i).map((step, k) => {
        const reference = `{{a${step}.result${chance.pick(PATHS)}}}`;
        return [`p${k}`, chance.maybe(0.3) ? `text ${reference}` : [reference]];
      }),
    );
    return {
      id: `a${i}`,
      tool: chance.pick(TOOLS),
      arguments: { ...args, ...(chance.maybe(0.1) && { ask: `{{PLACEHOLDER_q${chance.below(3)}}}` }) },
      ...(chance.maybe(0.2) &&
        i > 0 && { dependencies: [...new Set(before(chance, i))].map((step) => `a${step}`) }),
      ...(chance.maybe(0.4) && { policy: policyOf(chance) }),
      ...(chance.maybe(0.15) &&
        i > 0 && { conditions: [{ param: `{{a${i - 1}.result.n}}`, operator: "less_than", value: 6 }] }),
      ...(chance.maybe(0.05) && { requires_confirmation: true }),
    };
  });
  return chance.shuffle(steps);
}
