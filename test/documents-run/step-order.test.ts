/* Step plans: what runs at the same time, and what runs share. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { scene } from "../scene.ts";
import { give, wait } from "./short-steps.ts";

describe("parallel groups", () => {
  const at = (stage: Awaited<ReturnType<typeof scene>>) => stage.calls.map(({ stepId, at }) => [stepId, at]);

  test("steps run one after the other; neighbours with parallel run together", async () => {
    const stage = await scene();
    const parallel = { parallel: true };
    await stage.run({
      steps: [wait(10), wait(20, parallel), wait(5, parallel), wait(1), wait(2, parallel), wait(3)],
    });
    expect(at(stage)).toEqual([
      ["0", 0],
      ["1", 10],
      ["2", 10],
      ["3", 30],
      ["4", 31],
      ["5", 33],
    ]);
  });

  test("a reference or a dependency inside a group is waited for; the others are not held up by it", async () => {
    const stage = await scene();
    const parallel = { parallel: true };
    const steps = [
      wait(10, parallel),
      { tool: "wait", params: { ms: "${step[0].data}" }, ...parallel },
      wait(4, { ...parallel, dependsOn: [0] }),
      wait(5, parallel),
    ];
    await stage.run({ steps });
    expect(at(stage)).toEqual([
      ["0", 0],
      ["3", 0],
      ["1", 10],
      ["2", 10],
    ]);
  });
});

describe("every run is its own", () => {
  test("nothing of one plan is visible to another, at the same time or later", async () => {
    const stage = await scene();
    const plan = (value: Json) => ({ steps: [give({ mine: value }), wait(1), give("${step[0].data}")] });
    const results = await Promise.all([1, 2, 3].map((value) => stage.run(plan(value))));
    expect(results.map(({ steps }) => steps["2"]?.result)).toEqual([{ mine: 1 }, { mine: 2 }, { mine: 3 }]);
    await expect(stage.run({ steps: [give("${step[0].data}")] })).rejects.toThrow(/step 0/i);
  });

  test("tools get copies: what they do to them is seen by nobody", async () => {
    const kept: Json[][] = [];
    const stage = await scene({
      list: () => {
        const list: Json[] = [1];
        kept.push(list);
        return { list };
      },
      spoil: ({ list }: { list: Json[] }) => {
        list.push("spoilt");
        kept[0]?.push("spoilt");
        return list.length;
      },
    });
    const spoil = { tool: "spoil", params: { list: "${step[0].data.list}" } };
    const { execution } = await stage.run({
      steps: [{ tool: "list" }, spoil, spoil, give("${step[0].data.list}")],
    });
    expect(execution?.results.map(({ data }) => data)).toEqual([{ list: [1] }, 2, 2, [1]]);
    expect(execution?.results[1]?.resolvedParams).toEqual({ list: [1] });
  });
});
