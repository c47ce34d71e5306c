import { expect, test } from "vitest";
import { agent, call, field, scene } from "../../test/scene.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { createEngine } from "../index.ts";

const over = (iterate_over: Json, more: JsonObject = {}) => ({
  parallel_execution: { iterate_over, child_argument_name: "item", ...more },
});

test("100,000 items complete under a bounded concurrency, each called once", async () => {
  const items = Array.from({ length: 100_000 }, (_, i) => i);
  let active = 0;
  let most = 0;
  const seen = new Uint8Array(items.length);
  const stage = await scene();
  const engine = await createEngine({
    concurrency: 16,
    tools: {
      square: async ({ item }: { item: number }) => {
        active++;
        most = Math.max(most, active);
        seen[item] = (seen[item] ?? 0) + 1;
        await null;
        active--;
        return item * item;
      },
    },
  });
  const result = await stage.play(
    engine.run(
      agent([call("x", "square", {}, over("REF:arguments.items"))], {
        arguments: [field("items", "list")],
        response_reference_map: { n: "REF:x.response.length", last: "REF:x.response.last" },
      }),
      { arguments: { items } },
    ),
  );
  expect(result).toMatchObject({ status: "completed", response: { n: 100_000, last: 99_999 ** 2 } });
  expect(most).toBe(16);
  expect(seen.every((n) => n === 1)).toBe(true);
});

test("a long fan-out of composites has few of them open at a time", async () => {
  let open = 0;
  let most = 0;
  const inner = agent(
    [call("a", "begin"), call("b", "wait", { ms: 1, value: "REF:a.x" }), call("c", "end", { x: "REF:b.x" })],
    { arguments: [field("item", "any")] },
  );
  const stage = await scene(
    {
      begin: () => {
        open++;
        most = Math.max(most, open);
        return { x: {} };
      },
      end: () => {
        open--;
      },
      wait: async ({ value }: { value: Json }) => ({ x: value }),
    },
    { concurrency: 4 },
  );
  const result = await stage.run(
    agent([
      { execution_id: "x", agent_definition: inner, ...over(Array.from({ length: 2_000 }, (_, i) => i)) },
    ]),
  );
  expect(result.status).toBe("completed");
  expect(most).toBeLessThanOrEqual(8);
});
