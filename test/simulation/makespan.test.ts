import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json.ts";
import { agent, call, scene } from "../scene.ts";
import { Chance } from "./chance.ts";

interface Task {
  readonly ms: number;
  readonly needs: readonly number[];
}

function randomGraph(chance: Chance): Task[] {
  const size = chance.between(2, 40);
  return Array.from({ length: size }, (_, i) => {
    const count = i === 0 ? 0 : chance.below(4);
    const needs = new Set(Array.from({ length: count }, () => chance.below(i)));
    return { ms: chance.between(0, 100), needs: [...needs] };
  });
}

/** When the last task ends if every task starts the moment those that it needs have ended. */
function longestPath(tasks: readonly Task[]): number {
  const ends: number[] = [];
  for (const { ms, needs } of tasks) ends.push(ms + Math.max(0, ...needs.map((need) => ends[need] ?? 0)));
  return Math.max(...ends);
}

test("the longest chain decides how long a run takes: no barrier anywhere", async () => {
  for (let seed = 0; seed < 60; seed++) {
    const chance = new Chance(seed);
    const tasks = randomGraph(chance);
    const steps = tasks.map(({ ms, needs }, i) =>
      call(`t${i}`, "wait", { ms, after: needs.map((need) => `REF:t${need}.ms`) }),
    );
    const stage = await scene({}, { concurrency: 1_000 });
    const result = await stage.run(agent(chance.shuffle(steps)));
    expect(result.status).toBe("completed");
    expect(stage.now, `seed ${seed}`).toBe(longestPath(tasks));
  }
});

test("and so it does across composites and the items of fan-outs", async () => {
  for (let seed = 0; seed < 20; seed++) {
    const chance = new Chance(seed);
    const [outer, inner] = [randomGraph(chance), randomGraph(chance)];
    const at = chance.below(outer.length);
    const items = [chance.between(0, 100), chance.between(0, 100), chance.between(0, 100)];
    const composite = agent(
      [
        ...inner.map(({ ms, needs }, i) =>
          call(`t${i}`, "wait", { ms, after: needs.map((need) => `REF:t${need}.ms`) }),
        ),
        call("items", "wait", {}, { parallel_execution: { iterate_over: items, child_argument_name: "ms" } }),
      ],
      { response_reference_map: { ms: 0 } },
    );
    const steps = outer.map(({ ms, needs }, i): JsonObject => {
      const after = needs.map((need) => `REF:t${need}.ms`);
      if (i !== at) return call(`t${i}`, "wait", { ms, after });
      return {
        execution_id: `t${i}`,
        agent_definition: { ...composite, arguments: [{ name: "after", type_name: "list" }] },
        arguments: { after },
      };
    });
    const inside = Math.max(longestPath(inner), ...items);
    const stage = await scene({}, { concurrency: 1_000 });
    await stage.run(agent(steps));
    expect(stage.now, `seed ${seed}`).toBe(
      longestPath(outer.map((task, i) => (i === at ? { ...task, ms: inside } : task))),
    );
  }
});
